"""Low levels of Pincer without numba."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from games.catalogue import PINCER
from games.players.core import Allowance
from games.players.levels import levels_of, player_of

ROOT = Path(__file__).parents[4]
BARE = """
import sys
sys.modules["numba"] = sys.modules["numpy"] = None
from games.catalogue import PINCER
from games.players.compiled import IS_COMPILED
from games.players.core import Allowance
from games.players.pincer.player import player_of
from games.players.pincer.settings import LEVELS
assert not IS_COMPILED
start = PINCER.start()
for level in LEVELS["pincer"]:
    if not level.needs_numba:
        thought = player_of("pincer", level.number).choose(
            PINCER.view(start, "white"), "white", PINCER.choices(start, "white"),
            Allowance(level.nodes), 5)
        print(thought.action, thought.value, *thought.line, thought.nodes, thought.depth, sep=",")
"""


def test_without_numba_and_numpy_the_low_levels_think_the_same():
    run = subprocess.run(
        [sys.executable, "-c", BARE],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    lines = run.stdout.splitlines()
    start, expected = PINCER.start(), []
    for level in levels_of("pincer"):
        if not level.needs_numba:
            view, choices = PINCER.view(start, "white"), PINCER.choices(start, "white")
            player = player_of("pincer", level.number)
            thought = player.choose(view, "white", choices, Allowance(level.nodes), 5)
            parts = [thought.action, thought.value, *thought.line, thought.nodes, thought.depth]
            expected.append(",".join(map(str, parts)))
    assert lines == expected
    assert len(lines) >= 5
