"""Keep a game between two computer players running, so that there is always one to watch."""

import asyncio
import logging
import random
from collections.abc import Callable

from django.db import transaction

from accounts.models import User
from accounts.people.computer_users import computer
from bots.models import Exhibition
from games.catalogue import RULES
from games.players.levels import is_available
from play.domain.clocks import Clock, now
from play.models import Game
from play.runtime import game_commands
from play.runtime.game_service import GameService
from telemetry.outage_log import note_outage
from watch.featured import is_watchable

CHECK_INTERVAL_S = 2.0
PAUSE_MS = 5_000  # ms between two exhibitions
MAX_KEPT_GAMES = 200  # games that are over
LEVELS = range(3, 8)  # good enough to watch, and quick
NO_CLOCK = Clock("none")
log = logging.getLogger("quiver.bots")


async def run_exhibitions(games: GameService, is_in_charge: Callable[[], bool]) -> None:
    """Keep an exhibition running until cancelled, while this worker is in charge of them."""
    while True:
        await asyncio.sleep(CHECK_INTERVAL_S)
        if is_in_charge():
            try:
                await games.run_in_db_thread(keep_exhibitions_running, now())
            except Exception as error:
                if not note_outage(error):
                    log.exception(
                        "no exhibition could be opened; it is tried again",
                        extra={"event": "exhibition_failed"},
                    )


def keep_exhibitions_running(at: int) -> Game | None:
    """Open an exhibition if one is wanted at `at` (epoch ms), and delete old ones.

    Returns the game that was opened, or None.
    """
    if not is_wanted(at):
        return None
    with transaction.atomic():
        # The lock on this row keeps two workers from opening one at the same time.
        User.objects.select_for_update(no_key=True).get(pk=computer(1).pk)
        game = open_exhibition() if is_wanted(at) else None
    delete_old_exhibitions()
    return game


def is_wanted(at: int) -> bool:
    """Whether no public game of people moves, and no exhibition runs or has just ended."""
    newest = Exhibition.objects.order_by("-game").values_list("game__ended", flat=True).first()
    if is_one_running() or (newest and newest > at - PAUSE_MS):
        return False
    return not is_watchable(at)


def is_one_running() -> bool:
    """Whether an exhibition runs that this machine can continue.

    It cannot if a level is unavailable here or the rules are withdrawn.
    """
    games = Game.objects.with_computers().filter(rules__in=RULES)
    running = games.filter(exhibition__isnull=False)
    rows = running.values_list("pk", "rules", "seats__user__level")
    off = {game for game, key, level in rows if not is_available(key, level)}  # type: ignore[arg-type]
    return running.exclude(pk__in=off).exists()


def open_exhibition() -> Game | None:
    """Open an exhibition of the next rule set; return None if too few levels are available."""
    key = next_key()
    levels = [number for number in LEVELS if is_available(key, number)]
    if len(levels) < 2:
        return None
    white, black = random.sample(levels, 2)
    seats = {"white": computer(white), "black": computer(black)}
    game = game_commands.open_game(key, NO_CLOCK, seats, public=True)  # type: ignore[arg-type]
    Exhibition.objects.create(game=game)
    return game


def next_key() -> str:
    """Return the key of the rule set after that of the newest exhibition."""
    keys = list(RULES)
    newest = Exhibition.objects.order_by("-game").values_list("game__rules", flat=True).first()
    return keys[(keys.index(newest) + 1) % len(keys)] if newest in keys else keys[0]


def delete_old_exhibitions() -> int:
    """Delete all finished exhibitions except the newest; return the number deleted."""
    over = Exhibition.objects.exclude(game__ended=None).order_by("-game")
    return game_commands.delete_games(
        list(over.values_list("game__slug", flat=True)[MAX_KEPT_GAMES:])
    )
