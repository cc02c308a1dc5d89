"""Permissions in chat: readable circles, the right to write, and reasons of refusals.

A permission rests on the place (a game or lobby) and on the viewer (facts about a user). It is
shown to pages and enforced by `chat_service`. A refusal has a word for programs and a sentence for
people; the pages' scripts have these sentences in the reader's language under the same words.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec
from django.conf import settings

from accounts.models import User
from accounts.people.blocks import blocked_ids_of
from accounts.refusals import RefusalReason
from chat.models import FOREVER_MS, ChatMember, Circle, Kind, Mute, Report
from lobby.models import Lobby
from play.domain.game_state import publishes_address
from play.models import Game, Seat


class ChatReason(RefusalReason):
    """Why a message or a permission was refused."""

    OFF = "off", "Chat is off on this site."
    NOT_WATCHABLE = "not_watchable", "Only the two players can follow this game."
    STRANGER = "stranger", "Pick a name first."
    SILENCED = "silenced", "You’ve been muted by a moderator."
    GUEST = "guest", "Guests can use quick chat."
    NEW = "new", "New accounts can only use quick chat for the first hour."
    PLAYING = "playing", "Your game has started. The chat continues there."
    CLOSED = "closed", "This lobby is closed."
    EMPTY = "empty", "Your message is empty."
    TOO_LONG = "too_long", "That’s longer than 200 characters."
    TOO_FAST = "too_fast", "Too fast. Wait a few seconds."
    SAME = "same", "You’ve already said that twice."
    NO_PHRASE = "no_phrase", "You can’t send that message here."
    NO_LINE = "no_line", "That message no longer exists."
    NOBODY = "nobody", "No one has that name."
    YOURSELF = "yourself", "That’s you."
    TOO_MANY = "too_many", "That’s too many for now."
    UNAVAILABLE = "unavailable", "You can’t chat here."


# A lobby is open, live while its game runs, or closed; a game is live until it is over.
Stage = Literal["open", "live", "over", "closed"]


@dataclass(frozen=True, slots=True)
class Venue:
    """The state of a game or lobby."""

    kind: Kind
    ident: str
    stage: Stage
    is_watched: bool  # whether spectators are allowed
    roles: Mapping[int, str]  # user id to role; everybody else is a watcher
    pair: frozenset[int] = (
        frozenset()
    )  # the two players, if they met by a link; see `permission_of`
    is_listed: bool = True  # a lobby that everybody can find
    lobby_rev: int = 0

    @property
    def stage_word(self) -> str:
        """The part of a chat's rev that changes with the permissions to write here."""
        is_lobby_of_pair = self.kind == "lobby" and bool(self.pair)
        return f"{self.stage}{self.lobby_rev}" if is_lobby_of_pair else self.stage

    def role_of(self, user: int | None) -> str:
        """Returns the role of a user here."""
        return self.roles.get(user, "watcher") if user is not None else "watcher"

    def circle_of(self, user: int | None) -> Circle | None:
        """Returns the circle of a user; None if the user may not follow this place."""
        if self.kind == "lobby":
            return "lobby"
        if user in self.roles:
            return "players"
        return "watchers" if self.is_watched else None

    def circles_for(self, circle: Circle) -> tuple[Circle, ...]:
        """Returns the circles whose lines a member of `circle` may read now.

        While a game runs, only their own; when it is over, those of players and spectators unless
        spectators were not allowed.
        """
        if self.stage == "over" and self.is_watched:
            return ("players", "watchers")
        return (circle,)


def find_venue(kind: str, ident: str) -> Venue | None:
    """Returns the place from the database, or None."""
    return find_peopled_venues(kind, [ident]).get(ident)


def find_peopled_venues(kind: str, idents: Collection[str]) -> dict[str, Venue]:
    """Returns many places by ident, with the people in them."""
    if kind == "game":
        return _peopled_games(idents)
    return _peopled_lobbies(idents) if kind == "lobby" else {}


