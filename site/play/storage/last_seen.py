"""Store and read when a page of a seat was last open, for all processes.

Down-time of the server does not count as absence: pages have some seconds after the start of this
process to come back.
"""

from collections import defaultdict
from collections.abc import Collection
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games.core import Role
from play.domain import clocks
from play.models import Seat

FRESH_MS = 15_000  # a seat seen within this time is present; written every 10 s
STARTUP_GRACE_MS = 10_000  # for pages to reconnect after the start of this process
STARTED = clocks.now()
Key = tuple[int, Role]  # game id and role


def write_last_seen(keys: Collection[Key], at: int) -> None:
    """Store that a page of each of these seats was open at `at` (epoch ms)."""
    games = defaultdict(list)
    for game, role in keys:
        games[role].append(game)
    with transaction.atomic():
        for role, ids in games.items():
            Seat.objects.filter(role=role, game_id__in=ids, seen__lt=at).update(seen=at)


def read_last_seen(games: Collection[int]) -> dict[int, dict[Role, int]]:
    """Return when a page of each seat of some games was last open (epoch ms)."""
    found: dict[int, dict[Role, int]] = defaultdict(dict)
    for game, role, at in Seat.objects.filter(game_id__in=games).values_list(
        "game_id", "role", "seen"
    ):
        found[game][role] = at  # type: ignore[index]
    return found


def exchange_last_seen(
    keys: Collection[Key], games: Collection[int], at: int
) -> dict[int, dict[Role, int]]:
    """Write the seats that are present, and return what `read_last_seen` reads."""
    if keys:
        write_last_seen(keys, at)
    return read_last_seen(games)


def recently_renamed(since: int) -> list[int]:
    """Return the users who were renamed after `since` (epoch ms)."""
    at = datetime.fromtimestamp(since / 1000, UTC)
    is_named = Q(renamed__gt=at) | Q(date_joined__gt=at, is_guest=False)
    return list(User.objects.filter(is_named).values_list("pk", flat=True))


def gone_since(last: int, started: int) -> int:
    """Return since when a seat that was `last` seen counts as absent (epoch ms)."""
    return max(last, started, STARTED + STARTUP_GRACE_MS)
