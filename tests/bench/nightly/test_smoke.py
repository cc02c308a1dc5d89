"""Short runs of the benches: each still starts, measures and prints."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.bench.figures import Growth, Measured, Play
from tests.bench.goals import goals
from tests.bench.table import report
from tests.support.servers.server_process import ROOT, embedded


def run_bench(module: str, *arguments: str, work: Path, codes: tuple[int, ...] = (0,)) -> str:
    """Run `python -m tests.bench…` on a folder of its own; return what it prints.

    `codes`: the exit codes that are no failure.
    """
    environment = {**embedded(), "QUIVER_DATA": str(work), "XDG_CACHE_HOME": str(work)}
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, timeout=170,
    )  # fmt: skip
    assert done.returncode in codes, done.stdout + done.stderr
    return done.stdout


def test_games_are_played_on_our_own_site_and_each_action_is_counted(tmp_path) -> None:
    printed = run_bench("tests.bench", "--games", "5", "--rounds", "1", "--seconds", "1",
                        "--work", str(tmp_path), work=tmp_path)  # fmt: skip
    assert "actions" in printed


def test_a_soak_prints_the_growth_for_a_million_actions(tmp_path) -> None:
    result = tmp_path / "soak.json"
    # Two dozen games warm up more than memory may grow: then the soak ends with 1.
    run_bench("tests.bench.soak", "--actions", "300", "--minutes", "1", "--json", str(result),
              work=tmp_path, codes=(0, 1))  # fmt: skip
    found = json.loads(result.read_text())
    assert found["actions"] >= 300
    assert found["growth_per_million_actions"].keys() >= {"RSS, MiB", "sockets"}


def test_goals_are_judged_by_ratios_of_one_run() -> None:
    play = Play(3_500.0, 50.0, 110.0, {"web": 250.0, "generator": 60.0}, 0.4)
    ours = Measured({200: play})
    ours.growth = Growth(play, play, 2_000, {"web": 80_000.0})
    slower = Play(3_500.0, 50.0, 100.0, {"web": 2_500.0, "generator": 9.0}, 0.4)
    found = {
        "daphne": ours,
        "boardgame.io": Measured({200: play}),
        "tutorial": Measured({200: slower}),
    }
    judged = {goal.says: goal for goal in goals(found)}
    assert judged["CPU an action, embedded, to boardgame.io's"].figure == 1.0
    assert judged["CPU an action, embedded, to the tutorial's way"].is_met
    assert "FAILED: colyseus" in report(found, ["colyseus: it did not start"])