def find_venues(kind: Kind, idents: Iterable[str]) -> dict[str, Venue]:
    """Returns many places at once, by ident, without the people in them."""
    if kind == "game":
        games = Game.objects.filter(slug__in=idents).only(
            "slug", "ended", "watch", "is_public", "is_rated", "has_bot"
        )
        return {game.slug: _game_as(game, {}) for game in games}
    lobbies = Lobby.objects.select_related("game", "one", "two").filter(code__in=idents)
    return {lobby.code: _lobby_as(lobby, {}) for lobby in lobbies}


def _peopled_games(slugs: Collection[str]) -> dict[str, Venue]:
    games = list(Game.objects.filter(slug__in=slugs).defer("position", "times", "offers"))
    roles: dict[int, dict[int, str]] = defaultdict(dict)
    seats = Seat.objects.filter(game__in=[game.pk for game in games])
    for game_id, user, role in seats.values_list("game", "user", "role"):
        roles[game_id][user] = role
    linked = _met_by_link(games)
    return {
        game.slug: _game_as(
            game,
            roles[game.pk],
            frozenset(roles[game.pk]) if game.pk in linked else frozenset(),
        )
        for game in games
    }


def _game_as(game: Game, roles: Mapping[int, str], pair: frozenset[int] = frozenset()) -> Venue:
    stage: Stage = "live" if game.ended is None else "over"
    # Once anybody can find the address of an unlisted game, its chat is left to the players.
    is_known = publishes_address(game.is_public, game.is_rated, game.has_bot)
    is_watched = game.watch and not (stage == "over" and is_known)
    return Venue("game", game.slug, stage, is_watched, roles, pair)


def _met_by_link(games: Iterable[Game]) -> set[int]:
    """Returns the keys of the games whose players came together by the link of a lobby.

    The seats of the lobby may have other people by now; how it could be found still counts.
    """
    private = [game for game in games if game.lobby and not (game.is_public or game.has_bot)]
    if not private:
        return set()
    codes = {game.lobby for game in private}
    links = Lobby.objects.filter(code__in=codes, was_public=False, is_quick=False)
    found = set(links.values_list("code", flat=True))
    return {game.pk for game in private if game.lobby in found}


def _peopled_lobbies(codes: Collection[str]) -> dict[str, Venue]:
    found = {}
    for lobby in Lobby.objects.select_related("game", "one", "two").filter(code__in=codes):
        roles = dict.fromkeys(filter(None, (lobby.one_id, lobby.two_id)), "seated")
        found[lobby.code] = _lobby_as(lobby, {**roles, lobby.host_id: "host"})
    return found


def _lobby_as(lobby: Lobby, roles: Mapping[int, str]) -> Venue:
    is_played = lobby.game is not None and lobby.game.ended is None
    stage: Stage = "live" if is_played else "open"
    if lobby.status == Lobby.Status.CLOSED:
        stage = "closed"
    pair = frozenset(filter(None, (lobby.one_id, lobby.two_id))) if lobby.met_by_link else ()
    return Venue(
        "lobby", lobby.code, stage, True, roles, frozenset(pair), lobby.is_public, lobby.rev
    )


NEW_ACCOUNT_MS = 60 * 60 * 1000  # a new account has a guest's permissions
MAX_SHOWN_REPORTS = 10  # newest first


class ReportState(msgspec.Struct, frozen=True):
    """A report made by the viewer."""

    kind: Kind
    ident: str
    line: int
    state: str


class Viewer(msgspec.Struct, frozen=True):
    """A viewer of chat. As JSON it is the audience of a chat."""

    user: int | None = None  # None: a stranger
    rev: int = 0
    is_guest: bool = False
    text_from: int = 0  # epoch ms, when free text is allowed
    silent_until: int = 0  # ms
    muted: dict[int, str] = {}  # user id to name
    blocked: tuple[int, ...] = ()  # ids of users that the viewer blocks or is blocked by
    reports: tuple[ReportState, ...] = ()


STRANGER = Viewer()


