"""Measure the time of a game's review: CPU seconds of each pass in Node.

    python -m tests.bench.engine.review_time [--games 3] [--keys amazons-10x10]

Node runs the same module as the page; `tests.bench.engine.equality --chromium` compares the two.
Positions whose value is proved are left out of later passes, as on the page.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from typing import Any, Final

from games.catalogue import rules_of
from games.reviews import RUNGS, SEED
from tests.bench.engine.blunders import KEYS, play, turns_of
from tests.bench.engine.equality import in_node

MAX_REVIEW_S: Final = 40.0
MAX_CURVE_S: Final = 8.0
LEVELS: Final = (5, 5)


def pass_times(key: str, seed: int) -> tuple[int, list[float]]:
    """Return the searched positions of a game between two levels, and the seconds of each pass."""
    rules = rules_of(key)
    turns = turns_of(rules, play(rules, LEVELS, seed))
    states = [turns[0].before, *(turn.after for turn in turns)]
    open_states = [state for state in states if rules.outcome(state) is None]
    count, seconds = len(open_states), list[float]()
    for nodes in RUNGS:
        cases: list[dict[str, Any]] = [
            {
                "key": key,
                "position": rules.write(state),
                "nodes": nodes,
                "seed": SEED,
                "count": 1,
            }
            for state in open_states
        ]
        found, spent_s = in_node(cases)
        seconds.append(spent_s)
        open_states = [
            state
            for state, lines in zip(open_states, found, strict=True)
            if not (lines and lines[0]["is_proved"])
        ]
    return count, seconds


def main() -> int:
    """Measure, and return 1 if a review or its first curve takes too long, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--keys", nargs="+", choices=KEYS, default=KEYS[:1])
    arguments = parser.parse_args()
    is_missed = False
    for key in arguments.keys:
        rows = [pass_times(key, seed) for seed in range(arguments.games)]
        passes = [statistics.median(each) for each in zip(*(row[1] for row in rows), strict=True)]
        total = statistics.median(sum(row[1]) for row in rows)
        positions = statistics.median(row[0] for row in rows)
        print(
            f"{key}: {arguments.games} games, {positions:.0f} positions in the median;"
            f" passes {', '.join(f'{each:.1f}' for each in passes)} s, all {total:.1f} s",
            flush=True,
        )
        is_missed |= total > MAX_REVIEW_S or passes[0] > MAX_CURVE_S
    return int(is_missed)


if __name__ == "__main__":
    sys.exit(main())
