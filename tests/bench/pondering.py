"""Measure level 8 of Amazons thinking on its opponent's time: gain, and time until it stops.

    python -m tests.bench.pondering visits [--game amazons-10x10] [--turns 10] [--seconds 3]
    python -m tests.bench.pondering memory [--game amazons-10x10] [--turns 8]
    python -m tests.bench.pondering match [--game amazons-10x10] [--games 20] [--chunks 40]

`visits` plays the beginning of a game against level 7. Level 8 has `--seconds` for a turn, then
ponders for `--ponder` seconds in a thread of the lowest priority, and is stopped. For each turn it
prints the simulations, the visits with which the next search begins, and the milliseconds from the
stop to the end of the thread's work. Seconds are of the wall: use a machine that does nothing else.

`memory` plays some turns with and without pondering, and prints the resident set of the process.

`match` plays level 8 against itself; one of the two ponders for as many simulations as the other
has for its turn. Time is counted in chunks of simulations, so the machine's load does not count.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import sqrt
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[2] / "site")]

from bots.thinking.priority import lower_priority  # noqa: E402
from games.catalogue import rules_of  # noqa: E402
from games.core import OTHER, Role, advance, assemble_joint  # noqa: E402
from games.lab.openings import openings  # noqa: E402
from games.players.amazons.position import Position, read  # noqa: E402
from games.players.amazons.search import Search  # noqa: E402
from games.players.amazons.tree import copy_of  # noqa: E402
from games.players.core import Allowance, Player  # noqa: E402
from games.players.levels import level_of, player_of, warm  # noqa: E402
from games.players.time_management import FIRST_SHARE, ActionTime  # noqa: E402

LEVEL, OPPONENT_LEVEL = 8, 7
NICE = 19  # as in `bots.thinking.pondering`, which needs the site's settings
OPENING_TURNS = 8
BASE_NODES = 1  # of the level in a match: time decides


def opened(key: str, number: int) -> Any:
    """The state after one of the openings."""
    rules = rules_of(key)
    state = rules.start()
    for joint in openings(key, number + 1, OPENING_TURNS)[number]:
        state = advance(rules, state, joint)
    return state


def mover(key: str, state: Any) -> Role:
    """The role in control."""
    (role,) = rules_of(key).control(state)
    return role


def wall_time(seconds: float) -> Allowance:
    """The allowance of an action that uses all of its wall time."""
    began = time.monotonic()
    end = ActionTime(lambda: time.monotonic() - began, seconds, seconds, lambda: True)
    return Allowance(level_of("amazons", LEVEL).nodes, time=end)


def counted_time(chunks: float) -> Allowance:
    """The same in chunks of simulations: the clock advances by one at each look."""
    looks = iter(range(10**9))
    return Allowance(BASE_NODES, time=ActionTime(lambda: next(looks), chunks, chunks, lambda: True))


def play_turn(key: str, state: Any, player: Player, clock: Any, time_of_turn: float) -> Any:
    """The state after a turn and its value; `clock` makes the allowance of an action."""
    rules, role, turns = rules_of(key), mover(key, state), rules_of(key).turns(state)
    share, value = FIRST_SHARE.get(key, 1.0), 0.0
    while rules.control(state) == {role} and rules.turns(state) == turns:
        view, choices = rules.view(state, role), rules.choices(state, role)
        thought = player.choose(view, role, choices, clock(time_of_turn * share), turns)
        state = advance(rules, state, assemble_joint(rules, state, {role: thought.action}))
        share, value = 1.0 - share, thought.value
    return state, value


def visits_below(search: Search, tree: Any, root: Position, reply: Position) -> int:
    """The visits of a reply in a tree that was kept; 0 if the search would begin anew."""
    if tree is None:
        return 0
    probe = Search((search.room - 1_000) // 2, search.is_optional)
    probe.tree, probe.root = tree, root
    probe.look_at(reply, Random(1), goes_beyond=True)
    assert probe.tree is not None
    visits = int(probe.tree.node_visits[0])
    probe.forget()
    return visits


def ponder_for(
    thread: ThreadPoolExecutor, player: Player, view: Any, role: Role, seconds: float
) -> tuple[int, float, float]:
    """Ponder; return the simulations, and the seconds of all and of those after the stop."""
    stopped, began = threading.Event(), time.monotonic()
    clock = Allowance(10**9, stopped.is_set)
    work = thread.submit(lambda: (player.ponder(view, role, clock), time.monotonic() - began))
    time.sleep(seconds)
    asked = time.monotonic() - began
    stopped.set()
    simulations, took = work.result()
    return simulations, took, max(0.0, took - asked)


def report_visits(key: str, turns: int, seconds: float, ponder_s: float, number: int) -> None:
    """Play and print."""
    rules, state = rules_of(key), opened(key, number)
    role = mover(key, state)
    own: Any = player_of(key, LEVEL)
    other, nodes = player_of(key, OPPONENT_LEVEL), level_of(key, OPPONENT_LEVEL).nodes
    thread = ThreadPoolExecutor(1, initializer=partial(lower_priority, NICE))
    rows = []
    print("turn  simulations  seconds  visits without   with  stop ms")
    for turn in range(turns):
        state, value = play_turn(key, state, own, wall_time, seconds)
        if not rules.control(state) or abs(value) == 1.0:
            break
        search = own.search
        root, kept = search.root, search.tree and copy_of(search.tree)
        view = rules.view(state, role)
        simulations, took, stop_s = ponder_for(thread, own, view, role, ponder_s)
        pondered = search.tree and copy_of(search.tree)
        state, value = play_turn(key, state, other, lambda _: Allowance(nodes), 0.0)
        if not rules.control(state) or abs(value) == 1.0:
            break
        reply = read(rules.view(state, role))
        plain, more = (visits_below(search, tree, root, reply) for tree in (kept, pondered))
        rows.append((simulations, plain, more, 1000 * stop_s))
        print(
            f"{turn + 1:>4}{simulations:>13}{took:>9.2f}{plain:>16}{more:>7}{1000 * stop_s:>9.1f}",
            flush=True,
        )
    names = ("simulations", "visits without", "visits with", "stop ms")
    for name, values in zip(names, zip(*rows, strict=True), strict=True):
        print(f"{name}: median {median(values):.0f}, most {max(values):.0f}")


def report_memory(key: str, turns: int, seconds: float, ponder_s: float, number: int) -> None:
    """Play and print; the opponent is the same player, so that nothing else takes memory."""
    rules, state, player = rules_of(key), opened(key, number), player_of(key, LEVEL)
    thread = ThreadPoolExecutor(1, initializer=partial(lower_priority, NICE))
    print(f"without a search: {resident_mib()}")
    for turn in range(turns):
        role = mover(key, state)
        state, _ = play_turn(key, state, player, wall_time, seconds)
        name = "without"
        if turn >= turns // 2:
            simulations, _, _ = ponder_for(thread, player, rules.view(state, role), role, ponder_s)
            name = f"{simulations} simulations of"
        print(f"turn {turn + 1}, {name} pondering: {resident_mib()}", flush=True)


def resident_mib() -> str:
    """The resident set of this process, now and at most."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    words = [line.split() for line in lines if line.startswith(("VmHWM:", "VmRSS:"))]
    sizes = {name: int(kib) / 1024 for name, kib, _ in words}
    return f"{sizes['VmRSS:']:.0f} MiB, {sizes['VmHWM:']:.0f} at most"


