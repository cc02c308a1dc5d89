"""Read new ledger entries in the order of their ids, without losing one that commits late.

On PostgreSQL an entry may become visible after one of a higher id. So the stored cursor lags
`SETTLE_MS` behind the entries read, and entries above it are read again; this process remembers
those that it has done. SQLite has one writer: ids there come in the order of commits.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import connection
from django.db.models import Max

from notices.models import Cursor
from play.models import Entry

SETTLE_MS = 10_000  # no transaction of an action takes longer
BATCH = 500  # entries of one round
CURSOR_PK = 1
FIELDS = ("id", "game_id", "kind", "role", "body")


@dataclass
class LedgerReader:
    """The place in the ledger up to which this process has derived notices."""

    settled: int | None = None  # the stored cursor; None before the first read
    done: set[int] = field(default_factory=set)  # ids above it that have been handled
    horizons: deque[tuple[int, int]] = field(default_factory=deque)  # time and highest id then

    def load(self) -> bool:
        """Read the stored cursor; return False if there is none yet.

        Another process may have moved it while that held the lease.
        """
        stored = Cursor.objects.filter(pk=CURSOR_PK).values_list("entry", flat=True).first()
        if stored is None:
            return False
        if stored != self.settled:
            self.settled, self.done = stored, {id for id in self.done if id > stored}
            self.horizons.clear()
        return True

    def begin(self, entry: int) -> None:
        """Store the first cursor: notices begin after this entry."""
        Cursor.objects.get_or_create(pk=CURSOR_PK, defaults={"entry": entry})
        self.load()

    def read(self) -> list[Entry]:
        """Return the entries to be handled next, at most `BATCH`."""
        assert self.settled is not None
        if not self.done and not _has_entry_after(self.settled):
            return []
        rows = Entry.objects.filter(pk__gt=self.settled).only(*FIELDS).order_by("pk")
        found = rows[: BATCH + len(self.done)]
        return [entry for entry in found if entry.pk not in self.done][:BATCH]

    def finish(self, entries: Sequence[Entry], at: int) -> None:
        """Note that entries have been handled, and store how far that is certain."""
        assert self.settled is not None
        if not entries and not self.horizons:
            return
        self.done.update(entry.pk for entry in entries)
        if entries:
            self.horizons.append((at, max(self.done)))
        settled = self.settled
        while self.horizons and self.horizons[0][0] <= at - settle_ms():
            settled = max(settled, self.horizons.popleft()[1])
        if settled > self.settled:
            Cursor.objects.filter(pk=CURSOR_PK, entry__lt=settled).update(entry=settled)
            self.settled, self.done = settled, {id for id in self.done if id > settled}


def _has_entry_after(entry: int) -> bool:
    """Return whether there is a newer entry; asked once a second, so without Django's compiler."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM play_entry WHERE id > %s LIMIT 1", [entry])
        return cursor.fetchone() is not None


def settle_ms() -> int:
    """Return how long after an entry one of a lower id may still become visible."""
    return 0 if connection.vendor == "sqlite" else SETTLE_MS


def newest_entry() -> int:
    """Return the highest id of an entry; 0 if there is none."""
    return Entry.objects.aggregate(newest=Max("pk"))["newest"] or 0
