"""Captures in Pincer by the pages' script, compared with the rules."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from games.catalogue import rules_of
from games.core import assemble_joint
from tests.games.stories import moments

NODE = shutil.which("node")
SCRIPT = Path(__file__).parents[3] / "static/js/board/threats.js"
HARNESS = """
import {{ readFileSync }} from "node:fs";
import {{ mostTaken }} from {script};
for (const line of readFileSync(0, "utf8").trim().split("\\n"))
  console.log(JSON.stringify(mostTaken(JSON.parse(line))));
"""


@pytest.mark.skipif(NODE is None, reason="needs Node")
def test_the_most_that_a_step_can_take_is_what_the_rules_take():
    """The script looks at one step and at enemies only; the rules play all of them."""
    rules = rules_of("pincer")
    states = [state for state, joint in moments("pincer", games=12) if joint]
    views = [rules.view(state, None) for state in states]
    done = subprocess.run(
        [NODE, "--input-type=module", "-e", HARNESS.format(script=json.dumps(SCRIPT.as_uri()))],
        input="\n".join(json.dumps(view) for view in views),
        capture_output=True,
        text=True,
        check=True,
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(states) > 300
    for state, squares in zip(states, found, strict=True):
        captures = [taken(rules, state, action) for action in rules.choices(state, state.to_move)]
        assert len(squares) == max(map(len, captures))
        assert set(squares) in captures
    assert any(found) and not all(found)


def taken(rules, state, action) -> set[str]:
    """The enemies' squares that a step empties."""
    joint = assemble_joint(rules, state, {state.to_move: action})
    return {
        square
        for effect in rules.effects(state, joint, None)
        if effect.kind == "remove" and effect.role != state.to_move
        for square in effect.squares
    }
