"""Tests of the benchmark's scripts, arithmetic and report, without npm."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from games.catalogue import rules_of
from games.core import IllegalAction, advance, assemble_joint
from tests.bench.figures import Fan, Growth, Measured, Play, middle, played, share
from tests.bench.goals import goals
from tests.bench.load import Failed, check
from tests.bench.scripts import KEY, MIN_ACTIONS, board_after, scripts
from tests.bench.table import report

NODE = shutil.which("node")
BENCH = Path(__file__).parent
needs_node = pytest.mark.skipif(NODE is None, reason="needs Node (apt install nodejs)")
PLAY = Play(3_500.0, 50.0, 110.0, {"web": 250.0, "generator": 60.0}, 0.4)


def test_the_scripts_are_legal_to_the_end_and_long():
    rules = rules_of(KEY)
    for script in scripts():
        state = rules.start()
        for number, text in enumerate(script):
            assert rules.control(state) == {"white" if number % 4 < 2 else "black"}
            (role,) = rules.control(state)
            state = advance(rules, state, assemble_joint(rules, state, {role: rules.parse(text)}))
        assert rules.outcome(state)
        assert len(script) >= MIN_ACTIONS


def test_a_percentile_is_one_of_the_values():
    values = list(range(100, 0, -1))
    assert share(values, 0.5) == 50
    assert share(values, 0.99) == 99
    assert share(values, 1) == 100
    assert share([7], 0.5) == 7
    assert share([], 0.5) == 0


def test_costs_are_of_an_action_and_by_process_tree():
    used = {"web": 500_000, "redis": 10_000, "generator": 250_000, "at": 1_000_000}
    play = played({"actions": 2_000, "latencies": [1_000, 2_000, 9_000], "used": used})
    assert play.cost == {"web": 250, "redis": 5, "generator": 125}
    assert (play.rate, play.generator) == (2_000, 0.25)
    assert (play.p50, play.p99) == (2, 9)


def test_one_round_that_was_disturbed_moves_nothing():
    slow = replace(PLAY, rate=10.0, p99=9_000.0, cost={"web": 9_000.0, "generator": 0.0})
    assert middle([PLAY, slow, PLAY]) == PLAY


@pytest.fixture
def found() -> dict[str, Measured]:
    """Possible results of a run."""
    below = {"postgres": 50.0, "redis": 20.0}
    ours = Measured({200: PLAY}, {1000: Fan({"web": 30.0}, 45.0, 0.5)}, 40.0)
    busy = replace(PLAY, cost={"web": 290.0, "generator": 60.0})
    ours.growth = Growth(PLAY, busy, 2_000, {"web": 80_000.0})
    networked = replace(PLAY, cost={"web": 260.0, **below, "generator": 60.0})
    return {
        "daphne": ours,
        "servers": Measured({200: networked}),
        "boardgame.io": Measured({200: replace(PLAY, p99=100.0)}),
        "tutorial": Measured({200: replace(PLAY, cost={"web": 2_500.0, "generator": 9.0})}),
        "echo-daphne-bare": Measured(echo=PLAY),
    }


def test_goals_are_judged_by_ratios_of_one_run(found):
    judged = {goal.says: goal for goal in goals(found)}
    cost = judged["CPU an action, embedded, to boardgame.io's"]
    assert (cost.figure, cost.verdict) == (1.0, "met")
    assert judged["p99 latency, embedded, to boardgame.io's"].verdict == "missed"
    assert judged["CPU an action, embedded, to the tutorial's way"].is_met
    assert judged["PostgreSQL and Redis, µs an action"].figure == 70
    assert judged["CPU an action with 2,000 games open, to few"].figure == pytest.approx(1.16)
    assert judged["µs a state delivered to one of 1,000 spectators, daphne"].verdict.endswith(
        "wish"
    )


def test_goals_without_figures_are_not_judged(found):
    assert goals({"servers": found["servers"]})[0].says == "PostgreSQL and Redis, µs an action"
    assert goals({}) == []


def test_the_table_says_what_each_system_costs(found):
    text = report(found, ["colyseus: it did not start"])
    assert "| **Quiver, embedded** (Daphne, SQLite) | database | yes, full sync | 250 |" in text
    assert "260, postgres 50, redis 20" in text
    assert "| daphne, bare | 250 |" in text
    assert "- FAILED: colyseus: it did not start" in text


def test_a_generator_that_is_the_bottleneck_is_named(found):
    found["daphne"].play[200] = replace(PLAY, generator=0.9)
    assert "90% (the generator is the bottleneck)" in report(found, [])


def test_a_round_proves_nothing_where_seats_differ_or_receipts_are_missing():
    game = {"script": 0, "at": 0}
    seen = {"board": board_after(0, 3), "step": 3}
    check("x", game, {"at": 3, "played": 3, "receipts": 3, "white": seen, "black": seen})
    other = {"board": board_after(0, 2), "step": 3}
    for wrong in (
        {"white": seen, "black": other, "receipts": 3},
        {"white": other, "black": other, "receipts": 3},
        {"white": seen, "black": seen, "receipts": 2},
    ):
        with pytest.raises(Failed):
            check("x", game, {"at": 3, "played": 3, **wrong})


@needs_node
@pytest.mark.parametrize("file", sorted(BENCH.glob("*/*.mjs")), ids=lambda file: file.name)
def test_the_programs_of_node_can_be_read(file):
    subprocess.run([NODE, "--check", str(file)], check=True, timeout=60)


REPLAY = """
import { readFileSync } from "node:fs";
const board = await import(process.argv[1]);
const asked = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(asked.map(({ script, tried }) => {
  const cells = board.start();
  let moved = -1;
  return script.map((action, n) => {
    const side = n % 4 < 2 ? "W" : "B";
    const may = (way) => moved < 0
      ? way.length === 2 && board.mayMove(cells, side, ...way)
      : way.length === 1 && board.isOpen(cells, moved, ...way);
    const verdicts = [action, ...tried[n]].map((each) => may(board.squaresOf(each)));
    const [from, to] = board.squaresOf(action);
    if (to === undefined) board.burn(cells, from);
    else board.move(cells, from, to);
    moved = to ?? -1;
    const other = side === "W" ? "B" : "W";
    return [board.written(cells), verdicts, moved >= 0 || board.canMove(cells, other)];
  });
})));
"""


@needs_node
def test_the_rules_of_the_peers_are_ours():
    rules, random = rules_of(KEY), Random(5)
    asked, expected = [], []
    for number, script in enumerate(scripts()[:3]):
        state, tried, answers = rules.start(), [], []
        for n, text in enumerate(script):
            (role,) = rules.control(state)
            words = [_anything(random) for _ in range(20)]
            verdicts = [_is_legal(rules, state, role, word) for word in [text, *words]]
            state = rules.play(state, assemble_joint(rules, state, {role: rules.parse(text)}))
            tried.append(words)
            answers.append([board_after(number, n + 1), verdicts, bool(rules.control(state))])
        asked.append({"script": script, "tried": tried})
        expected.append(answers)
    command = [NODE, "--input-type=module", "-e", REPLAY, str(BENCH / "peers" / "board.mjs")]
    said = subprocess.run(
        command, input=json.dumps(asked), capture_output=True, text=True, check=True, timeout=60
    )
    assert json.loads(said.stdout) == expected


def _anything(random: Random) -> str:
    squares = [str(random.randint(1, 10)) for _ in range(4)]
    word = random.choice(["move", "fire"])
    return " ".join([word, *squares[: 4 if word == "move" else 2]])


def _is_legal(rules, state, role, text: str) -> bool:
    try:
        rules.check(state, role, rules.parse(text))
    except IllegalAction:
        return False
    return True
