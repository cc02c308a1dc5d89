"""Hub topic of a lobby's state and of the people present.

Frames contain sentences, so each language gets its own, and the language of a viewer is part of a
topic's audience. A page states the language that it was rendered in as `?lang=tr` in its socket's
address.

In its messages, sentences are in the reader's language; times are milliseconds since the epoch.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal
from urllib.parse import parse_qs

from django.conf import settings
from django.utils.translation import override
from msgspec import UNSET, Meta, UnsetType

from games.catalogue import RULES
from lobby.lobbies.lobby_view import lobby_frame
from lobby.lobbies.transactions import people_of, settle
from lobby.models import Lobby
from play.domain.clocks import now
from play.domain.wire_types import Frame, Outgoing, Shown, encode_frame
from play.runtime.game_service import GameService
from play.runtime.topics import TopicSource
from play.runtime.viewer_names import Viewer

Style = Literal["", "plain", "primary", "blocked"]
Notice = Annotated[Mapping[str, Any], Meta(description="title, lines and milliseconds to show it")]


class ShownChoice(Shown, frozen=True):
    """A form value and its text for people."""

    value: str
    say: str


class ShownOption(Shown, frozen=True):
    """An option of a lobby and the values on offer."""

    label: str
    value: str
    say: str
    offers: Sequence[ShownChoice]


class ShownLevels(Shown, frozen=True):
    """The computer levels that the host may put on a seat."""

    label: str
    level: str
    levels: Sequence[ShownChoice]


class ShownButton(Shown, frozen=True):
    """A button."""

    label: str | None
    style: Style | UnsetType = UNSET
    say: str | UnsetType = UNSET


class ShownSeat(Shown, frozen=True):
    """A seat of a lobby."""

    number: int
    figure: str
    line: str
    sit: ShownButton | None
    free: bool  # whether the viewer may free it
    computer: ShownLevels | None
    name: str
    rating: str  # in the pool of the game; empty without one
    shown: str
    ready: str | None
    is_ready: bool


class ShownMember(Shown, frozen=True):
    """A host or seated person of a lobby."""

    name: str
    line: str


class ShownInvitation(Shown, frozen=True):
    """The free seat that a viewer is invited to take."""

    seat: int
    host: str
    rating: str  # of the host, as a sentence; empty without one


class ShownFull(Shown, frozen=True):
    """A game that two others play."""

    watch: str | None  # its address, if the viewer may watch it


class LobbyState(Outgoing, frozen=True, tag="lobby"):
    """The whole state of a lobby, with texts and buttons for one viewer."""

    rev: int
    code: str
    key: str
    status: str
    say: str
    waiting_time: str
    heading: str
    invitation: ShownInvitation | None
    full: ShownFull | None
    notice: Notice | None
    options: Mapping[str, ShownOption]
    seen: str
    seats: Sequence[ShownSeat]
    start: ShownButton | None
    may: Mapping[str, bool]
    swap: ShownButton | None
    invite: str
    invites: str | None  # the text to share with the link while the viewer waits for an opponent
    people: Sequence[ShownMember]
    game: str | None
    last: Mapping[str, str] | None
    again: Mapping[str, Any] | None
    shows_seats: bool
    shows_options: bool
    has_counting: bool  # the chosen game may end by a count of own squares
    shows_people: bool
    is_open: bool
    is_done: bool


class LobbyPeople(Outgoing, frozen=True, tag="people"):
    """The users who have the page of a lobby open."""

    here: Sequence[str]  # names
    strangers: int


def language_of(scope: dict[str, Any]) -> str:
    """Returns the language that a socket's page asks for; the site's default if unsupported."""
    query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    asked = query.get("lang", [""])[-1]
    return asked if asked in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def audience(user: int | None, language: str) -> str:
    """Returns the audience of a user (None: a stranger) and a language."""
    return f"{user or ''}|{language}"


def split_audience(audience: str) -> tuple[int | None, str]:
    """Returns the user and the language of an audience."""
    user, _, language = audience.partition("|")
    return int(user) if user else None, language


def load_lobby(code: str) -> Lobby | None:
    """Returns the lobby with its people and their ratings from the database.

    None if it is not offered. A lobby whose game is over is reopened first, in case that has not
    been done.
    """
    lobby = Lobby.objects.with_games().filter(code=code).first()
    if lobby is None or lobby.rules not in RULES:
        return None
    if lobby.is_over:
        settle(lobby)
        lobby = Lobby.objects.with_games().get(code=code)
    return lobby.load_ratings(now())


class LobbySource(TopicSource[Lobby]):
    """Frames of `("lobby", code)`; an audience is a user (none: a stranger) and a language."""

    shows_people = True
    follows_departures = True

    def __init__(self, games: GameService) -> None:
        self._games = games

    async def load(self, code: str) -> Lobby | None:
        """Returns the lobby with its people from the database; None if it is not offered."""
        return await self._games.run_in_db_thread(load_lobby, code)

    def rev(self, lobby: Lobby) -> int:
        """Returns the lobby's rev, which grows with every change."""
        return lobby.rev

    def render(self, lobby: Lobby, audience: str) -> Frame:
        """Returns the frame for one user in one language."""
        user, language = split_audience(audience)
        with override(language):
            return encode_frame(LobbyState.of(lobby_frame(lobby, user)))

    def revs(self, codes: Sequence[str]) -> dict[str, int]:
        """Returns the revs in the database for many lobbies at once."""
        return dict(Lobby.objects.filter(code__in=codes).values_list("code", "rev"))

    def crowd(
        self, lobby: Lobby, audiences: Counter[str], viewers: Sequence[Viewer]
    ) -> LobbyPeople:
        """Returns the names of users who have the page open, and the number of the others."""
        here: Counter[int | None] = Counter()
        for each, sockets in audiences.items():
            if "|" in each:  # else it is the key of a viewer
                here[split_audience(each)[0]] += sockets
        unnamed = here.keys() - {viewer.user for viewer in viewers} - {None}
        return LobbyPeople([each.name for each in viewers], here[None] + len(unnamed))

    def concerns(self, lobby: Lobby, user: int) -> bool:
        """Returns whether the lobby shows the name of a user."""
        return user in people_of(lobby)
