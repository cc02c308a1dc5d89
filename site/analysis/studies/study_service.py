"""Change studies: create, save, copy, delete, hide. Every change is a compare-and-swap on `rev`.

A change is checked before the transaction, which only swaps. Nothing else writes studies.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.db.models import F

from accounts.models import User
from accounts.plain_text import plain_line
from accounts.refusals import Refused
from analysis.board.position_tree import IllegalTurn, InvalidTree
from analysis.studies.models import MAX_TITLE_CHARS, Study
from analysis.studies.study_refusals import StudyReason
from analysis.studies.study_tree import (
    MAX_PLAYED_IN_SAVE,
    MAX_TURNS,
    StudyNode,
    TreeTooLarge,
    check_tree,
    read_tree,
    write_tree,
)
from games.catalogue import RULES, rules_of
from games.core import Rules
from play.domain.clocks import now
from play.models import Game
from play.runtime.notify import publish

MAX_STUDIES: Final = 200  # of an account
MAX_RAW_TITLE_CHARS: Final = 4 * MAX_TITLE_CHARS  # before it is normalised
TOPIC: Final = "study"


class Conflict(Exception):
    """The study was changed since the request's rev; `study` is the current one."""

    def __init__(self, study: Study) -> None:
        super().__init__(study.rev)
        self.study = study


@dataclass(frozen=True, slots=True)
class Change:
    """The parts of a study that a save replaces; None leaves one as it is."""

    title: str | None = None
    visibility: str | None = None
    nodes: Sequence[StudyNode] | None = None


def create(
    owner: User, key: str, title: str, nodes: Sequence[StudyNode], game: Game | None = None
) -> Study:
    """Keep a tree as a private study of an account. Raise Refused.

    The caller has checked that the owner may see the game.
    """
    if not owner.is_account:
        raise Refused(StudyReason.NO_ACCOUNT)
    title = clean_title(title)
    tree = _checked_tree(study_rules(key), nodes, (), MAX_TURNS)
    return _insert(owner, rules=key, title=title, tree=tree, turn_count=len(nodes), game=game)


def copy(owner: User, source: Study) -> Study:
    """Keep the tree of a study, which the owner may see, as a private one. Raise Refused."""
    if not owner.is_account:
        raise Refused(StudyReason.NO_ACCOUNT)
    if source.is_hidden:  # a copy could be published again
        raise Refused(StudyReason.HIDDEN)
    study_rules(source.rules)
    columns = {name: getattr(source, name) for name in ("rules", "title", "tree", "turn_count")}
    return _insert(owner, **columns)


def save(owner: User, slug: str, rev: int, change: Change) -> Study:
    """Change a study of an owner that is at `rev`.

    A change that is already in effect is confirmed at any rev, so that a request may be repeated. A
    study hidden by a moderator accepts no other change. Raise Study.DoesNotExist, Refused and
    Conflict.
    """
    study = Study.objects.select_related("owner").get(slug=slug, owner=owner)
    is_current = study.rev == rev and not study.is_hidden
    columns = _columns_of(study, change, is_current=is_current)
    if not columns:
        return study
    if not is_current:
        raise _reason_against(study)
    with transaction.atomic():
        rows = Study.objects.filter(pk=study.pk, rev=rev)
        if rows.update(rev=F("rev") + 1, updated=now(), **columns):
            _announce(slug)
    saved = Study.objects.select_related("owner").get(pk=study.pk)
    if _columns_of(saved, change, is_current=False):
        raise _reason_against(saved)
    return saved


def _reason_against(study: Study) -> Refused | Conflict:
    """Return why a save does not change the current study."""
    return Refused(StudyReason.HIDDEN) if study.is_hidden else Conflict(study)


def delete(owner: User, slug: str) -> None:
    """Delete a study of an owner. Raise Study.DoesNotExist."""
    with transaction.atomic():
        Study.objects.get(slug=slug, owner=owner).delete()
        _announce(slug)


