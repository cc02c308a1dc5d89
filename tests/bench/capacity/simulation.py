"""Discrete-event simulation of web processes: queues of an event loop and commits of its writer.

It checks the arithmetic of `model` and adds the waiting time of an action, and the effect of the
death of one process on the others. An event loop is one queue, first come, first served;
a commit runs beside it in the writer's thread, which shares its core, and takes all actions that
wait. Times are in seconds; the random numbers come from a seed.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from random import Random

from tests.bench.capacity.assumptions import Costs
from tests.bench.capacity.model import RETURN_WINDOW_S, SECOND_US, Plan

JUDGE_SHARE = 0.4  # of an action's work, before its commit; the rest is drawn and sent after it
RETURN_PIECES = 3  # topics of a page that comes back, each a piece of work of its own
PING_INTERVAL_S = 25.0  # of a page that waits
Job = tuple[str, float, float]  # kind, when its cause came, work in s


@dataclass
class Rates:
    """Rates of events at one process, per second, and the cost of each in CPU seconds."""

    actions: float
    action_s: float
    hints: float = 0.0
    hint_s: float = 0.0
    pings: float = 0.0
    ping_s: float = 0.0
    views: float = 0.0
    view_s: float = 0.0
    returns: float = 0.0
    return_s: float = 0.0

    @property
    def utilisation(self) -> float:
        """The share of a core that the events take."""
        return (
            self.actions * self.action_s
            + self.hints * self.hint_s
            + self.pings * self.ping_s
            + self.views * self.view_s
            + self.returns * self.return_s
        )


@dataclass
class Observed:
    """Results of a simulation."""

    latencies: list[float] = field(default_factory=list)  # of actions, from arrival to sent
    waits: list[float] = field(default_factory=list)  # of all jobs, in the event loop's queue
    returned: list[float] = field(default_factory=list)  # when pages of the dead process were back
    commits: int = 0
    actions: int = 0
    busy_s: float = 0.0
    seconds: float = 0.0

    def percentile(self, share: float) -> float:
        """Return a percentile of the latencies; 0.0 without any."""
        ordered = sorted(self.latencies)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0

    @property
    def utilisation(self) -> float:
        """The share of the time in which the event loop worked."""
        return self.busy_s / self.seconds


def rates_of(plan: Plan, costs: Costs) -> Rates:
    """Return the rates of one of a plan's processes, all of them alike."""
    load, processes = plan.load, plan.processes
    spectators = plan.work_cores["spectators"] / load.actions if load.actions else 0.0
    pings = load.pages / PING_INTERVAL_S / processes
    return Rates(
        actions=load.actions / processes,
        action_s=plan.work_cores["actions"] / load.actions + spectators if load.actions else 0.0,
        hints=plan.heard,
        hint_s=plan.work_cores["hints"] / (plan.heard * processes) if plan.heard else 0.0,
        pings=pings,
        ping_s=plan.work_cores["idle pages"] / processes / pings if pings else 0.0,
        views=load.views / processes,
        view_s=costs.view_us / SECOND_US,
        returns=load.returns / processes,
        return_s=costs.return_us / SECOND_US,
    )


def simulate(
    rates: Rates,
    costs: Costs,
    seconds: float,
    seed: int = 1,
    returning: float = 0.0,
    at_s: float = 0.0,
) -> Observed:
    """Simulate one process for so many seconds.

    From `at_s` on, `returning` pages of another process come besides, at a flat rate for
    `RETURN_WINDOW_S` seconds.
    """
    return _Process(rates, costs, Random(seed)).run(seconds, returning, at_s)


