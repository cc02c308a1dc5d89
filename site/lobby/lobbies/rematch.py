"""Rematches: reopen a lobby after its game, and describe the rematch for its page."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, cast

from django.utils.translation import gettext as _

from accounts.models import User
from accounts.refusals import Refused
from games.catalogue import RULES
from games.core import Role
from games.counting import may_be_counted
from lobby.lobbies.lobby_checks import (
    check_levels,
    check_may_play,
    check_not_barred,
    check_not_blocked,
    check_open,
)
from lobby.lobbies.transactions import Columns, change, seat_columns, settle
from lobby.lobby_refusals import LobbyReason
from lobby.models import OTHER, Lobby, Place
from lobby.pairing.play_now import may_search_again
from play.domain.game_state import GameState
from play.game_texts import result_text
from play.models import Game
from play.runtime.game_service import GameService
from telemetry.outage_log import note_outage
from telemetry.redaction import shorten_key

log = logging.getLogger("quiver.lobby")
tasks: set[asyncio.Task[None]] = set()  # the event loop keeps only weak references


def rematch(code: str, user: User) -> Lobby:
    """Seats a user of the last game where they sat and makes them ready to play again.

    With the other ready too, the game starts; asking again after that changes nothing. Raises
    Refused (user did not play, lobby closed, changed or full) and Lobby.DoesNotExist.
    """

    def decide(lobby: Lobby) -> Columns:
        if lobby.status == Lobby.Status.PLAYING and lobby.place_of(user.pk):
            return {}
        check_open(lobby)
        role = role_in(lobby.game, user)
        if lobby.game is None or role is None:
            raise Refused(LobbyReason.NOT_SEATED)
        if not is_same(lobby, lobby.game):
            raise Refused(LobbyReason.CHANGED)
        check_levels(lobby, lobby.rules)
        check_not_blocked(lobby, user)
        check_may_play(lobby.options, user)
        if place := lobby.place_of(user.pk):
            return {} if place.is_ready else seat_columns(place, user, True)
        check_not_barred(lobby, user)
        return seat_columns(_seat_after(lobby, role), user, True)

    return change(code, decide)


def role_in(game: Game | None, user: User) -> Role | None:
    """Returns the role that a user had in a game, or None."""
    if game is None:
        return None
    roles = (cast(Role, seat.role) for seat in game.seats.all() if seat.user_id == user.pk)
    return next(roles, None)


def is_same(lobby: Lobby, game: Game) -> bool:
    """Returns whether the lobby still offers the options of that game."""
    now = (lobby.rules, lobby.clock, lobby.is_public, lobby.watch, lobby.is_rated)
    then = (game.rules, game.clock, game.is_public, game.watch, game.is_rated)
    has_choice = may_be_counted(RULES[lobby.rules])
    return now == then and (not has_choice or lobby.is_counted == game.is_counted)


def _seat_after(lobby: Lobby, role: Role) -> Place:
    """Returns a free seat for a player of the last game, with the other side if possible."""
    free = [place for place in lobby.places if place.user is None]
    if not free:
        raise Refused(LobbyReason.FULL)
    return next((place for place in free if place.role == OTHER[role]), free[0])


def reopen_after_game(games: GameService, game: GameState) -> None:
    """Reopens the lobby of a finished game in a background task; called in the event loop."""
    if game.lobby:
        task = asyncio.ensure_future(_reopen(games, game.lobby))
        tasks.add(task)
        task.add_done_callback(tasks.discard)


async def _reopen(games: GameService, code: str) -> None:
    try:
        await games.run_in_db_thread(reopen, code)
    except Exception as error:
        if not note_outage(error):
            log.exception(
                "lobby %s was not reopened; its next read will do it",
                shorten_key(code),
                extra={"event": "lobby_reopen_failed"},
            )


def reopen(code: str) -> None:
    """Reopens a lobby if its game is over."""
    lobby = Lobby.objects.with_people().filter(code=code).first()
    if lobby is not None:
        settle(lobby)


def rematch_state(lobby: Lobby, viewer_id: int | None) -> dict[str, Any] | None:
    """Returns the rematch of the newest game that ended here for a user, or None.

    `game` is that game's address. `mine` and `theirs` say whether the user and the opponent have
    asked for it (a computer player never asks: it is always ready); `next` is the address of the
    new game once it has started. `search`: the opponent made no first move, and the user's page may
    search for another one. `changed`: the lobby offers another game by now. `swaps`: those who sit
    have the other side than in that game. `sit`: the user played and has left the seat since.
    `follow`: the same two play again, and the user, who did not play, may watch them.
    """
    is_open = lobby.status == Lobby.Status.OPEN
    over = lobby.game if is_open else lobby.previous
    if over is None or lobby.status == Lobby.Status.CLOSED:
        return None
    played = {seat.user_id: seat.user.username for seat in over.seats.all()}
    if len(played) != 2 or not _may_see(lobby, over, viewer_id):
        return None
    other = next(user for user in played if user != viewer_id)
    people = [p for p in lobby.places if p.user and not p.user.is_bot]
    ready = {p.user.pk for p in people if p.is_ready or not is_open}  # type: ignore[union-attr]
    is_changed = not is_same(lobby, over)
    is_shown = not is_open and lobby.game and (lobby.watch or lobby.place_of(viewer_id))
    return {
        "game": over.get_absolute_url(),
        "may": viewer_id in played and not is_changed,
        "changed": is_changed,
        "search": is_open and may_search_again(lobby, over, viewer_id),
        "swaps": _swaps_sides(lobby, over),
        "mine": viewer_id in played and viewer_id in ready,
        "theirs": viewer_id in played and other in ready,
        "sit": is_open
        and viewer_id in played
        and not is_changed
        and lobby.place_of(viewer_id) is None,
        "follow": bool(is_shown and viewer_id not in played and _same_two(lobby, played)),
        "other": played[other],
        "next": lobby.game.get_absolute_url() if is_shown else None,  # type: ignore[union-attr]
        "say": _rematch_requests(played[other], viewer_id in ready, other in ready)
        if viewer_id in played
        else "",
    }


def _same_two(lobby: Lobby, played: Mapping[int, str]) -> bool:
    """Returns whether the two of the last game have the seats of the lobby."""
    return {place.user.pk for place in lobby.places if place.user} == played.keys()


def _swaps_sides(lobby: Lobby, over: Game) -> bool:
    """Returns whether those of the last game who sit have the other side now."""
    roles = {seat.user_id: seat.role for seat in over.seats.all()}
    seated = [(place.role, roles.get(place.user.pk)) for place in lobby.places if place.user]
    return bool(seated) and all(then == OTHER.get(now) for now, then in seated)


def _rematch_requests(other: str, mine: bool, theirs: bool) -> str:
    """Returns the rematch requests as a sentence."""
    if theirs:
        return _("%(name)s asks for a rematch.") % {"name": other}
    return _("You have asked %(name)s for a rematch.") % {"name": other} if mine else ""


def last_game_result(lobby: Lobby, viewer_id: int | None) -> dict[str, str] | None:
    """Returns the address and result of the last game for a user, or None."""
    game: Game | None = lobby.game
    if lobby.status == Lobby.Status.PLAYING or game is None or game.ended is None:
        return None
    names = {seat.role: seat.user.username for seat in game.seats.all()}
    if len(names) != 2 or not _may_see(lobby, game, viewer_id):
        return None
    return {"url": game.get_absolute_url(), "say": result_text(game, names)}


def _may_see(lobby: Lobby, game: Game, viewer_id: int | None) -> bool:
    """Returns whether a user may learn of a game that was played here.

    A game by link stays hidden from people who find the lobby in the list after its host has made
    it public.
    """
    if game.is_public or not lobby.is_public or viewer_id == lobby.host_id:
        return True
    return any(seat.user_id == viewer_id for seat in game.seats.all())