def delete_studies_of(user_id: int) -> None:
    """Delete all studies of a user."""
    with transaction.atomic():
        studies = Study.objects.of(user_id)
        for slug in list(studies.values_list("slug", flat=True)):
            _announce(slug)
        studies.delete()


def hide(study: Study, is_hidden: bool) -> None:
    """Hide a study from everyone but its owner, who cannot change it then, or show it again."""
    with transaction.atomic():
        Study.objects.filter(pk=study.pk).update(rev=F("rev") + 1, is_hidden=is_hidden)
        _announce(study.slug)


def study_rules(key: str) -> Rules[Any]:
    """Return rules of which there are studies. Raise Refused."""
    if key not in RULES or rules_of(key).is_simultaneous:
        raise Refused(StudyReason.WITHDRAWN)
    return rules_of(key)


def clean_title(text: str) -> str:
    """Return a title as stored: one line without control characters. Raise Refused."""
    if len(text) > MAX_RAW_TITLE_CHARS:
        raise Refused(StudyReason.LONG_TITLE)
    title = plain_line(text)
    if not title:
        raise Refused(StudyReason.NO_TITLE)
    if len(title) > MAX_TITLE_CHARS:
        raise Refused(StudyReason.LONG_TITLE)
    return title


def _columns_of(study: Study, change: Change, *, is_current: bool) -> dict[str, Any]:
    """Return the columns that a change replaces by other values. Raise Refused.

    The turns of a tree are played only for a change that can be written.
    """
    columns: dict[str, Any] = {}
    if change.title is not None:
        columns["title"] = clean_title(change.title)
    if change.visibility is not None:
        if change.visibility not in Study.Visibility.values:
            raise Refused(StudyReason.MALFORMED, detail="unknown visibility")
        columns["visibility"] = change.visibility
    if change.nodes is not None:
        tree = _written(change.nodes)
        if is_current and tree != study.tree:
            rules, known = study_rules(study.rules), read_tree(study.tree)
            tree = _checked_tree(rules, change.nodes, known, MAX_PLAYED_IN_SAVE)
        columns |= {"tree": tree, "turn_count": len(change.nodes)}
    return {name: value for name, value in columns.items() if getattr(study, name) != value}


def _checked_tree(
    rules: Rules[Any], nodes: Sequence[StudyNode], known: Sequence[StudyNode], max_played: int
) -> str:
    """Return a tree as it is stored, once its turns were played. Raise Refused."""
    text = _written(nodes)
    try:
        check_tree(rules, nodes, known, max_played)
    except TreeTooLarge as error:
        raise Refused(StudyReason.TOO_LARGE, detail=str(error)) from error
    except InvalidTree as error:
        raise Refused(StudyReason.MALFORMED, detail=str(error)) from error
    except IllegalTurn as error:
        raise Refused(StudyReason.ILLEGAL, detail=f"turn {error.index}: {error}") from error
    return text


def _written(nodes: Sequence[StudyNode]) -> str:
    try:
        return write_tree(nodes)
    except TreeTooLarge as error:
        raise Refused(StudyReason.TOO_LARGE, detail=str(error)) from error


def _insert(owner: User, **columns: Any) -> Study:
    """Insert a study, unless the owner has too many or is being deleted. Raise Refused."""
    at = now()
    with transaction.atomic():
        # Locked, so that of two requests at once the second counts the first, and a deletion of the
        # account at the same time leaves nothing behind.
        users = User.objects.select_for_update(no_key=True)
        if users.filter(pk=owner.pk, is_active=True, is_guest=False).first() is None:
            raise Refused(StudyReason.NO_ACCOUNT)
        if Study.objects.of(owner.pk).count() >= MAX_STUDIES:
            raise Refused(StudyReason.TOO_MANY)
        return Study.objects.create(owner=owner, created=at, updated=at, **columns)


def _announce(slug: str) -> None:
    """Publish the change of a study once it is committed."""
    transaction.on_commit(lambda: publish((TOPIC, slug)))
