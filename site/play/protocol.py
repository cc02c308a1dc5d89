"""The socket protocol: the JSON schema of every message, generated from the message types.

Each kind of topic is registered with its messages (`runtime.topics.TopicKind`).
`manage.py protocol` prints the schema; a test compares it with PROTOCOL.md.
"""

import dataclasses
import json
from pathlib import Path
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

import msgspec
from msgspec import Meta

from games.effects import Count, Place, Remove, Slide
from games.prompts import PathPrompt, SplitPrompt
from play.runtime.topics import KINDS
from play.sockets.messages import FROM_SOCKET, SocketMessage

PAGE = Path(__file__).with_name("PROTOCOL.md")
BEGIN, END = "```json\n", "\n```\n"
MAX_LINE_CHARS = 130
REF = "#/$defs/{name}"
# The schemas of recursive types, of which msgspec makes none.
_TREE = {"$ref": REF.format(name="Tree")}
TREES: dict[str, dict[str, Any]] = {
    "Tree": {
        "title": "Tree",
        "description": "The squares to choose from, and what follows each; see games/prompts.py.",
        "anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": _TREE}],
    }
}


class TopicMessages(NamedTuple):
    """The types of the messages on one kind of topic."""

    from_page: tuple[type, ...]
    from_site: tuple[type, ...]


def topic_messages() -> dict[str, TopicMessages]:
    """Return the messages by name of a kind of topic; "" for those of every socket."""
    found = {"": TopicMessages(get_args(SocketMessage), FROM_SOCKET)}
    for kind in KINDS.values():
        if kind.handler is not None:
            found[kind.name] = TopicMessages(get_args(kind.from_page), kind.from_site)
    return dict(sorted(found.items()))


def rules_values() -> tuple[type, ...]:
    """Return the values of the rules that messages hold as unions."""
    return (Slide, Place, Remove, Count, SplitPrompt, _path_prompt())


def schema() -> dict[str, Any]:
    """Return the JSON schema of all messages: `topics` by kind, and `$defs` by name."""
    kinds = dict.fromkeys(
        kind for each in topic_messages().values() for kinds in each for kind in kinds
    )
    refs, definitions = msgspec.json.schema_components((*kinds, *rules_values()), ref_template=REF)
    ref_of = dict(zip(kinds, refs, strict=False))
    topics = {
        topic: {
            "from_page": [ref_of[kind] for kind in each.from_page],
            "from_site": [ref_of[kind] for kind in each.from_site],
        }
        for topic, each in topic_messages().items()
    }
    definitions.update(TREES)
    return {"topics": topics, "$defs": dict(sorted(definitions.items()))}


def schema_text() -> str:
    """Return the schema as indented JSON, in which a short value keeps to one line."""
    return _json_lines(schema(), 0)


def page_with(text: str) -> str:
    """Return PROTOCOL.md with its schema replaced by this one."""
    page = PAGE.read_text(encoding="utf-8")
    head, _, rest = page.partition(BEGIN)
    return f"{head}{BEGIN}{text}{END}{rest.partition(END)[2]}"


def _json_lines(value: Any, indent: int) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= MAX_LINE_CHARS - 30 or not isinstance(value, dict | list):
        return flat
    pad, inner = " " * indent, " " * (indent + 1)
    if isinstance(value, list):
        items = [inner + _json_lines(item, indent + 1) for item in value]
        return "[\n" + ",\n".join(items) + f"\n{pad}]"
    items = [f"{inner}{json.dumps(k)}: {_json_lines(v, indent + 1)}" for k, v in value.items()]
    return "{\n" + ",\n".join(items) + f"\n{pad}}}"


def _path_prompt() -> type:
    """Return `PathPrompt` with its recursive tree replaced by a reference.

    msgspec makes no schema of a recursive type.
    """
    tree = Annotated[Any, Meta(extra_json_schema=_TREE)]
    hints = {**get_type_hints(PathPrompt), "tree": tree}
    names = [(field.name, hints[field.name]) for field in dataclasses.fields(PathPrompt)]
    return msgspec.defstruct("PathPrompt", names, namespace={"__doc__": PathPrompt.__doc__})