def load_viewer(user: int | None) -> Viewer | None:
    """Returns the viewer from the database; None for a deleted or suspended user."""
    return STRANGER if user is None else load_viewers([user]).get(user)


def load_viewers(users: Collection[int]) -> dict[int, Viewer]:
    """Returns many viewers by user, without those who are deleted or suspended."""
    rows = User.objects.select_related("chat_member").filter(pk__in=users, is_active=True)
    found = list(rows)
    muted: dict[int, dict[int, str]] = defaultdict(dict)
    mutes = Mute.objects.filter(viewer__in=users)
    for viewer, other, name in mutes.values_list("viewer", "muted", "muted__username"):
        muted[viewer][other] = name
    blocked, reports = blocked_ids_of(users), _report_states(users)
    return {
        row.pk: _viewer(row, muted[row.pk], sorted(blocked.get(row.pk, ())), reports[row.pk])
        for row in found
    }


def _viewer(
    row: User, muted: dict[int, str], blocked: Iterable[int], reports: Iterable[ReportState]
) -> Viewer:
    member = getattr(row, "chat_member", None) or ChatMember()
    return Viewer(
        user=row.pk,
        rev=member.rev,
        is_guest=row.is_guest,
        text_from=int(row.date_joined.timestamp() * 1000) + NEW_ACCOUNT_MS,
        silent_until=member.silent_until,
        muted=muted,
        blocked=tuple(blocked),
        reports=tuple(reports),
    )


def revs(users: Sequence[int]) -> dict[int, int]:
    """Returns the revs of many viewers, without those who have none yet."""
    return dict(ChatMember.objects.filter(pk__in=users).values_list("pk", "rev"))


def _report_states(users: Collection[int]) -> Mapping[int, list[ReportState]]:
    """Returns the newest reports of each user."""
    found: dict[int, list[ReportState]] = defaultdict(list)
    rows = Report.objects.filter(reporter__in=users).order_by("-pk")
    for user, *row in rows.values_list("reporter", "kind", "ident", "shown_line_id", "state"):
        if len(found[user]) < MAX_SHOWN_REPORTS:
            found[user].append(ReportState(*row))  # type: ignore[arg-type]
    return found


@dataclass(frozen=True, slots=True)
class Permission:
    """A viewer's permission to write, with the reason and end of any restriction."""

    write: Literal["text", "phrases", "no"]
    why: ChatReason | None = None
    until: int | None = None  # epoch ms, when the restriction ends


def is_chat_on() -> bool:
    """Returns whether chat is enabled on this site."""
    return bool(settings.CHAT)


def permission_of(place: Venue, viewer: Viewer, at: int) -> Permission:
    """Returns the viewer's permission to write in a place at `at` (epoch ms).

    A lobby's chat is closed while its game runs: spectators could give players advice there. Two
    people who met by a link may write freely to each other, also guests. Where one of two blocks
    the other, neither writes in a room of their own.
    """
    if viewer.user is None:
        return Permission("no", ChatReason.STRANGER)
    if place.stage == "closed":
        return Permission("no", ChatReason.CLOSED)
    if place.kind == "lobby" and place.stage == "live":
        return Permission("no", ChatReason.PLAYING)
    if at < viewer.silent_until:
        ends = viewer.silent_until
        return Permission("no", ChatReason.SILENCED, None if ends == FOREVER_MS else ends)
    if _is_shut_by_block(place, viewer):
        return Permission("no", ChatReason.UNAVAILABLE)
    if viewer.user in place.pair:
        return Permission("text")
    if viewer.is_guest:
        return Permission("phrases", ChatReason.GUEST)
    if at < viewer.text_from:
        return Permission("phrases", ChatReason.NEW, viewer.text_from)
    return Permission("text")


def _is_shut_by_block(place: Venue, viewer: Viewer) -> bool:
    """Returns whether a block forbids the viewer to write in private here.

    Private are the players' chat of a game, and a lobby that is not listed.
    """
    is_private = viewer.user in place.roles if place.kind == "game" else not place.is_listed
    return is_private and not place.roles.keys().isdisjoint(viewer.blocked)
