"""After a game: the lobby is open again, and the same two may play once more."""

import asyncio
import logging

from accounts.models import User
from accounts.outage_log import note_outage
from accounts.redaction import shorten_key
from games.core import Role
from lobby.models import OTHER, Lobby, Place
from lobby.refusals import Reason, Refused
from lobby.services import need_levels, need_open, need_welcome
from lobby.turnstile import Columns, change, seated, settle
from play.desk import desk
from play.live import Live
from play.models import Game

log = logging.getLogger("quiver.lobby")
tasks: set[asyncio.Task[None]] = set()  # under way; the loop itself keeps only weak references


def rematch(code: str, user: User) -> Lobby:
    """Seats a user of the last game where they sat, and makes them ready to play the same again.

    With the other ready too, the game starts; asked again after that, nothing changes. Raises
    Refused (who was not seated, a lobby closed, changed or full), and Lobby.DoesNotExist.
    """

    def decide(lobby: Lobby) -> Columns:
        if lobby.status == Lobby.Status.PLAYING and lobby.place_of(user.pk):
            return {}
        need_open(lobby)
        role = role_in(lobby.game, user)
        if lobby.game is None or role is None:
            raise Refused(Reason.NOT_SEATED)
        if not is_same(lobby, lobby.game):
            raise Refused(Reason.CHANGED)
        need_levels(lobby, lobby.rules)
        if place := lobby.place_of(user.pk):
            return {} if place.is_ready else seated(place, user, True)
        need_welcome(lobby, user)
        return seated(_place_after(lobby, role), user, True)

    return change(code, decide)


def role_in(game: Game | None, user: User) -> Role | None:
    """The role that a user had in a game."""
    if game is None:
        return None
    return next((seat.role for seat in game.seats.all() if seat.user_id == user.pk), None)


def is_same(lobby: Lobby, game: Game) -> bool:
    """Whether the lobby still offers what that game was."""
    now = (lobby.rules, lobby.clock, lobby.is_public, lobby.watch)
    return now == (game.rules, game.clock, game.is_public, game.watch)


def _place_after(lobby: Lobby, role: Role) -> Place:
    """The free seat for who had a role in the last game: with the other side, if that is free."""
    free = [place for place in lobby.places if place.user is None]
    if not free:
        raise Refused(Reason.FULL)
    return next((place for place in free if place.role == OTHER[role]), free[0])


def when_over(live: Live) -> None:
    """Hears in the event loop that a game has ended; its lobby is then opened again."""
    if live.lobby:
        task = asyncio.ensure_future(_reopen(live.lobby))
        tasks.add(task)
        task.add_done_callback(tasks.discard)


async def _reopen(code: str) -> None:
    try:
        await desk().read(reopen, code)
    except Exception as error:
        if not note_outage(error):
            log.exception(
                "lobby %s was not opened again; its next reader does it", shorten_key(code)
            )


def reopen(code: str) -> None:
    """Opens a lobby again if its game is over."""
    lobby = Lobby.objects.with_people().filter(code=code).first()
    if lobby is not None:
        settle(lobby)
