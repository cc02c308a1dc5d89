"""Queue of a worker: due turns in the games that it has looked at."""

import logging
from collections.abc import Callable

from accounts.redaction import shorten_key
from bots import budget, roster
from bots.dues import Due, Key, dues_of
from play.clocks import now
from play.desk import desk
from play.live import Live

AGAIN = 1_000  # ms after which something is tried again that was refused or is another worker's
SOON = 50  # ms, the least
FAR = 2**62  # epoch ms
log = logging.getLogger("quiver.bots")


class Agenda:
    """Kept up to date by `look`; `is_eldest` says whether exhibitions are this worker's.

    `offered` is called with each offer that computer players have to answer, perhaps repeatedly,
    and `changed` with each game that was read.
    """

    def __init__(self, offered: Callable[[Due], object], changed: Callable[[Live], object]) -> None:
        self.is_eldest = False
        self.rest = 0  # epoch ms until which exhibitions rest
        self._offered = offered
        self._changed = changed
        self._looked: dict[str, int] = {}  # slug to the rev that was looked at
        self._goes: dict[Key, Due] = {}
        self._later: dict[Key, int] = {}  # not before that moment (epoch ms)

    async def look(self) -> set[str]:
        """Reads the games that have changed since they were last read; the slugs of all that run.

        Those that cannot be read, because their rules are withdrawn or they are damaged, harm no
        other.
        """
        rows = await desk().read(roster.games_with_computers)
        listed = {slug for slug, _, _ in rows}
        for slug in self._looked.keys() - listed:
            del self._looked[slug]
        for slug in {slug for slug, _ in self._goes} - listed:
            self._drop(slug)
        for slug, rev, is_exhibition in rows:
            if self._looked.get(slug) == rev or (is_exhibition and not self.is_eldest):
                continue
            try:
                live = await desk().renew(slug)
            except (KeyError, ValueError) as error:
                log.error("game %s cannot be read: %s", shorten_key(slug), type(error).__name__)
                self._looked[slug] = rev
                continue
            if live:
                self._note(live, is_exhibition)
        return listed

    def look_anew(self, slug: str | None = None) -> None:
        """Has a game, or all, read at the next look even if nothing has changed."""
        if slug is None:
            self._looked.clear()
            self._goes.clear()
        else:
            self._looked.pop(slug, None)

    def next(self) -> Due | None:
        """The go that comes first now."""
        at = now()
        ready = [due for due in self._goes.values() if self._start(due) <= at]
        return min(ready, key=lambda due: due.rank, default=None)

    def next_key(self) -> str:
        """The rule set of what comes next, now or later; empty if there is nothing."""
        first = min(self._goes.values(), key=lambda due: due.rank, default=None)
        return first.live.rules.key if first else ""

    def seconds(self) -> float:
        """Until something is due, a second at most."""
        at = min((self._start(due) for due in self._goes.values()), default=now() + AGAIN)
        return min(max(0, at - now()), AGAIN) / 1000

    def hurry(self, but: Key) -> float:
        """The moment (epoch ms) at which the time of another seat becomes short."""
        others = (due for due in self._goes.values() if due.key != but)
        hurries = (budget.in_a_hurry(due.live, due.role) for due in others)
        return min(hurries, default=float("inf"))

    def take(self, due: Due) -> None:
        """Strikes off what is being done, unless the seat has something newer to do by now."""
        if self._goes.get(due.key) is due:
            del self._goes[due.key]

    def put_off(self, due: Due, until: int = FAR) -> None:
        """Has something tried again within a second, after a moment (epoch ms), if it is still due
        then."""
        self._goes.setdefault(due.key, due)
        self._later[due.key] = max(now() + SOON, min(until + 1, now() + AGAIN))

    def _start(self, due: Due) -> int:
        """The moment from which something may be done."""
        rest = self.rest if due.is_exhibition else 0
        return max(due.at, rest, self._later.get(due.key, 0))

    def _drop(self, slug: str) -> None:
        for key in [key for key in self._goes if key[0] == slug]:
            del self._goes[key]
            self._later.pop(key, None)

    def _note(self, live: Live, is_exhibition: bool) -> None:
        self._looked[live.slug] = live.rev
        self._drop(live.slug)
        for due in dues_of(live, is_exhibition):
            if due.what == "go":
                self._goes[due.key] = due
            else:
                self._offered(due)
        self._changed(live)
