"""Territory in Amazons: drawings, and Python against the page's script on 1,000 positions."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from games.amazons import Amazons, State
from games.catalogue import AMAZONS, AMAZONS_8X8, AMAZONS_10X10
from games.grid import grid, names
from games.territory import Territory, territory
from tests.games.stories import moments

NODE = shutil.which("node")
SCRIPT = Path(__file__).parents[2] / "static/js/board/territory.js"
PARTS = ("white", "black", "contested", "unreached")
LIMIT_MS = 2  # of the page, for one board
# Computes each line of standard input; the last line of the answer is the median time in ms.
HARNESS = """
import {{ readFileSync }} from "node:fs";
import {{ territoryOf }} from {script};
const boards = readFileSync(0, "utf8").trim().split("\\n");
for (const board of boards) console.log(JSON.stringify(territoryOf(board)));
const times = boards.map((board) => {{
  const begun = performance.now();
  territoryOf(board);
  return performance.now() - begun;
}});
console.log(times.sort((a, b) => a - b)[boards.length >> 1]);
"""


def found(board: str, size: str = "8x8") -> dict[str, str]:
    rules = {"8x8": AMAZONS_8X8, "10x10": AMAZONS_10X10}[size]
    return spell(territory(rules, rules.read(f"{board} white - 0")))


def spell(owned: Territory) -> dict[str, str]:
    return {part: names(getattr(owned, part)) for part in PARTS}


def by_script(boards: list[str]) -> tuple[list[dict[str, str]], float]:
    """Returns what the page's script finds on each board, and its median time in ms."""
    assert NODE
    done = subprocess.run(
        [NODE, "--input-type=module", "-e", HARNESS.format(script=json.dumps(SCRIPT.as_uri()))],
        input="\n".join(boards),
        capture_output=True,
        text=True,
        check=True,
    )
    *lines, time = done.stdout.split()
    parts = [json.loads(line) for line in lines]
    return [{part: in_order(each[part]) for part in PARTS} for each in parts], float(time)


def in_order(squares: list[str]) -> str:
    """The names as `games.grid.names` orders them."""
    return names(grid(14, 14).set_of(" ".join(squares)))


def random_positions(count: int) -> list[tuple[Amazons, State]]:
    """Positions of random games of all three forms, as many of each."""
    kinds = (AMAZONS, AMAZONS_10X10, AMAZONS_8X8)
    games = count // 100 + 1
    found = [[(rules, s) for s, _ in moments(rules.key, games)] for rules in kinds]
    return [each for group in zip(*found, strict=False) for each in group][:count]


def test_a_square_that_both_reach_as_fast_is_contested():
    owned = found("W......B/xxxxxxxx/......../......../......../......../......../........")
    assert owned["contested"] == "b8 c8 d8 e8 f8 g8"
    assert owned["white"] == owned["black"] == ""
    assert len(owned["unreached"].split()) == 48


def test_a_square_belongs_to_the_side_with_fewer_queen_moves():
    # The burnt e8 parts the board; d7 is white's second move.
    owned = found("W...x..B/.xx.xxx./xxxxxxxx/......../......../......../......../........")
    assert owned["white"] == "a7 d7 b8 c8 d8"
    assert owned["black"] == "h7 f8 g8"
    assert owned["contested"] == ""


def test_the_nearer_side_owns_what_both_can_reach():
    # d7 is white's second move and black's third, e8 black's second and white's third.
    owned = found("W..x..../.xx.xxB./xxxxxxxx/......../......../......../......../........")
    assert owned["white"] == "a7 d7 b8 c8"
    assert owned["black"] == "h7 e8 f8 g8 h8"
    assert owned["contested"] == ""


def test_the_tempo_does_not_count():
    for role in ("white", "black"):
        start = AMAZONS_10X10.start()
        state = AMAZONS_10X10.read(f"{AMAZONS_10X10.write(start).split()[0]} {role} - 0")
        owned = territory(AMAZONS_10X10, state)
        assert owned.white.bit_count() == owned.black.bit_count()
        assert owned.contested


def test_the_four_parts_are_the_empty_squares():
    for rules, state in random_positions(60):
        parts = [getattr(territory(rules, state), part) for part in PARTS]
        empty = rules.grid.board & ~(state.white | state.black | state.burnt)
        assert sum(parts) == empty
        assert sum(part.bit_count() for part in parts) == empty.bit_count()


@pytest.mark.processes
@pytest.mark.skipif(NODE is None, reason="needs Node (apt install nodejs)")
def test_the_page_finds_the_same_squares_on_1000_positions_of_random_games():
    positions = random_positions(1000)
    assert {rules.key for rules, _ in positions} == {"amazons", "amazons-8x8", "amazons-10x10"}
    boards = [rules.view(state, None)["board"] for rules, state in positions]
    right = [spell(territory(rules, state)) for rules, state in positions]
    shown, time_ms = by_script(boards)
    for board, ours, theirs in zip(boards, right, shown, strict=True):
        assert theirs == ours, board
    assert time_ms < LIMIT_MS


@pytest.mark.processes
@pytest.mark.skipif(NODE is None, reason="needs Node (apt install nodejs)")
def test_the_script_notices_a_difference():
    board = AMAZONS_8X8.write(AMAZONS_8X8.start()).split(" ")[0]
    other = board.replace("W", ".", 1)
    (first, second), _ = by_script([board, other])
    assert first != second
