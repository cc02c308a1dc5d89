"""Computer players in lobbies: the levels on offer, their seats, games against them.

A computer player takes a seat through the same transaction as a person and is always ready.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import User
from accounts.people.computer_users import NAMES, computer
from accounts.refusals import Refused
from games.core import OTHER, Role
from games.players.levels import LEVEL_COUNT, is_available, levels_of
from games.rating.pools import Pool
from lobby.lobbies.lobby_checks import check_is_host, check_level, check_open, seat_numbered
from lobby.lobbies.lobby_service import SAME_CLICK_MS, open_lobby
from lobby.lobbies.transactions import Columns, change, seat_columns
from lobby.lobby_options import Options, Side
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby, Place
from play.domain.clocks import Clock, now
from play.models import Game
from play.runtime.game_commands import open_game, play_given_turns
from play.time_controls import NO_CLOCK, PRESETS, RUNNING
from ratings.placing.closing import judge_ended_games
from ratings.placing.models import PlacementGame
from ratings.placing.search_state import begin_or_go_on, next_game, pending_game

NUMBERS = {str(number): number for number in range(1, LEVEL_COUNT + 1)}  # levels by form value
FIRST_LEVEL = "3"  # preselected
MAX_RUNNING_GAMES = 10  # running games against the computer, per user


def level_field(
    lobby: Lobby, place: Place, mine: Place | None, viewer_id: int | None
) -> dict[str, Any] | None:
    """Returns the levels that a seated host may put on the other seat, or None.

    None unless the viewer is the seated host and no person sits on `place`, nor is challenged to.
    `level` is the form value of the chosen level.
    """
    is_host = lobby.status == Lobby.Status.OPEN and lobby.host.pk == viewer_id
    if lobby.invited_id is not None or lobby.is_rated:
        return None
    if not is_host or mine is None or mine == place or (place.user and not place.user.is_bot):
        return None
    numbers = [each.number for each in levels_of(lobby.rules)]
    offers = [
        {"value": str(number), "say": f"{number} · {NAMES[number - 1]}"}
        for number in numbers
        if is_available(lobby.rules, number)
    ]
    if place.user:
        return {
            "label": pgettext("a level", "Change"),
            "level": str(place.user.level),
            "levels": offers,
        }
    return {"label": _("Add computer"), "level": FIRST_LEVEL, "levels": offers}


def seat_computer(code: str, user: User, number: int, level: int) -> Lobby:
    """Seats the computer player of a level for the host; starts the game if the host is ready.

    A computer player that already sits there is replaced; asking for the same one again changes
    nothing. Raises Refused (not the host, a person sits there, no such level, nobody on the other
    seat) and Lobby.DoesNotExist.
    """

    def decide(lobby: Lobby) -> Columns:
        check_is_host(lobby, user)
        check_level(lobby.rules, level)
        place = seat_numbered(lobby, number)
        if place.user and place.user.level == level and lobby.status != Lobby.Status.CLOSED:
            return {}
        check_open(lobby)
        if place.user and not place.user.is_bot:
            raise Refused(LobbyReason.TAKEN)
        if lobby.place_of(user.pk) is None:
            raise Refused(LobbyReason.NO_PERSON)
        if lobby.is_rated:
            raise Refused(LobbyReason.CASUAL_LEVEL)
        check_running_games(user)
        return {**seat_columns(place, computer(level), True), "swap_by": None}

    return change(code, decide)


def play_computer(user: User, options: Options, level: int) -> Game:
    """Starts a game of a user against the computer, in a lobby of its own.

    `options.side` is the user's. The same request repeated within ten seconds returns the first
    game while it runs. Raises Refused (rated, no such level, too many lobbies or
    running games).
    """
    if options.rated:
        raise Refused(LobbyReason.CASUAL_LEVEL)
    check_level(options.rules, level)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        since = now() - SAME_CLICK_MS
        made = Lobby.objects.hosted_by(user).filter(created__gt=since, two=computer(level))
        made = made.filter(game__isnull=False, game__ended=None, previous=None)
        made = made.exclude(game__in=PlacementGame.objects.values("game"))
        if first := made.chosen(options).first():
            return first.game  # type: ignore[return-value]
        check_running_games(user)
        return _begin(user, options, level)


def play_on(user: User, key: str, level: int, role: Role, turns: Sequence[Sequence[str]]) -> Game:
    """Starts a game against the computer from the position after some given turns.

    `role` is the user's. The game has no lobby, clock or rating, is unlisted, and counts nowhere.
    Raises Refused (no such level, too many running games, an illegal turn) and GameIsOver.
    """
    check_level(key, level)
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        check_running_games(user)
        seats = {role: user, OTHER[role]: computer(level)}
        game = open_game(key, NO_CLOCK, seats, public=False, given=len(turns))
        play_given_turns(game, turns)
    return game


def play_placement_game(user: User, pool: Pool) -> Game:
    """Starts the game that a newcomer's placement in a pool asks for, against a level.

    The game is marked as one of the placement in the transaction that creates it. While one runs,
    that one is returned: two tabs start one game. Raises Refused (no placement is offered, it is at
    its end, the last game cannot be read yet, the level is unavailable, too many running games).
    """
    judge_ended_games({user.pk})  # the next level depends on the last game
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        placement = begin_or_go_on(user, pool)
        if placement is None:
            raise Refused(LobbyReason.NO_PLACEMENT)
        if (pending := pending_game(placement)) is not None:
            if pending.ended is None:
                return pending
            raise Refused(LobbyReason.BEING_COUNTED)
        following = next_game(placement)
        if following is None:
            raise Refused(LobbyReason.NO_PLACEMENT)
        check_level(pool.rules, following.level)
        check_running_games(user)
        side: Side = "white" if following.role == "white" else "black"
        options = Options(pool.rules, placement_clock(pool.rules), side, public=True)
        game = _begin(user, options, following.level)
        PlacementGame.objects.create(
            placement=placement, game=game, level=following.level, role=following.role
        )
    return game


def placement_clock(rules: str) -> Clock:
    """Returns the clock of placement games: the middle one of the live clocks on offer."""
    clocks = [clock for clock in PRESETS[rules] if clock.kind in RUNNING]
    return clocks[len(clocks) // 2]


def _begin(user: User, options: Options, level: int) -> Game:
    """Starts a game against a level in a new lobby; call it in a transaction."""
    lobby = open_lobby(user, options)
    place = lobby.places[1]
    after = change(lobby.code, lambda here: seat_columns(place, computer(level), True))
    return after.game  # type: ignore[return-value]


def check_running_games(user: User) -> None:
    """Raises Refused if a user has too many games against the computer running.

    Each turn of such a game takes computing time that all users share.
    """
    if Game.objects.played_by(user).filter(has_bot=True).count() >= MAX_RUNNING_GAMES:
        raise Refused(LobbyReason.TOO_MANY_GAMES)
