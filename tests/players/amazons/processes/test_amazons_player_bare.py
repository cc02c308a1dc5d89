"""Low levels of Amazons without numba."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from games.players.amazons.area_turns import new_scratch
from games.players.amazons.areas import count
from games.players.amazons.evaluation import evaluate
from games.players.amazons.general_weights import WEIGHTS
from games.players.amazons.position import read
from games.players.levels import levels_of, player_of
from tests.games.stories import AMAZONS
from tests.players.amazons.boards import random_position, think

ROOT = Path(__file__).parents[4]
LOW = [level.number for level in levels_of("amazons") if not level.needs_numba]
NODES = 20
SCRATCH = new_scratch()
# Prints the facts below in a process without numba.
BARE = """
import sys
sys.modules["numba"] = None
from games.players.compiled import IS_COMPILED
from tests.players.amazons.processes.test_amazons_player_bare import facts
assert not IS_COMPILED
print(*facts(sys.argv[1]), sep=chr(10))
"""


def facts(key: str) -> Iterator[str]:
    """Yield evaluations and counts of positions from the start to closed areas; check that the
    actions of all low levels are legal there."""
    for turns in (0, 9, 20, 33, 40, 46, 52):
        story = random_position(key, turns, Random(turns))
        if story.outcome is not None:
            continue
        at = read(story.rules.view(story.state, story.mover))
        counts = [count(side, at.free, NODES).turns for side in (at.own, at.other)]
        yield f"{evaluate(*at.words, WEIGHTS, SCRATCH):.9f} {counts}"
        for number in LOW:
            thought = think(player_of(key, number), story, NODES, seed=5)
            assert thought.action in story.rules.choices(story.state, story.mover)


@pytest.mark.nightly
@pytest.mark.parametrize("key", AMAZONS)
def test_without_numba_the_low_levels_think_and_see_the_same(key):
    run = subprocess.run(
        [sys.executable, "-c", BARE, key],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == list(facts(key))
    assert len(LOW) >= 4
