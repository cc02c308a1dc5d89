"""Checks before a change of a lobby: each raises `Refused` with the reason."""

from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from accounts.people.blocks import is_blocked
from accounts.refusals import Refused
from games.players.levels import UnknownLevel, is_available
from lobby.lobbies.transactions import (
    COLUMNS,
    people_of,
)
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby, Place
from lobby.offers.acceptance import check_not_accepted
from play.domain.clocks import now
from play.game_texts import name_of
from play.time_controls import clock_label
from ratings.fair_play.fair_play_texts import pause_text
from ratings.fair_play.rated_log import paused_until


def check_room(lobby: Lobby, number: int | None = None, seen: str = "") -> None:
    """Raises Refused unless somebody can join a lobby as it was read."""
    check_not_accepted(lobby)
    check_open(lobby)
    if lobby.free is None:
        raise Refused(LobbyReason.FULL)
    if number is not None and seat_numbered(lobby, number).user:
        raise Refused(LobbyReason.TAKEN)
    check_rev(lobby, seen)


def check_level(key: str, level: int) -> None:
    """Raises Refused unless this machine plays the game at that level."""
    try:
        if is_available(key, level):
            return
    except UnknownLevel:
        pass
    raise Refused(LobbyReason.NO_LEVEL)


def check_levels(lobby: Lobby, key: str) -> None:
    """Raises Refused unless this machine plays a game at the levels seated in a lobby."""
    for place in lobby.places:
        if place.user and place.user.is_bot:
            check_level(key, place.user.level or 0)


def check_open(lobby: Lobby) -> None:
    """Raises Refused unless seats can be taken and options changed."""
    if lobby.status == Lobby.Status.PLAYING:
        raise Refused(LobbyReason.STARTED)
    if lobby.status == Lobby.Status.CLOSED:
        raise Refused(LobbyReason.CLOSED)


def check_is_host(lobby: Lobby, user: User) -> None:
    """Raises Refused unless the user is the host."""
    if lobby.host_id != user.pk:
        raise Refused(LobbyReason.NOT_HOST)


def check_not_barred(lobby: Lobby, user: User) -> None:
    """Raises Refused if the host has freed this user's seat a moment ago."""
    if lobby.barred_until(user.pk) > now():
        raise Refused(LobbyReason.BARRED)


def check_not_own(lobby: Lobby, user: User) -> None:
    """Raises Refused if a seated host joins their own lobby while it waits for somebody else."""
    if lobby.status == Lobby.Status.OPEN and lobby.free and lobby.host_id == user.pk:
        raise Refused(LobbyReason.OWN)


def check_not_blocked(lobby: Lobby, user: User) -> None:
    """Raises Refused if the host or another seated user blocks this user, or is blocked by them.

    The refusal is the one of a closed lobby, and of one whose host is suspended: a block is silent.
    """
    if not lobby.host.is_active:
        raise Refused(LobbyReason.CLOSED)
    if any(is_blocked(user.pk, other) for other in people_of(lobby) - {user.pk}):
        raise Refused(LobbyReason.CLOSED)


def check_not_reserved(lobby: Lobby, user_id: int | None) -> None:
    """Raises Refused if the lobby is a challenge to somebody else."""
    if lobby.is_reserved_from(user_id):
        raise Refused(LobbyReason.RESERVED)


def check_may_play(options: Options, user: Any) -> None:
    """Raises Refused if a game is rated and a user has no account, or rated play is paused.

    `user` is None or Django's anonymous user for a stranger.
    """
    if not options.rated:
        return
    if not getattr(user, "is_account", False):
        raise Refused(LobbyReason.NO_ACCOUNT)
    if until := paused_until(user.pk, now()):
        raise Refused(LobbyReason.PAUSED, pause_text(until))


def check_may_be_rated(options: Options, lobby: Lobby) -> None:
    """Raises Refused if the options are rated and the computer or a guest is seated."""
    people = [place.user for place in lobby.places if place.user]
    if options.rated and any(user.is_bot for user in people):
        raise Refused(LobbyReason.CASUAL_LEVEL)
    if options.rated and not all(user.is_account for user in people):
        raise Refused(LobbyReason.UNRATABLE)


def check_rev(lobby: Lobby, seen: str) -> None:
    """Raises Refused if the options differ from those that the user was shown."""
    if seen and seen != lobby.options.digest:
        words = {"game": name_of(lobby.rules), "clock": clock_label(lobby.rules, lobby.clock)}
        say = _("The host has just changed the game: it is now %(game)s, %(clock)s.") % words
        raise Refused(LobbyReason.CHANGED, say)


def seat_of(lobby: Lobby, user: User) -> Place:
    """Returns the seat of a user. Raises Refused if there is none."""
    place = lobby.place_of(user.pk)
    if place is None:
        raise Refused(LobbyReason.NOT_SEATED)
    return place


def seat_numbered(lobby: Lobby, number: int) -> Place:
    """Returns the seat with this number. Raises Refused if there is none."""
    if number not in COLUMNS:
        raise Refused(LobbyReason.MALFORMED)
    return lobby.places[number - 1]
