"""Background work for standing offers: refill after a game, periodic sweeps."""

import asyncio
import logging

from lobby.models import Lobby
from lobby.offers import offer_service
from play.domain.clocks import now
from play.domain.game_state import GameState
from play.runtime.game_service import GameService
from play.runtime.runtime import Runtime
from telemetry.outage_log import note_outage

SWEEP_INTERVAL_S = 60.0
log = logging.getLogger("quiver.lobby")
tasks: set[asyncio.Task[None]] = set()  # the event loop keeps only weak references


def refill_after_game(games: GameService, game: GameState) -> None:
    """Opens the game that follows one of a standing offer; called in the event loop."""
    if game.lobby and game.clock.is_by_days:
        task = asyncio.ensure_future(_refill(games, game.lobby))
        tasks.add(task)
        task.add_done_callback(tasks.discard)


async def _refill(games: GameService, code: str) -> None:
    try:
        await games.run_in_db_thread(refill_of_lobby, code)
    except Exception as error:
        if not note_outage(error):
            log.exception(
                "a standing offer was not refilled; the next sweep will do it",
                extra={"event": "offer_refill_failed"},
            )


def refill_of_lobby(code: str) -> None:
    """Refills the standing offer that has opened a lobby, if there is one."""
    found = Lobby.objects.filter(code=code, offer__isnull=False)
    for pk in found.values_list("offer", flat=True):
        offer_service.refill(pk)


async def sweep_offers(runtime: Runtime) -> None:
    """Removes the offers of absent users, then refills the others."""
    await runtime.games.run_in_db_thread(offer_service.remove_expired, now())
    await runtime.games.run_in_db_thread(offer_service.refill_all)
