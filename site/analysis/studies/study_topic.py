"""Studies as topics of a socket: pages learn that a study has changed, and fetch its tree.

A frame has no tree, so that an open page costs some bytes with each save. A page whose user may no
longer see the study learns only that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from accounts.refusals import Refused
from analysis.studies.models import Study
from analysis.studies.study_service import TOPIC
from play.domain.game_refusals import Reason
from play.domain.wire_types import Frame, Outgoing, encode_frame
from play.runtime.game_service import GameService
from play.runtime.topics import TopicSource
from play.sockets.topic_handlers import Admission, Scope, TopicHandler

OWNER, READER = "owner", "reader"
DELETED = "deleted"  # the rev of a study that is gone


class StudyState(Outgoing, frozen=True, tag="study"):
    """A study at a rev; all other fields are empty for a page that may not see it any more."""

    rev: str
    state: Literal["open", "closed", "deleted"]
    version: int = 0  # grows with each change
    title: str = ""
    visibility: str = ""
    hidden: bool = False  # by a moderator


@dataclass(frozen=True, slots=True)
class StudyHead:
    """Contents of the frames of a study; None stands for a study that is gone."""

    study: Study | None

    @property
    def rev(self) -> str:
        """A text that differs after every change."""
        return DELETED if self.study is None else str(self.study.rev)


def load_heads(slugs: Sequence[str]) -> dict[str, StudyHead]:
    """Return the heads of many studies, in one query."""
    rows = Study.objects.without_trees().select_related("owner").filter(slug__in=slugs)
    found = {study.slug: study for study in rows}
    return {slug: StudyHead(found.get(slug)) for slug in slugs}


class StudySource(TopicSource[StudyHead]):
    """Frames of `("study", slug)`; an audience is the owner, or readers."""

    pause_s = 0.2  # limits reads while somebody types

    def __init__(self, games: GameService) -> None:
        self._games = games

    async def load(self, ident: str) -> StudyHead:
        """Return the head of a study."""
        return (await self.load_many([ident]))[ident]

    async def load_many(self, idents: Sequence[str]) -> dict[str, StudyHead]:
        """Return the heads of many studies."""
        return await self._games.run_in_db_thread(load_heads, idents)

    def rev(self, value: StudyHead) -> str:
        """Return the rev, a text that differs after every change."""
        return value.rev

    def render(self, value: StudyHead, audience: str) -> Frame:
        """Return the frame for the owner or for readers."""
        study = value.study
        if study is None:
            return encode_frame(StudyState(rev=value.rev, state="deleted"))
        if audience == READER and not study.is_shared:
            return encode_frame(StudyState(rev=value.rev, state="closed"))
        return encode_frame(
            StudyState(
                rev=value.rev,
                state="open",
                version=study.rev,
                title=study.title,
                visibility=study.visibility,
                hidden=study.is_hidden,
            )
        )

    def revs(self, idents: Sequence[str]) -> dict[str, str]:
        """Return the current revs of many studies, in one query."""
        found = dict(Study.objects.filter(slug__in=idents).values_list("slug", "rev"))
        return {slug: str(found.get(slug, DELETED)) for slug in idents}


def audience_of(slug: str, user: int | None) -> str:
    """Return whether a user owns a study or may read it. Raise Refused if neither."""
    study = Study.objects.visible_to(user).filter(slug=slug).values_list("owner").first()
    if study is None:
        raise Refused(Reason.GONE)
    return OWNER if study[0] == user else READER


class StudyHandler(TopicHandler):
    """The handler of `study:SLUG`."""

    has_text_revs = True

    async def admit(self, scope: Scope, ident: str) -> Admission:
        """Return topic and audience. Raise `Refused` for a user who may not see the study."""
        run = scope["runtime"].games.run_in_db_thread
        return Admission((TOPIC, ident), await run(audience_of, ident, scope["user"].pk))
