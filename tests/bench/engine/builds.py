"""A level of this build against the same level of another checkout of the project.

    git worktree add --detach FOLDER COMMIT
    python -m tests.bench.engine.builds FOLDER --game amazons-8x8 --seconds 0.25 --games 200

Each side thinks in a process of its own, one at a time and without an opening book, in pairs of
games from random openings. Both have the same processor time a turn, unless `--other-seconds` gives
the other build another one. A game ends early only where this build has proved its win. Prints a
line for each pair, so that a match that is ended still counts.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from games.catalogue import RULES, rules_of
from games.core import Role
from games.lab.game import Effort, Played, seed_of
from games.lab.likelihood import elo_of, interval
from games.lab.openings import Opening, openings
from games.lab.tally import Pair, Tally

ROOT: Final = Path(__file__).parents[3]
PLAYER: Final = Path(__file__).with_name("build_player.py")
ROLES: Final[tuple[Role, Role]] = ("white", "black")


class Build:
    """The process of one side; it has `seconds` of processor time for a turn."""

    def __init__(self, process: subprocess.Popen[str], seconds: float) -> None:
        self.process = process
        self.seconds = seconds
        self._read()  # it has compiled

    def send(self, **message: Any) -> None:
        """Send a message that has no answer."""
        assert self.process.stdin is not None
        print(json.dumps(message), file=self.process.stdin, flush=True)

    def think(self, seed: int) -> dict[str, Any]:
        """Return the answer to a demand for a turn."""
        self.send(seconds=self.seconds, seed=seed)
        found: dict[str, Any] = json.loads(self._read())
        return found

    def _read(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"a build ended with status {self.process.wait()}")
        return line


@contextmanager
def started(folder: Path, key: str, level: int, seconds: float) -> Iterator[Build]:
    """Start a level of the build in a folder, and end it afterwards."""
    script = f"import runpy, sys; sys.path.insert(0, {str(folder)!r}); sys.argv[1:] = "
    script += f"{[key, str(level)]!r}; runpy.run_path({str(PLAYER)!r}, run_name='__main__')"
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", script],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield Build(process, seconds)
    finally:
        process.terminate()
        process.wait()


def play(key: str, opening: Opening, sides: dict[Role, Build], ours: Role, seed: int) -> Played:
    """Play one game; `ours` is the role of this build, whose proofs of a win count."""
    rules = rules_of(key)
    steps = [
        [str(action) for action in joint.values() if str(action) != "noop"] for joint in opening
    ]
    for build in sides.values():
        build.send(opening=steps)
    state = rules.start()
    for joint in opening:
        state = rules.play(state, joint)
    (role,) = rules.control(state)
    efforts, turns = dict.fromkeys(ROLES, Effort()), rules.turns(state)
    while True:
        found = sides[role].think(seed_of(seed, turns))
        turns += 1
        efforts[role] += Effort(found["nodes"], found["seconds"], 1)
        other: Role = "black" if role == "white" else "white"
        if found["end"] is not None:
            return Played(found["end"], turns, efforts)
        if role == ours and found["value"] >= 1.0:
            return Played(role, turns, efforts)
        sides[other].send(turn=found["turn"])
        role = other


def report(tally: Tally) -> str:
    """Return the score of this build, its interval, and what both spent."""
    lost, drawn, won = tally.results
    score = (won + drawn / 2) / tally.games
    low, high = interval(tally.pairs)
    efforts = ", ".join(
        f"{name} {effort.seconds / effort.turns:.3f} s and {effort.nodes / effort.turns:.0f} nodes"
        for name, effort in (("this", tally.own), ("other", tally.theirs))
    )
    return (
        f"{tally.games} games: {won} won, {drawn} drawn, {lost} lost, {score:.1%} "
        f"({low:.1%} to {high:.1%}), {elo_of(score):+.0f} Elo; a turn: {efforts}"
    )


def main() -> int:
    """Play the match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", type=Path)
    parser.add_argument("--game", choices=sorted(RULES.keys() - {"blotto"}), required=True)
    parser.add_argument("--level", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=0.25, help="of processor time, for a turn")
    parser.add_argument("--other-seconds", type=float, help="of the other build, if not the same")
    parser.add_argument("--games", type=int, default=200, help="even")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    key, tally = arguments.game, Tally()
    other_seconds = arguments.other_seconds or arguments.seconds
    with ExitStack() as stack:
        ours, theirs = (
            stack.enter_context(started(folder.resolve(), key, arguments.level, seconds))
            for folder, seconds in ((ROOT, arguments.seconds), (arguments.folder, other_seconds))
        )
        for index, opening in enumerate(openings(key, arguments.games // 2, arguments.seed)):
            seed = seed_of(arguments.seed, index)
            first = {"white": ours, "black": theirs}
            second = {"white": theirs, "black": ours}
            tally = tally.plus(
                Pair(
                    (
                        play(key, opening, first, "white", seed),
                        play(key, opening, second, "black", seed + 1),
                    )
                )
            )
            print(report(tally), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
