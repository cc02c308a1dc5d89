"""Pending turns and answers of computer players, and the queue of a worker."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from bots import worker_registry
from bots.thinking import turn_time
from games.core import ROLES, Role
from games.players.time_management import MAX_REPLY_DELAY_MS
from play.domain.clocks import now
from play.domain.game_state import GameState
from play.runtime.game_service import GameService
from telemetry.redaction import shorten_key

TURN_PACE_MS, ROUND_PACE_MS = 2_500, 6_000  # between two turns, or two rounds, of an exhibition
Key = tuple[str, Role]  # slug and seat
ABANDONED_AFTER_MS = 60_000  # a turn due for so long cannot be played here
RETRY_DELAY_MS = 1_000  # after a refusal, and while another worker holds the seat
MIN_DELAY_MS = 50
GRACE_MS = 250  # for another worker that is idle to take a turn that is due
LIST_INTERVAL_MS = 60_000
FAR_FUTURE_MS = 2**62  # since the epoch
log = logging.getLogger("quiver.bots")


@dataclass(frozen=True, slots=True)
class PendingTurn:
    """A pending turn or answer of a computer player."""

    live: GameState
    role: Role
    what: Literal["turn", "draw", "takeback"]  # play a turn, or answer that offer
    at: int  # epoch ms, not before
    is_exhibition: bool = False

    @property
    def key(self) -> Key:
        """The seat that is to act."""
        return self.live.slug, self.role

    @property
    def rank(self) -> tuple[bool, float, int]:
        """Sort key: games of people before exhibitions, then least time left, then longest wait."""
        return (
            self.is_exhibition,
            turn_time.is_low_on_time(self.live, self.role),
            self.live.times.since,
        )


def pending_turns(game: GameState, is_exhibition: bool = False) -> tuple[PendingTurn, ...]:
    """Return the pending turns and answers of computer players in a game; often none."""
    bots = [role for role in ROLES if game.people[role].bot]
    if game.ending:
        return ()
    answers = [
        PendingTurn(game, role, what, offer.at + MAX_REPLY_DELAY_MS)
        for what, offer in game.offers.items()
        for role in bots
        if role != offer.by
    ]
    pace = game.times.since + (ROUND_PACE_MS if game.rules.is_simultaneous else TURN_PACE_MS)
    turns = [
        PendingTurn(
            game,
            role,
            "turn",
            pace if is_exhibition else turn_time.earliest(game, role),
            is_exhibition,
        )
        for role in bots
        if role in game.waiting
    ]
    return (*answers, *turns)


def is_same_turn(one: GameState, other: GameState, role: Role) -> bool:
    """Whether a thought about `one` still holds for `other`: same step, and `role` has to act."""
    same = (one.step, one.takebacks) == (other.step, other.takebacks)
    return same and role in other.waiting


class Scheduler:
    """The due turns, kept up to date by `look`; only the eldest worker plays exhibitions.

    `offered` is called with each offer that computer players have to answer, perhaps repeatedly,
    and `changed` with each game that was read.
    """

    def __init__(
        self,
        games: GameService,
        offered: Callable[[PendingTurn], object],
        changed: Callable[[GameState], object],
    ) -> None:
        self._games = games
        self.is_eldest = False
        self.rest = 0  # epoch ms until which exhibitions wait
        self._offered = offered
        self._changed = changed
        self._revs: dict[str, int] = {}  # slug to the rev that was read
        self._running: set[str] = set()  # slugs
        self._newest = 0  # id of the newest ledger entry that was looked at
        self._listed_at = 0  # when all running games were listed (epoch ms)
        self._turns: dict[Key, PendingTurn] = {}
        self._not_before: dict[Key, int] = {}  # epoch ms

    async def look(self) -> set[str]:
        """Read the games that have changed since they were last read; return all running slugs.

        They are found by their new ledger entries. All running games are listed at first, and once
        a minute, in case one was missed or deleted. A game that cannot be read, because its rules
        are withdrawn or it is damaged, is logged and skipped.
        """
        run, at = self._games.run_in_db_thread, now()
        newest = await run(worker_registry.newest_entry)
        if at - self._listed_at >= LIST_INTERVAL_MS:
            rows, self._listed_at = await run(worker_registry.games_with_computers), at
            self._running = {row.slug for row in rows}
        else:
            rows = await run(worker_registry.changed_games, self._newest)
            self._running -= {row.slug for row in rows if not row.is_running}
            self._running |= {row.slug for row in rows if row.is_running}
        for slug in self._revs.keys() - self._running:
            del self._revs[slug]
        for slug in {slug for slug, _ in self._turns} - self._running:
            self._drop(slug)
        for slug, rev, is_exhibition, is_running in rows:
            if not is_running or self._revs.get(slug) == rev:
                continue
            if is_exhibition and not self.is_eldest:
                continue
            try:
                game = await self._games.renew(slug)
            except (KeyError, ValueError) as error:
                log.error("game %s cannot be read: %s", shorten_key(slug), type(error).__name__)
                self._revs[slug] = rev
                continue
            if game:
                self._note(game, is_exhibition)
        self._newest = newest
        return set(self._running)

    def look_anew(self, slug: str | None = None) -> None:
        """Read a game, or all games, again at the next `look` even if they have not changed."""
        self._listed_at = 0
        if slug is None:
            self._revs.clear()
            self._turns.clear()
        else:
            self._revs.pop(slug, None)

    def next(self) -> PendingTurn | None:
        """Return the most urgent turn that is due now, or None."""
        at = now()
        ready = [due for due in self._turns.values() if self._start(due) <= at]
        return min(ready, key=lambda due: due.rank, default=None)

    def next_key(self) -> str:
        """Return the rule set of the most urgent turn, due now or later; empty without one."""
        first = min(self._turns.values(), key=lambda due: due.rank, default=None)
        return first.live.rules.key if first else ""

    def is_turn_waiting(self) -> bool:
        """Return whether a game waits for a turn of a computer player, of any worker."""
        at = now()
        starts = (
            max(due.at, self.rest) if due.is_exhibition else due.at for due in self._turns.values()
        )
        return any(start <= at < start + ABANDONED_AFTER_MS for start in starts)

    def list_due(self) -> list[PendingTurn]:
        """Return the turns that are due in games of people; called by any thread."""
        at = now()
        turns = list(self._turns.values())
        return [due for due in turns if due.at <= at and not due.is_exhibition]

    def list_waiting(self, but: Key) -> list[PendingTurn]:
        """Return the turns in games of people, without that of one seat, that nobody has taken.

        Another worker may have taken one by now: leases say so.
        """
        latest = now() - GRACE_MS
        return [
            due
            for due in self._turns.values()
            if due.key != but
            and not due.is_exhibition
            and latest - ABANDONED_AFTER_MS < due.at <= latest
        ]

    def seconds(self) -> float:
        """Return the seconds until a turn is due, at most one."""
        at = min((self._start(due) for due in self._turns.values()), default=now() + RETRY_DELAY_MS)
        return min(max(0, at - now()), RETRY_DELAY_MS) / 1000

    def hurry(self, but: Key) -> float:
        """Return when (epoch ms) the first other seat runs low on time; infinity if none does."""
        others = (due for due in self._turns.values() if due.key != but)
        hurries = (turn_time.is_low_on_time(due.live, due.role) for due in others)
        return min(hurries, default=float("inf"))

    def take(self, due: PendingTurn) -> None:
        """Remove a turn that is being played, unless a newer one has replaced it."""
        if self._turns.get(due.key) is due:
            del self._turns[due.key]

    def put_off(self, due: PendingTurn, until: int = FAR_FUTURE_MS) -> None:
        """Retry a turn after `until` (epoch ms), but within a second, if it is still due then."""
        self._turns.setdefault(due.key, due)
        self._not_before[due.key] = max(
            now() + MIN_DELAY_MS, min(until + 1, now() + RETRY_DELAY_MS)
        )

    def _start(self, due: PendingTurn) -> int:
        """Return the moment (epoch ms) from which a turn may be played."""
        rest = self.rest if due.is_exhibition else 0
        return max(due.at, rest, self._not_before.get(due.key, 0))

    def _drop(self, slug: str) -> None:
        for key in [key for key in self._turns if key[0] == slug]:
            del self._turns[key]
            self._not_before.pop(key, None)

    def _note(self, game: GameState, is_exhibition: bool) -> None:
        self._revs[game.slug] = game.rev
        self._drop(game.slug)
        for due in pending_turns(game, is_exhibition):
            if due.what == "turn":
                self._turns[due.key] = due
            else:
                self._offered(due)
        self._changed(game)
