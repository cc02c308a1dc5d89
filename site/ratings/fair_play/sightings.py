"""Devices and networks of people who play rated, as keyed digests, to find related pairs.

A digest is an HMAC under a key derived from the site's secret. A network's digest includes the day,
so digests of different days cannot be linked; a device's digest is the same on every day. They are
written for people who play rated games and for young accounts that post forms, compared for pairs
of a rated game alone, and deleted after 30 days.
The address is the one used by the rate limits (`accounts.limits.networks`): only headers written by
the site's own proxies are trusted.
"""

import threading
from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from django.db import DatabaseError
from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from accounts.limits import networks
from accounts.login.known_devices import ids_in_cookie
from accounts.models import User
from play.domain.clocks import DAY_MS, now
from play.models import Seat
from ratings.fair_play.models import Sighting
from ratings.models import Person

if TYPE_CHECKING:
    from play.runtime.runtime import Runtime

KEPT_DAYS = 30
MIN_SHARED_DAYS = 2  # on which two people share a network before they are related
YOUNG_MS = 7 * DAY_MS  # since sign-up; one shared day suffices if one of the two is as young
MAX_A_DAY = 20  # sightings of a user a day, in one process
WRITE_INTERVAL_S = 20.0
BATCH_ROWS = 1_000  # deleted in one transaction
SALT = "ratings.fair_play.sightings"
Seen = tuple[int, int, str, str]  # user, day, kind, digest


def day_of(at: int) -> int:
    """Return the day (since the epoch, UTC) of a time (epoch ms)."""
    return at // DAY_MS


def digests_of(request: HttpRequest, day: int) -> list[tuple[str, str]]:
    """Return kind and digest of the devices and the network of a request on a day.

    A request from this machine itself, or from an unreadable address, has no network.
    """
    found = [(Sighting.Kind.DEVICE.value, _digest(id)) for id in ids_in_cookie(request)]
    network = networks.of_request(request)
    if network not in ("", networks.UNREADABLE):
        found.append((Sighting.Kind.NETWORK.value, _digest(f"{day} {network}")))
    return found


def _digest(text: str) -> str:
    return salted_hmac(SALT, text, algorithm="sha256").hexdigest()[:32]


class SightingBuffer:
    """Sightings of one process, kept until they are written; each is written once a day."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._day = 0
        self._written: set[Seen] = set()  # today
        self._waiting: set[Seen] = set()
        self._counts = Counter[int]()  # of both together, by user

    def note(self, request: HttpRequest, user: int, at: int) -> None:
        """Note the request of a user with an account at a time (epoch ms)."""
        day = day_of(at)
        found = {(user, day, *each) for each in digests_of(request, day)}
        with self._lock:
            if day != self._day:
                self._day, self._written = day, set()
                self._counts = Counter(seen[0] for seen in self._waiting)
            new = sorted(found - self._written - self._waiting)
            new = new[: max(0, MAX_A_DAY - self._counts[user])]
            self._waiting.update(new)
            self._counts[user] += len(new)

    def write(self, also: int | None = None) -> None:
        """Write the waiting sightings of people who play rated games, and those of the user `also`;
        forget the rest."""
        with self._lock:
            waiting, self._waiting = self._waiting, set()
        if not waiting:
            return
        try:
            self._write(waiting, also)
        except DatabaseError:
            with self._lock:
                self._waiting |= waiting
            raise

    def _write(self, waiting: set[Seen], also: int | None) -> None:
        players = rated_players({seen[0] for seen in waiting}) | {also}
        rows = sorted(seen for seen in waiting if seen[0] in players)
        Sighting.objects.bulk_create(
            (
                Sighting(user_id=user, day=day, kind=kind, digest=digest)
                for user, day, kind, digest in rows
            ),
            ignore_conflicts=True,
        )
        with self._lock:
            self._written.update(seen for seen in rows if seen[1] == self._day)
            self._counts.subtract(seen[0] for seen in waiting - set(rows))


def rated_players(users: Collection[int]) -> set[int]:
    """Return the users who play a rated game now, or have an entry in the ratings.

    Users who have deleted their account since are left out.
    """
    running = Seat.objects.running().filter(user=OuterRef("pk"), game__is_rated=True)
    rated = Person.objects.filter(user=OuterRef("pk"))
    present = User.objects.filter(is_active=True, is_guest=False, pk__in=users)
    found = present.filter(Exists(running) | Exists(rated))
    return set(found.values_list("pk", flat=True))


def are_related(one: int, two: int, at: int) -> bool:
    """Return whether two users have shared a device within 30 days before a time (epoch ms), or a
    network on two days; on one day, if the account of one of them is younger than a week."""
    kept = Sighting.objects.filter(user__in=(one, two), day__gt=day_of(at) - KEPT_DAYS)
    seen = dict[int, set[tuple[str, int, str]]]({one: set(), two: set()})
    for user, day, kind, digest in kept.values_list("user", "day", "kind", "digest"):
        is_device = kind == Sighting.Kind.DEVICE
        seen[user].add((kind, 0 if is_device else day, digest))
    shared = seen[one] & seen[two]
    days = {day for kind, day, _ in shared if kind == Sighting.Kind.NETWORK}
    if any(kind == Sighting.Kind.DEVICE for kind, _, _ in shared) or len(days) >= MIN_SHARED_DAYS:
        return True
    users = User.objects.filter(pk__in=(one, two)) if days else ()
    return any(is_young(user, at) for user in users)


def is_young(user: User, at: int) -> bool:
    """Return whether an account is younger than a week at a time (epoch ms)."""
    return at - user.date_joined.timestamp() * 1000 < YOUNG_MS


def delete_old_sightings() -> int:
    """Delete some sightings that are older than 30 days; return how many."""
    old = Sighting.objects.filter(day__lte=day_of(now()) - KEPT_DAYS)
    keys = list(old.values_list("pk", flat=True)[:BATCH_ROWS])
    Sighting.objects.filter(pk__in=keys).delete()
    return len(keys)


def delete_sightings_of(user: int) -> None:
    """Delete all sightings of a user."""
    Sighting.objects.filter(user=user).delete()


def export_sightings(user: int) -> list[dict[str, Any]]:
    """Return a user's sightings as plain JSON."""
    rows = Sighting.objects.filter(user=user).order_by("day", "pk")
    return [dict(row) for row in rows.values("day", "kind", "digest")]


BUFFER = SightingBuffer()


async def write_sightings(runtime: "Runtime") -> None:
    """Write the sightings of this process since the last call."""
    await runtime.games.run_in_db_thread(BUFFER.write)
