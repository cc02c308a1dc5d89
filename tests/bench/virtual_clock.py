"""Whole games at fast clocks on a virtual clock, with the time management of the site.

The engine only spends time. It looks at the clock between chunks, as the search does, and each
chunk is stretched as on a machine with more to do than cores. Turns also wait: for the thought of
another game, for the event loop, for the commit.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from bots.turn_time import LatencyMeter, TurnTimer
from games.players.core import Level
from games.players.time_management import (
    COURSES,
    FIRST_SHARE,
    MIN_LATENCY_MS,
    RootVisits,
    RunningClock,
    is_enough,
    reply_delay_ms,
    turn_budget,
    turns_left,
)

FAST_CLOCKS: Final = {
    "30 s + 0": RunningClock(30_000),
    "1 min + 0": RunningClock(60_000),
    "5 s a turn": RunningClock(5_000, is_limit=True),
}
CHUNK_S: Final = 0.01  # between two looks at the clock, on an idle machine
WATCH_S: Final = 0.5  # until a thought gives way to another game
BASE_CHUNKS: Final = 60  # the nodes of the level
FREE_TURNS: Final = 90  # turns of both roles in a game with the free arrow


@dataclass(frozen=True, slots=True)
class Load:
    """Delays of a worker by a machine's load."""

    name: str
    stretch: float  # a chunk takes up to this many times as long
    commit_s: float  # mean time of the event loop and the commit
    wait_share: float  # of the turns, which wait for the thought of another game
    wait_s: float  # longest such wait


LOADS: Final = (Load("idle", 1.2, 0.02, 0.0, 0.0), Load("4", 4.0, 0.06, 0.2, 1.5))


class VirtualTime:
    """Clock that only moves when told to."""

    def __init__(self) -> None:
        self.s = 0.0

    def now(self) -> float:
        """The seconds since the beginning."""
        return self.s

    def spend(self, seconds: float) -> None:
        """Let time pass."""
        self.s += seconds


def play_virtual(key: str, clock: RunningClock, load: Load, seed: int) -> int:
    """Play every turn of one role; return the least ms that were left, negative if it lost."""
    rng, time, latency = Random(f"{key} {load.name} {seed}"), VirtualTime(), LatencyMeter()
    level = Level(8, 1, 10.0, uses_clock=True)
    left, least = clock.left_ms, clock.left_ms
    longest = FREE_TURNS if key == "amazons" else COURSES[key].longest
    for turns in range(seed % 2, longest, 2):
        began = time.now()
        first = RunningClock(left, clock.increment_ms, clock.is_limit)
        time.spend(reply_delay_ms(first, turns_left(key, turns), MIN_LATENCY_MS) / 1000)
        due = time.now()
        if rng.random() < load.wait_share:
            patience = turn_budget(first, turns_left(key, turns), MIN_LATENCY_MS).soft_ms / 1000
            time.spend(rng.uniform(0, min(load.wait_s, WATCH_S + patience)))
        time.spend(rng.expovariate(1 / load.commit_s))
        rest = RunningClock(left - _ms_since(began, time), clock.increment_ms, clock.is_limit)
        thought_began = time.now()
        budget = turn_budget(rest, turns_left(key, turns), latency.ms)
        timer = TurnTimer(budget, level, now=time.now)
        for action in range(2 if key in FIRST_SHARE else 1):
            _think(timer, key, action == 0, turns, time, load, rng)
        thought_s = time.now() - thought_began
        time.spend(rng.expovariate(1 / load.commit_s))
        latency.note(1000 * (time.now() - due - thought_s))
        left -= _ms_since(began, time)
        least = min(least, left)
        if left < 0:
            break
        left = clock.left_ms if clock.is_limit else left + clock.increment_ms
    return least


def _think(
    timer: TurnTimer,
    key: str,
    is_first: bool,
    turns: int,
    time: VirtualTime,
    load: Load,
    rng: Random,
) -> None:
    """Spend the time of one action; a position decided by counting takes a chunk at most."""
    clock = timer.allowance(key, is_first)
    if turns > rng.gauss(COURSES[key].decided, 8):
        time.spend(CHUNK_S * rng.uniform(0, load.stretch))
        return
    action_time = clock.time
    assert action_time is not None
    share, chunks = rng.uniform(0.4, 1.0), 0  # visits of the leading choice
    while True:
        time.spend(CHUNK_S * rng.uniform(1, load.stretch))
        chunks += 1
        if clock.is_over():
            return
        if chunks < BASE_CHUNKS:
            continue
        first, elapsed = share * chunks, action_time.elapsed_s()
        visited = RootVisits(
            round(first), round(chunks - first), rng.random() < 0.8, elapsed, chunks / elapsed
        )
        if is_enough(visited, elapsed, action_time.soft_s, action_time.hard_s):
            return


def _ms_since(began: float, time: VirtualTime) -> int:
    return round(1000 * (time.now() - began))
