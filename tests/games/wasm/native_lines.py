"""Positions with the lines of native code, as expected values for the engine of the pages.

    python -m tests.games.wasm.native_lines

writes tests/js/engine/golden.json, which the tests of the engine in Node read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any, Final

from games.catalogue import rules_of
from games.core import assemble_joint
from games.players.analysis.lines import best_lines

GOLDEN: Final = Path(__file__).parents[2] / "js" / "engine" / "golden.json"
KEYS: Final = ("amazons", "amazons-10x10", "amazons-8x8", "pincer")
CASES: Final = 50  # of each rule set
NODES: Final = {"amazons": 150, "amazons-10x10": 150, "amazons-8x8": 150, "pincer": 20_000}
LINES: Final = 3
MOST_STEPS: Final = {"amazons": 60, "amazons-10x10": 130, "amazons-8x8": 80, "pincer": 40}


def positions(key: str, count: int, rng: Random) -> Iterator[Any]:
    """Yield states of random games before their end, from the start to the last turns."""
    rules = rules_of(key)
    while count:
        state = rules.start()
        for _ in range(rng.randrange(MOST_STEPS[key])):
            control = rules.control(state)
            if not control:
                break
            (role,) = control
            action = rules.choices(state, role).sample(rng)
            state = rules.play(state, assemble_joint(rules, state, {role: action}))
        if rules.control(state):
            count -= 1
            yield state


def case(key: str, state: Any, nodes: int, seed: int) -> dict[str, Any]:
    """Return a position with its native lines."""
    rules = rules_of(key)
    (role,) = rules.control(state)
    lines = [asdict(line) for line in best_lines(rules, state, role, LINES, nodes, seed)]
    for line in lines:
        line["actions"] = list(line["actions"])
    position = rules.write(state)
    return {
        "key": key,
        "position": position,
        "nodes": nodes,
        "seed": seed,
        "count": LINES,
        "lines": lines,
    }


def golden_cases() -> Iterator[dict[str, Any]]:
    """Yield the cases of the file."""
    for key in KEYS:
        for seed, state in enumerate(positions(key, CASES, Random(key)), 1):
            yield case(key, state, NODES[key], seed)


def main() -> None:
    """Write the file."""
    lines = ",\n".join(json.dumps(each) for each in golden_cases())
    GOLDEN.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
