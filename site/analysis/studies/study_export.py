"""Export studies as JSON, text and HTML for other sites; import the JSON.

README.md here documents the formats.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.refusals import Refused
from accounts.site_links import absolute_url
from analysis.board.position_tree import ROOT
from analysis.studies.models import Study
from analysis.studies.study_refusals import StudyReason
from analysis.studies.study_tree import StudyNode, read_tree
from games import notation
from games.core import Rules
from play.game_texts import name_of

FORMAT: Final = "quiver-study"
VERSION: Final = 1
FRAME_PX: Final = (480, 760)  # width and height of the offered frame; the page fits others too


class StudyFile(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A study as a JSON file; an import needs format, version, rules, title and nodes."""

    format: str
    version: int
    rules: str
    title: str
    nodes: list[StudyNode]
    author: str = ""
    visibility: str = ""
    rev: int = 0
    created: str = ""
    updated: str = ""


_DECODER: Final = msgspec.json.Decoder(StudyFile)


def study_file(study: Study) -> StudyFile:
    """Return a study in the form of its JSON file."""
    return StudyFile(
        format=FORMAT,
        version=VERSION,
        rules=study.rules,
        title=study.title,
        nodes=read_tree(study.tree),
        author=study.owner.get_username(),
        visibility=study.visibility,
        rev=study.rev,
        created=_to_iso(study.created),
        updated=_to_iso(study.updated),
    )


def parse_study_file(body: bytes) -> StudyFile:
    """Return an exported study. Its turns are not checked. Raise Refused."""
    try:
        found = _DECODER.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Refused(StudyReason.MALFORMED, detail=str(error)) from error
    if (found.format, found.version) != (FORMAT, VERSION):
        raise Refused(StudyReason.MALFORMED, detail=f"the format is not {FORMAT} {VERSION}")
    return found


def study_text(study: Study, rules: Rules[Any]) -> str:
    """Return a study as plain text, a line for each turn and each line of a comment."""
    head = (
        f"Title: {study.title}",
        f"Game: {name_of(study.rules)}",
        f"Rules: {study.rules}",
        f"Author: {study.owner.get_username()}",
        f"Changed: {_to_iso(study.updated)}",
        "",
    )
    return "\n".join([*head, *_turn_lines(rules, read_tree(study.tree))]) + "\n"


def embed_html(study: Study) -> SafeString:
    """Return the HTML with which another site shows a study in a frame, while it is public."""
    width, height = FRAME_PX
    return format_html(
        '<iframe src="{}" title="{}" width="{}" height="{}" loading="lazy"></iframe>',
        absolute_url(reverse("study-embed", args=[study.slug])),
        study.title,
        width,
        height,
    )


def export_studies(user_id: int) -> list[dict[str, Any]]:
    """Return the studies of a user in the form of their JSON files, for the data export."""
    rows = Study.objects.of(user_id).select_related("owner", "game").order_by("pk")
    return [
        {
            **msgspec.to_builtins(study_file(study)),
            "id": study.slug,
            "game": study.game and study.game.slug,
            "hidden_by_moderators": study.is_hidden,
        }
        for study in rows.iterator(chunk_size=20)
    ]


def _turn_lines(rules: Rules[Any], nodes: Sequence[StudyNode]) -> Iterator[str]:
    """Yield the lines of a tree: alternatives to a turn follow it, further to the right.

    It uses a stack, not recursion: trees may be deep.
    """
    children: defaultdict[int, list[int]] = defaultdict(list)
    depths = {ROOT: 0}
    for index, node in enumerate(nodes):
        children[node.parent].append(index)
        depths[index] = depths[node.parent] + 1
    work: list[tuple[int, int, bool]] = [(ROOT, 0, True)]  # turn, level, `is_after`
    while work:
        index, level, is_after = work.pop()
        if not is_after:
            yield from _node_lines(rules, nodes[index], depths[index], "  " * level)
            continue
        first, others = children[index][:1], children[index][1:]
        work += [(child, level, True) for child in first]
        for other in reversed(others):
            work += [(other, level + 1, True), (other, level + 1, False)]
        work += [(child, level, False) for child in first]


def _node_lines(rules: Rules[Any], node: StudyNode, depth: int, indent: str) -> Iterator[str]:
    turn = turn_text(rules, node.actions)
    yield f"{indent}{depth}. {turn} {node.mark}".rstrip()
    for line in node.comment.splitlines():
        yield f"{indent}# {line}".rstrip()


def turn_text(rules: Rules[Any], actions: Sequence[str]) -> str:
    """Return the notation of a turn: `d1-d7/g7`, `a5-b5 c1-c2`. Trusts its input."""
    start = rules.start()  # the notation of these games does not depend on the state
    parts = [notation.write(rules, start, "white", rules.parse(text)) for text in actions]
    return "".join(parts) if any(part.startswith("/") for part in parts) else " ".join(parts)


def _to_iso(at: int) -> str:
    return datetime.fromtimestamp(at // 1000, UTC).isoformat()