class _Process:
    """One event loop with its writer."""

    def __init__(self, rates: Rates, costs: Costs, random: Random) -> None:
        self._rates, self._random = rates, random
        self._commit_s = costs.commit_ms / 1000
        self._row_s = costs.database_us / SECOND_US
        self._events: list[tuple[float, int, str, tuple[float, ...]]] = []
        self._order = count()
        self._queue: deque[Job] = deque()
        self._is_busy = self._is_committing = False
        self._uncommitted: list[float] = []  # when the actions came
        self._seen = Observed()

    def run(self, seconds: float, returning: float, at_s: float) -> Observed:
        """Simulate from an empty queue."""
        self._seen.seconds = seconds
        for kind, at, work in sorted(self._arrivals(seconds, returning, at_s), key=_when):
            self._plan(at, "arrival", (_KINDS.index(kind), work))
        while self._events:
            now, _, event, about = heapq.heappop(self._events)
            if now > seconds:
                break
            if event == "arrival":
                kind = _KINDS[int(about[0])]
                self._queue.append((kind, now, about[1]))
            elif event == "done":
                self._finish(now, _KINDS[int(about[0])], about[1])
            else:  # a commit
                self._committed(about)
            self._work(now)
            self._commit(now)
        return self._seen

    def _arrivals(
        self, seconds: float, returning: float, at_s: float
    ) -> Iterator[tuple[str, float, float]]:
        rates = self._rates
        judge_s = rates.action_s * JUDGE_SHARE
        for kind, rate, work in (
            ("action", rates.actions, judge_s),
            ("hint", rates.hints, rates.hint_s),
            ("ping", rates.pings, rates.ping_s),
            ("view", rates.views, rates.view_s),
            ("return", rates.returns * RETURN_PIECES, rates.return_s / RETURN_PIECES),
        ):
            at = 0.0
            while rate and (at := at + self._random.expovariate(rate)) < seconds:
                yield kind, at, work
        for _ in range(round(returning)):
            at = at_s + self._random.uniform(0, RETURN_WINDOW_S)
            for piece in range(RETURN_PIECES):
                last = piece == RETURN_PIECES - 1
                yield "back" if last else "return", at, rates.return_s / RETURN_PIECES

    def _plan(self, at: float, event: str, about: tuple[float, ...]) -> None:
        heapq.heappush(self._events, (at, next(self._order), event, about))

    def _work(self, now: float) -> None:
        """Begin the next job, if the loop is idle."""
        if self._is_busy or not self._queue:
            return
        kind, came, work = self._queue.popleft()
        self._is_busy = True
        self._seen.busy_s += work
        if kind != "send":
            self._seen.waits.append(now - came)
        self._plan(now + work, "done", (_KINDS.index(kind), came))

    def _finish(self, now: float, kind: str, came: float) -> None:
        self._is_busy = False
        if kind == "action":
            self._uncommitted.append(came)
        elif kind == "send":
            self._seen.latencies.append(now - came)
        elif kind == "back":
            self._seen.returned.append(now)

    def _commit(self, now: float) -> None:
        """Begin a commit of all waiting actions, if none is in flight."""
        if self._is_committing or not self._uncommitted:
            return
        batch, self._uncommitted = self._uncommitted, []
        self._is_committing = True
        self._seen.commits += 1
        self._seen.actions += len(batch)
        self._plan(now + self._commit_s + self._row_s * len(batch), "commit", tuple(batch))

    def _committed(self, batch: tuple[float, ...]) -> None:
        self._is_committing = False
        send_s = self._rates.action_s * (1 - JUDGE_SHARE)
        self._queue.extend(("send", came, send_s) for came in batch)


_KINDS = ("action", "send", "hint", "ping", "view", "return", "back")


def _when(arrival: tuple[str, float, float]) -> float:
    return arrival[1]


def mean_wait(rates: Rates) -> float:
    """Return the mean wait in the loop's queue in seconds, by Pollaczek and Khinchine.

    It holds for jobs that come independently of each other (M/G/1): rate times mean square of the
    work, divided by twice the idle share.
    """
    square = (
        rates.actions * (rates.action_s * JUDGE_SHARE) ** 2
        + rates.actions * (rates.action_s * (1 - JUDGE_SHARE)) ** 2
        + rates.hints * rates.hint_s**2
        + rates.pings * rates.ping_s**2
        + rates.views * rates.view_s**2
        + rates.returns * RETURN_PIECES * (rates.return_s / RETURN_PIECES) ** 2
    )
    return square / (2 * (1 - rates.utilisation))
