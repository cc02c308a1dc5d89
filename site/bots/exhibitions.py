"""A game between two computer players, so that there is always one to watch."""

import random

from django.db import transaction

from accounts.computers import computer
from accounts.models import User
from bots.models import Exhibition
from games.catalogue import RULES
from games.players.levels import is_available
from lobby.lists import MOVED_WITHIN
from play import act
from play.clocks import Clock
from play.models import Game, Seat

EVERY = 2.0  # seconds between two looks
PAUSE = 5_000  # ms between two exhibitions
KEPT = 200  # games that are over
LEVELS = range(3, 8)  # those who play: good enough to watch, and quick
NO_CLOCK = Clock("none")


def keep_going(at: int) -> Game | None:
    """Opens an exhibition if one is wanted at a moment (epoch ms), and clears old ones away."""
    if not is_wanted(at):
        return None
    with transaction.atomic():
        # Whoever opens one holds this row, so two workers never do so at once.
        User.objects.select_for_update(no_key=True).get(pk=computer(1).pk)
        game = opened() if is_wanted(at) else None
    clear_away()
    return game


def is_wanted(at: int) -> bool:
    """Whether no people play where others may watch, and no exhibition runs or has just ended."""
    newest = Exhibition.objects.order_by("-game").values_list("game__ended", flat=True).first()
    if is_one_running() or (newest and newest > at - PAUSE):
        return False
    seats = Seat.objects.running().shown().filter(game__changed__gt=at - MOVED_WITHIN)
    return not seats.filter(user__is_bot=False).exists()


def is_one_running() -> bool:
    """Whether there is an exhibition that is not over; one that this machine cannot play on, since
    a level has gone off or its rules are withdrawn, does not count."""
    games = Game.objects.with_computers().filter(rules__in=RULES)
    running = games.filter(exhibition__isnull=False)
    rows = running.values_list("pk", "rules", "seats__user__level")
    off = {game for game, key, level in rows if not is_available(key, level)}
    return running.exclude(pk__in=off).exists()


def opened() -> Game | None:
    """An exhibition of the rule set whose turn it is; None if too few levels are available."""
    key = next_key()
    levels = [number for number in LEVELS if is_available(key, number)]
    if len(levels) < 2:
        return None
    white, black = random.sample(levels, 2)
    seats = {"white": computer(white), "black": computer(black)}
    game = act.open_game(key, NO_CLOCK, seats, public=True)  # type: ignore[arg-type]
    Exhibition.objects.create(game=game)
    return game


def next_key() -> str:
    """The rule set that comes after that of the newest exhibition."""
    keys = list(RULES)
    newest = Exhibition.objects.order_by("-game").values_list("game__rules", flat=True).first()
    return keys[(keys.index(newest) + 1) % len(keys)] if newest in keys else keys[0]


def clear_away() -> int:
    """Erases the exhibitions that are older than the newest ones; how many."""
    over = Exhibition.objects.exclude(game__ended=None).order_by("-game")
    return act.erase(list(over.values_list("game__slug", flat=True)[KEPT:]))
