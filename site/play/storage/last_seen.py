"""Store and read when a page of a seat was last open, for all processes.

Down-time of the server does not count as absence: pages have some seconds after the start of this
process to come back.
"""

from collections import defaultdict
from collections.abc import Collection
from datetime import UTC, datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games.core import Role
from play.domain import clocks
from play.models import FRESH_MS, Seat

STARTUP_GRACE_MS = 10_000  # for pages to reconnect after the start of this process
STARTED = clocks.now()
Key = tuple[int, Role]  # game id and role


class Looks(NamedTuple):
    """Seats of which a page is visible, and seats whose last visible page was hidden or closed."""

    visible: Collection[Key] = ()
    hidden: Collection[Key] = ()


NO_LOOKS = Looks()


def write_last_seen(keys: Collection[Key], at: int, looks: Looks = NO_LOOKS) -> None:
    """Store that a page of each of these seats was open at `at` (epoch ms), and who looked on.

    A seat counts as visible for `FRESH_MS`; one whose page was hidden loses that at once.
    """
    hidden_at = at - FRESH_MS
    with transaction.atomic():
        for role, ids in _by_role(set(keys) - set(looks.visible)).items():
            Seat.objects.filter(role=role, game_id__in=ids, seen__lt=at).update(seen=at)
        for role, ids in _by_role(looks.hidden).items():
            rows = Seat.objects.filter(role=role, game_id__in=ids, visible__gt=hidden_at)
            rows.update(visible=hidden_at)
        for role, ids in _by_role(looks.visible).items():
            rows = Seat.objects.filter(role=role, game_id__in=ids, visible__lt=at)
            rows.update(seen=at, visible=at)


def _by_role(keys: Collection[Key]) -> dict[Role, list[int]]:
    games: dict[Role, list[int]] = defaultdict(list)
    for game, role in keys:
        games[role].append(game)
    return games


def read_last_seen(games: Collection[int]) -> dict[int, dict[Role, int]]:
    """Return when a page of each seat of some games was last open (epoch ms)."""
    found: dict[int, dict[Role, int]] = defaultdict(dict)
    for game, role, at in Seat.objects.filter(game_id__in=games).values_list(
        "game_id", "role", "seen"
    ):
        found[game][role] = at  # type: ignore[index]
    return found


def recently_renamed(since: int) -> list[int]:
    """Return the users who were renamed after `since` (epoch ms)."""
    at = datetime.fromtimestamp(since / 1000, UTC)
    is_named = Q(renamed__gt=at) | Q(date_joined__gt=at, is_guest=False)
    return list(User.objects.filter(is_named).values_list("pk", flat=True))


def gone_since(last: int, started: int) -> int:
    """Return since when a seat that was `last` seen counts as absent (epoch ms)."""
    return max(last, started, STARTED + STARTUP_GRACE_MS)
