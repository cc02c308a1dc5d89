"""When somebody was last at a seat, as all processes write it down.

Down-time of the server is nobody's absence: who came back within some seconds of the start was
never gone.
"""

from collections import defaultdict
from collections.abc import Collection
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games.core import Role
from play import clocks
from play.models import Seat

FRESH = 15_000  # ms for which a seat that was seen counts as taken; it is written every 10 s
SETTLING = 10_000  # ms after the start of this process in which pages come back
STARTED = clocks.now()
Key = tuple[int, Role]  # a game's id and a seat of it


def write(keys: Collection[Key], at: int) -> None:
    """Says that somebody was at these seats at `at` (epoch ms)."""
    games = defaultdict(list)
    for game, role in keys:
        games[role].append(game)
    with transaction.atomic():
        for role, ids in games.items():
            Seat.objects.filter(role=role, game_id__in=ids, seen__lt=at).update(seen=at)


def read(games: Collection[int]) -> dict[int, dict[Role, int]]:
    """When somebody was last at the seats of some games (epoch ms)."""
    found: dict[int, dict[Role, int]] = defaultdict(dict)
    for game, role, at in Seat.objects.filter(game_id__in=games).values_list(
        "game_id", "role", "seen"
    ):
        found[game][role] = at  # type: ignore[index]
    return found


def exchange(keys: Collection[Key], games: Collection[int], at: int) -> dict[int, dict[Role, int]]:
    """Writes and reads."""
    if keys:
        write(keys, at)
    return read(games)


def newly_named(since: int) -> list[int]:
    """The users who were given a name after `since` (epoch ms)."""
    at = datetime.fromtimestamp(since / 1000, UTC)
    is_named = Q(renamed__gt=at) | Q(date_joined__gt=at, is_guest=False)
    return list(User.objects.filter(is_named).values_list("pk", flat=True))


def gone_since(last: int, started: int) -> int:
    """Since when a seat of a game that was `started` is called empty that was `last` seen then."""
    return max(last, started, STARTED + SETTLING)
