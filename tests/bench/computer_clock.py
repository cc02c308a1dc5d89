"""Measure how level 8 uses its clock: share spent, time of a turn, games lost on time.

    python -m tests.bench.computer_clock real [--game amazons-10x10] [--clock 600:5] [--games 2]
    python -m tests.bench.computer_clock virtual [--games 200]

`real` plays level 8 on a clock against a lower level without one, with the real search. The
processor time of this process, times `--slowdown`, is the time on the clock, so the load of the
machine does not count. `virtual` plays whole games at fast clocks with the time management of the
site, see `virtual_clock`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2] / "site")]

from bots.turn_time import TurnTimer  # noqa: E402
from games.catalogue import rules_of  # noqa: E402
from games.core import advance, assemble_joint  # noqa: E402
from games.lab.openings import openings  # noqa: E402
from games.players.core import Allowance  # noqa: E402
from games.players.levels import level_of, player_of, warm  # noqa: E402
from games.players.time_management import (  # noqa: E402
    MIN_LATENCY_MS,
    RunningClock,
    turn_budget,
    turns_left,
)
from tests.bench.virtual_clock import FAST_CLOCKS, LOADS, play_virtual  # noqa: E402

OPPONENT_LEVEL = 7
TURN = 30  # own turns after which the share of the clock is read


@dataclass
class Use:
    """The time spent in one game."""

    seconds: list[float] = field(default_factory=list)  # of each own turn
    is_flagged: bool = False

    def share(self, initial_ms: int) -> float:
        """The share of the first time on the clock that `TURN` turns took."""
        return 1000 * sum(self.seconds[:TURN]) / initial_ms


def play_real(key: str, clock: RunningClock, number: int, now: Callable[[], float]) -> Use:
    """One game of level 8, white in even games; ends when the rules or counting end it."""
    rules = rules_of(key)
    state = rules.start()
    for joint in openings(key, number + 1, 8)[number]:
        state = advance(rules, state, joint)
    own = ("white", "black")[number % 2]
    players = {role: player_of(key, 8 if role == own else OPPONENT_LEVEL) for role in rules.roles}
    use, left = Use(), clock.left_ms
    while control := rules.control(state):
        (role,) = control
        level = level_of(key, 8 if role == own else OPPONENT_LEVEL)
        turns, began = rules.turns(state), now()
        running = RunningClock(left, clock.increment_ms, clock.is_limit)
        budget = turn_budget(running, turns_left(key, turns), MIN_LATENCY_MS)
        timer = TurnTimer(budget, level, now=now)
        value, why, is_first = 0.0, "", True
        while rules.control(state) == {role} and rules.turns(state) == turns:
            view, choices = rules.view(state, role), rules.choices(state, role)
            allowance = timer.allowance(key, is_first)
            if role != own:
                allowance = Allowance(level.nodes)
            thought = players[role].choose(view, role, choices, allowance, turns)
            value, why, is_first = thought.value, thought.why, False
            state = advance(rules, state, assemble_joint(rules, state, {role: thought.action}))
        if why in ("filling", "counted") or (role == own and abs(value) == 1.0):
            break  # the rest takes no time
        if role == own:
            spent = now() - began
            use.seconds.append(spent)
            left = clock.left_ms if clock.is_limit else left - round(1000 * spent)
            left += clock.increment_ms
            if left < 0:
                use.is_flagged = True
                break
            print(f"  turn {len(use.seconds)}: {spent:.1f} s, {left / 1000:.0f} s left", flush=True)
    return use


def percentile(values: list[float], share: float) -> float:
    """The value below which this share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def report_real(key: str, clock: RunningClock, games: int, slowdown: float) -> None:
    """Play and print."""
    warm(key)
    uses = []
    for number in range(games):
        print(f"game {number + 1}", flush=True)
        uses.append(play_real(key, clock, number, lambda: slowdown * time.process_time()))
    turns = [each for use in uses for each in use.seconds]
    shares = ", ".join(f"{100 * use.share(clock.left_ms):.0f} %" for use in uses)
    print(f"of the first time on the clock {TURN} own turns took: {shares}")
    print(f"a turn: p50 {percentile(turns, 0.5):.1f} s, p95 {percentile(turns, 0.95):.1f} s")
    print(f"lost on time: {sum(use.is_flagged for use in uses)} of {games}")


def report_virtual(games: int) -> None:
    """Play and print a row for each clock, game and load."""
    print(f"{'clock':<12}{'game':<16}{'load':<8}{'games':>6}{'lost on time':>14}{'least left':>12}")
    for name, clock in FAST_CLOCKS.items():
        for key in ("amazons-10x10", "amazons-8x8", "amazons", "pincer"):
            for load in LOADS:
                ends = [play_virtual(key, clock, load, seed) for seed in range(games)]
                lost = sum(left < 0 for left in ends)
                print(
                    f"{name:<12}{key:<16}{load.name:<8}{games:>6}{lost:>14}"
                    f"{min(ends) / 1000:>10.1f} s",
                    flush=True,
                )


def main() -> None:
    """Run the measurement that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("real", "virtual"))
    parser.add_argument("--game", default="amazons-10x10")
    parser.add_argument("--clock", default="600:5", help="seconds, and seconds for each turn")
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--slowdown", type=float, default=1.0)
    options = parser.parse_args()
    if options.what == "virtual":
        report_virtual(options.games or 200)
        return
    initial_s, increment_s = map(int, options.clock.split(":"))
    clock = RunningClock(1000 * initial_s, 1000 * increment_s)
    report_real(options.game, clock, options.games or 2, options.slowdown)


if __name__ == "__main__":
    main()