def play_match(key: str, number: int, chunks: int) -> float:
    """The points of the player that ponders; each opening is played with both roles."""
    rules, state = rules_of(key), opened(key, number // 2)
    pondering = ("white", "black")[number % 2]
    players: dict[Role, Any] = {role: player_of(key, LEVEL) for role in rules.roles}
    while rules.control(state):
        role = mover(key, state)
        state, value = play_turn(key, state, players[role], counted_time, chunks)
        if abs(value) == 1.0:  # a proof
            return float((value > 0) == (role == pondering))
        if role == pondering and rules.control(state):
            player = players[role]
            clock = Allowance(chunks * player.search.chunk)
            player.ponder(rules.view(state, role), role, clock)
    outcome = rules.outcome(state)
    assert outcome is not None
    goals = outcome.goals
    return 0.5 + 0.5 * (
        (goals[pondering] > goals[OTHER[pondering]]) - (goals[pondering] < goals[OTHER[pondering]])
    )


def report_match(key: str, games: int, chunks: int) -> None:
    """Play and print."""
    points: list[float] = []
    for number in range(games):
        points.append(play_match(key, number, chunks))
        print(f"game {number + 1}: {sum(points)} of {number + 1}", flush=True)
    share = sum(points) / games
    error = sqrt(share * (1.0 - share) / games)
    print(f"{100 * share:.0f} % of the points, standard error {100 * error:.0f} %")


def main() -> None:
    """Measure one of the three."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["visits", "memory", "match"])
    parser.add_argument("--game", default="amazons-10x10")
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--ponder", type=float, default=5.0)
    parser.add_argument("--opening", type=int, default=0)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--chunks", type=int, default=40)
    options = parser.parse_args()
    warm(options.game)
    if options.what == "match":
        report_match(options.game, options.games, options.chunks)
    else:
        report = report_visits if options.what == "visits" else report_memory
        report(options.game, options.turns, options.seconds, options.ponder, options.opening)


if __name__ == "__main__":
    main()
