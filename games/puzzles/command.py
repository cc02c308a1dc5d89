"""The command `puzzles` of `python -m games`: mine games between computer levels."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from games.catalogue import rules_of
from games.core import NOOP, ROLES, Action, Role, Rules, advance
from games.players.core import Allowance
from games.players.levels import player_of
from games.puzzles.mine import digest, mine
from games.puzzles.puzzle import KINDS, Kind, Puzzle, as_json

# Levels err often enough for one turn to decide; above these all turns of an ending are alike.
LEVELS: Final = {"blotto": (3, 7), "pincer": (2, 6)}
DEFAULT_LEVELS: Final = (3, 5)
NODES: Final = {"pincer": 1_500}  # of a player for an action; else `DEFAULT_NODES`
DEFAULT_NODES: Final = 200
MAX_TURNS: Final = 150
DEFAULT_KIND: Final = 10


class CannotWritePuzzles(ValueError):
    """The file of puzzles cannot be written; `str` is an English sentence."""


def add_puzzles(commands: Any) -> None:
    """Add the arguments of `puzzles` to `commands`, argparse's subparsers."""
    parser = commands.add_parser("puzzles", help="mines games between levels for puzzles")
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument("--rules", nargs="+", choices=sorted(KINDS), default=sorted(KINDS))
    parser.add_argument("--games", type=int, default=50, metavar="N", help="of each rule set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--most", type=int, default=DEFAULT_KIND, metavar="N", help="of each kind and rule set"
    )
    parser.set_defaults(run=run_puzzles)


def run_puzzles(arguments: argparse.Namespace) -> int:
    """Write a file of puzzles; return the exit status."""
    puzzles: list[Puzzle] = []
    for key in arguments.rules:
        found: Counter[Kind] = Counter()
        for number in range(arguments.games):
            states = play(rules_of(key), Random(f"{key} {arguments.seed} {number}"))
            for puzzle in mine(rules_of(key), states):
                if puzzle is not None and found[puzzle.kind] < arguments.most:
                    found[puzzle.kind] += 1
                    puzzles.append(puzzle)
            _write(arguments.file, puzzles)
            print(key, number + 1, dict(found), file=sys.stderr, flush=True)
            if found and all(found[kind] >= arguments.most for kind in KINDS[key]):
                break
    print(f"{arguments.file}: {len(puzzles)} puzzles.")
    return 0


def _write(file: Path, puzzles: Sequence[Puzzle]) -> None:
    """Write the file anew: what was found stays there if the command is ended."""
    whole = {"digest": digest(), "puzzles": [as_json(each) for each in puzzles]}
    try:
        file.write_text("".join(_lines(whole)), encoding="utf-8")
    except OSError as error:
        raise CannotWritePuzzles(f"{file}: {error.strerror or error}.") from None


def play(rules: Rules[Any], rng: Random) -> list[Any]:
    """Return the positions at the beginning of each turn of a game between two random levels."""
    low, high = LEVELS.get(rules.key, DEFAULT_LEVELS)
    players = {role: player_of(rules.key, rng.randint(low, high)) for role in ROLES}
    clock = Allowance(NODES.get(rules.key, DEFAULT_NODES))
    state = rules.start()
    states = [state]
    while (roles := rules.control(state)) and len(states) < MAX_TURNS:
        joint: dict[Role, Action] = {}
        for role in rules.roles:
            joint[role] = NOOP
            if role in roles:
                view, choices = rules.view(state, role), rules.choices(state, role)
                seed = rng.getrandbits(62)
                joint[role] = players[role].choose(view, role, choices, clock, seed).action
        before, state = state, advance(rules, state, joint)
        if rules.turns(state) > rules.turns(before) and rules.control(state):
            states.append(state)
    return states


def _lines(whole: dict[str, Any]) -> Iterator[str]:
    """Yield the file: a puzzle a line, so that a difference can be read."""
    yield f'{{"digest": {json.dumps(whole["digest"])}, "puzzles": [\n'
    yield ",\n".join(json.dumps(each, ensure_ascii=False) for each in whole["puzzles"])
    yield "\n]}\n"
