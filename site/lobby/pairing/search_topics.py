"""The topics `search` (a user's own search) and `searches` (numbers of searching users).

Pages that follow `search` keep it alive, and answer when it is paired. Times are milliseconds since
the epoch; sentences are in the reader's language.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from django.utils.translation import override

from accounts.refusals import Refused
from lobby.lobbies.lobby_topics import language_of
from lobby.pairing import search_service
from lobby.pairing.models import Search
from lobby.pairing.search_presence import presence_of
from lobby.pairing.search_service import STALE_MS
from lobby.pairing.search_view import search_frame
from play.domain.clocks import now
from play.domain.game_refusals import Reason
from play.domain.wire_types import Frame, Id, Message, Outgoing, encode_frame
from play.runtime.game_service import GameService
from play.runtime.topics import Topic, TopicSource
from play.sockets.messages import message_decoder
from play.sockets.topic_handlers import Admission, Scope, Subscription, TopicHandler


class Present(Message, frozen=True, tag="present"):
    """The page shows the search: one that ended because no page followed it goes on.

    `busy`: the page is that of a game, so its user is asked before another game begins.
    """

    busy: bool = False


class Answer(Message, frozen=True, tag="answer"):
    """Answers the question whether the user plays now; `tab` names the page."""

    pairing: int
    yes: bool
    tab: Id


class Stop(Message, frozen=True, tag="stop"):
    """Stops the search."""


SearchMessage = Present | Answer | Stop


class SearchState(Outgoing, frozen=True, tag="search"):
    """The search of the page's user."""

    rev: str
    state: Literal["none", "looking", "asked", "paired", "ended"]
    now: int
    since: int  # when it began
    choices: Sequence[str]  # games with their clocks, as texts
    terms: str  # whether they are rated
    only_rated: bool  # they are, and the search could take casual ones too
    pairing: int  # names the question; the time until which it is asked
    asks: bool  # a person answers; else the page does so at once
    offer: str  # the question
    tab: str  # the page that answered first
    answered: bool
    game: str | None  # address
    say: str  # how it ended
    left: bool  # it ended because no page followed it, and can be taken up again


class SearchesState(Outgoing, frozen=True, tag="searches"):
    """Number of people who search."""

    rev: str
    total: int
    games: Mapping[str, int]  # by rule set; a search for several counts in each


def load_search(ident: str) -> Search | None:
    """Return the newest search of the user with this id; an unstarted one if there is none."""
    if not ident.isdecimal():
        return None
    rows = Search.objects.select_related("partner", "game")
    return rows.filter(user=int(ident)).first() or Search(pk=0, user_id=int(ident), state="none")


class SearchSource(TopicSource[Search]):
    """Frames of `("search", user id)`; an audience is a language."""

    follows_departures = True

    def __init__(self, games: GameService) -> None:
        self._games = games

    async def load(self, ident: str) -> Search | None:
        """Return the newest search of a user."""
        return await self._games.run_in_db_thread(load_search, ident)

    def page_name(self, topic: Topic) -> str:
        """Return the name of the topic in messages: each page follows its own user's search."""
        return topic[0]

    def rev(self, search: Search) -> str:
        """Return the rev, a text that differs after every change."""
        return f"{search.pk}.{search.rev}"

    def render(self, search: Search, audience: str) -> Frame:
        """Return the frame in a language."""
        with override(audience):
            return encode_frame(SearchState.of({"rev": self.rev(search), **search_frame(search)}))

    def revs(self, idents: Sequence[str]) -> dict[str, str]:
        """Return the revs of many users' searches, in one query."""
        users = [int(ident) for ident in idents if ident.isdecimal()]
        rows = Search.objects.filter(user__in=users).values_list("user", "pk", "rev")
        found = {str(user): f"{pk}.{rev}" for user, pk, rev in rows}
        return {str(user): found.get(str(user), "0.0") for user in users}

    def concerns(self, search: Search, user: int) -> bool:
        """Return whether the search shows the name of a user."""
        return search.partner_id == user


class SearchHandler(TopicHandler):
    """The handler of `search`: the search of the socket's user, which lives with it."""

    ident = re.compile("")
    has_text_revs = True

    async def admit(self, scope: Scope, ident: str) -> Admission:
        """Return the topic of the user. Raise `Refused` for a visitor, who has no search."""
        if scope["user"].pk is None:
            raise Refused(Reason.GONE)
        return Admission(("search", str(scope["user"].pk)), language_of(scope))

    async def came(self, subscription: Subscription) -> None:
        """Write that a page follows the search, and pair."""
        runtime = subscription.runtime
        await presence_of(runtime).came(runtime, subscription.scope["user"].pk)

    def parse(self, text: str) -> SearchMessage:
        """Return a message about the search. Raise `Refused`."""
        return parse_search_message(text)

    async def handle(self, subscription: Subscription, message: Any, received_at: int) -> None:
        """Take the search up again, answer its question or stop it. Raise `Refused`."""
        user = subscription.scope["user"].pk
        if user is None:
            raise Refused(Reason.SIGNED_OUT)
        run = subscription.runtime.games.run_in_db_thread
        if isinstance(message, Present):
            await run(search_service.return_to, user, message.busy)
            presence_of(subscription.runtime).wake()
            return
        if isinstance(message, Stop):
            await run(search_service.stop, user)
        else:
            await run(search_service.answer, user, message.pairing, message.yes, message.tab)


parse_search_message: Callable[[str], SearchMessage] = message_decoder(SearchMessage)


def count_searches() -> SearchesState:
    """Return how many people search, with one query."""
    rows = Search.objects.listed().filter(seen__gt=now() - STALE_MS)
    choices = list(rows.values_list("choices", flat=True))
    games = Counter(key for chosen in choices for key in {key for key, _ in chosen})
    counts = dict(sorted(games.items()))
    rev = ".".join(map(str, (len(choices), *counts, *counts.values())))
    return SearchesState(rev=rev, total=len(choices), games=counts)


class SearchesSource(TopicSource[SearchesState]):
    """Frames of `("searches", "")`, the same for everybody."""

    pause_s = 0.5  # limits reads while many begin at once

    def __init__(self, games: GameService) -> None:
        self._games = games

    async def load(self, ident: str) -> SearchesState:
        """Return how many people search."""
        return await self._games.run_in_db_thread(count_searches)

    def rev(self, value: SearchesState) -> str:
        """Return the counts as a text."""
        return value.rev

    def render(self, value: SearchesState, audience: str) -> Frame:
        """Return the frame."""
        return encode_frame(value)

    def revs(self, idents: Sequence[str]) -> dict[str, str]:
        """Return the counts as a text, for each ident."""
        return dict.fromkeys(idents, count_searches().rev)


class SearchesHandler(TopicHandler):
    """The handler of `searches`; anybody may follow it."""

    ident = re.compile("")
    has_text_revs = True

    async def admit(self, scope: Scope, ident: str) -> Admission:
        """Return the one topic and its one audience."""
        return Admission(("searches", ""), "")
