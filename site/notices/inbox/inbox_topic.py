"""The topic `notices`: how many notices a user has not read.

The sheet of the bell fetches the texts when it is opened, so that an open page costs one number.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import OuterRef, Subquery

from accounts.refusals import Refused
from lobby.lobbies.lobby_topics import language_of
from notices.inbox.inbox import count_unread
from notices.models import Inbox, Notice
from notices.records import TOPIC
from play.domain.clocks import now
from play.domain.game_refusals import Reason
from play.domain.wire_types import Frame, Outgoing, encode_frame
from play.runtime.game_service import GameService
from play.runtime.topics import Topic, TopicSource
from play.sockets.topic_handlers import Admission, Scope, TopicHandler
from play.storage.batched_reads import BatchedReads

NO_REV = "0.0"


class NoticesState(Outgoing, frozen=True, tag="notices"):
    """The number in the bell of the page's user."""

    rev: str
    unread: int


@dataclass(frozen=True, slots=True)
class Unread:
    """Number of unread notices of a user, at a rev."""

    rev: str
    count: int


def inbox_revs(users: Sequence[int], at: int) -> dict[int, str]:
    """Return a text for each user that differs after every change of the bell, in one query.

    It holds the moment of the newest notice too: a warning is recorded early and shown when it is
    due, which changes no row.
    """
    newest = Notice.objects.filter(user=OuterRef("user"), due__lte=at).order_by("-due")
    rows = Inbox.objects.filter(user__in=users).annotate(newest=Subquery(newest.values("due")[:1]))
    found = rows.values_list("user", "rev", "newest")
    return {user: f"{rev}.{due or 0}" for user, rev, due in found}


def load_unread(ident: str) -> Unread | None:
    """Return how many notices of the user with this id are unread."""
    return load_all_unread([ident]).get(ident)


def load_all_unread(idents: Collection[str]) -> dict[str, Unread]:
    """Return what `load_unread` returns, for each ident of a user."""
    users, at = {int(ident): ident for ident in idents if ident.isdecimal()}, now()
    revs = inbox_revs([*users], at)  # read first: a later change is then detected
    counts = count_unread(users, at)
    return {
        ident: Unread(revs.get(user, NO_REV), counts.get(user, 0)) for user, ident in users.items()
    }


class NoticesSource(TopicSource[Unread]):
    """Frames of `("notices", user id)`, the same in all languages."""

    pause_s = 0.3  # limits reads while many notices come at once

    def __init__(self, games: GameService) -> None:
        self._games = games
        self._reads: BatchedReads[str, Unread] = BatchedReads(self._load_many)

    async def load(self, ident: str) -> Unread | None:
        """Return how many notices of a user are unread."""
        return await self._reads.get(ident)

    async def _load_many(self, idents: Sequence[str]) -> dict[str, Unread]:
        return await self._games.run_in_db_thread(load_all_unread, idents)

    def page_name(self, topic: Topic) -> str:
        """Return the name of the topic in messages: each page follows its own user's bell."""
        return topic[0]

    def rev(self, unread: Unread) -> str:
        """Return the rev, a text that differs after every change."""
        return unread.rev

    def render(self, unread: Unread, audience: str) -> Frame:
        """Return the frame."""
        return encode_frame(NoticesState(rev=unread.rev, unread=unread.count))

    def revs(self, idents: Sequence[str]) -> dict[str, str]:
        """Return the revs of many users' bells, in one query."""
        users = [int(ident) for ident in idents if ident.isdecimal()]
        revs = inbox_revs(users, now())
        return {str(user): revs.get(user, NO_REV) for user in users}


class NoticesHandler(TopicHandler):
    """The handler of `notices`: the bell of the socket's user."""

    ident = re.compile("")
    has_text_revs = True

    async def admit(self, scope: Scope, ident: str) -> Admission:
        """Return the topic of the user. Raise `Refused` for a visitor, who has no bell."""
        if scope["user"].pk is None:
            raise Refused(Reason.GONE)
        return Admission((TOPIC, str(scope["user"].pk)), language_of(scope))
