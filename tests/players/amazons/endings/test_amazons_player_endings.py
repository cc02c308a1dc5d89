"""Endings: the value is the result, and what is won is won to the end against the best defence."""

from __future__ import annotations

from random import Random

import pytest

from games.players.amazons.area_turns import (
    COST,
    EXACT_CELLS,
    MAX_AREAS,
    UPPER,
    new_scratch,
    side_turns,
    upper_bound,
)
from games.players.amazons.areas import count
from games.players.amazons.decision import decide
from games.players.amazons.evaluation import evaluate
from games.players.amazons.general_weights import WEIGHTS
from games.players.amazons.position import read, split
from games.players.amazons.search import Search
from games.players.core import Allowance
from games.players.levels import level_of, player_of
from tests.games.stories import Story, drawn
from tests.players.amazons.boards import think
from tests.players.amazons.endings.exhaustive import DIRECTIONS, Solver
from tests.players.amazons.endings.generate import FILE, blob, kind_of, random_ending, text

KEY = "amazons-8x8"
ROLES = {"W": "white", "B": "black"}
OTHER = {"W": "B", "B": "W"}
LINES = [line.split() for line in FILE.read_text().splitlines()]
SCRATCH = new_scratch()


def story_of(board: str, to_move: str) -> Story:
    return drawn(KEY, board.replace("/", "\n"), ROLES[to_move])


def test_the_file_has_a_hundred_endings_of_each_kind():
    kinds = [(kind, result) for kind, _, result, _ in LINES]
    assert {each: kinds.count(each) for each in set(kinds)} == {
        (kind, result): 50 for kind in ("parted", "guarded") for result in ("won", "lost")
    }
    assert len({board for _, _, _, board in LINES}) == 200


@pytest.mark.parametrize("index", range(0, 200, 10))
def test_the_exhaustive_solver_finds_the_results_of_the_file(index):
    kind, to_move, result, board = LINES[index]
    assert Solver(board).wins(board, to_move) == (result == "won")
    cells = {"W": set(), "B": set(), ".": set(), "x": set()}
    for y, row in enumerate(reversed(board.split("/"))):
        for x, letter in enumerate(row):
            cells[letter].add((x, y))
    assert kind_of(cells["W"], cells["B"], cells["."]) == kind


@pytest.mark.nightly
@pytest.mark.parametrize("level", [1, 8])
def test_leaves_and_levels_know_the_result_of_every_ending(level):
    wrong = []
    for _, to_move, result, board in LINES:
        story = story_of(board, to_move)
        sign = 1 if result == "won" else -1
        thought = think(player_of(KEY, level), story, level_of(KEY, level).nodes)
        leaf = evaluate(*read(story.view).words, WEIGHTS, SCRATCH)
        if thought.value * sign < 0.95 or leaf * sign < 0.95:
            wrong.append((board, to_move, result, leaf, thought.value))
    assert wrong == []


def winning_replies(solver: Solver, board: str, side: str) -> int:
    return sum(not solver.wins(turn.board, OTHER[side]) for turn in solver.turns(board, side))


@pytest.mark.nightly
@pytest.mark.parametrize("level", [1, 8])
@pytest.mark.parametrize("part", range(4))
def test_no_level_loses_a_won_ending_against_the_best_defence(level, part):
    """The defence takes that of eight turns which leaves the fewest replies that still win."""
    for index, (_, to_move, result, board) in enumerate(LINES[part::4]):
        rng, solver = Random(index), Solver(board)
        winner = to_move if result == "won" else OTHER[to_move]
        player = player_of(KEY, level)
        story = story_of(board, to_move)
        while story.outcome is None:
            mover = "W" if story.mover == "white" else "B"
            if mover == winner:
                for _ in range(2):
                    action = think(player, story, 50, index).action
                    story = story.play(str(action))
                assert not solver.wins(story.view["board"], OTHER[winner]), (board, story.view)
                continue
            turns = list(solver.turns(story.view["board"], mover))
            turns = rng.sample(turns, min(8, len(turns)))
            turn = min(turns, key=lambda turn: winning_replies(solver, turn.board, winner))
            story = story.play(turn.move, turn.fire)
        assert story.outcome.winner == ROLES[winner], board


@pytest.mark.parametrize("seed", range(4))
def test_what_is_proved_is_true_where_the_sides_still_meet(seed):
    """Random positions of up to ten empty cells, most of them with cells that both can reach."""
    rng, proved, meeting = Random(seed), 0, 0
    for _ in range(150):
        white, black, free = random_ending(rng)
        if len(free) > 10:
            continue
        board, to_move = text(white, black, free), rng.choice("WB")
        view = {"board": board, "to_move": ROLES[to_move], "moved": None}
        verdict = decide(*read(view).words, SCRATCH)
        if verdict:
            proved += 1
            meeting += not kind_of(white, black, free)
            assert Solver(board).wins(board, to_move) == (verdict == 1), (board, to_move)
    assert proved > 10
    assert meeting >= 3


def most_turns(own: frozenset, held: frozenset, free: frozenset) -> int:
    """The turns of a side alone, by trying everything; cells are (x, y)."""
    best = 0
    for origin in own:
        for target in queen(origin, free):
            rest = free - {target} | {origin}
            for arrow in queen(target, rest):
                if origin not in held or arrow == origin:
                    moved = own - {origin} | {target}
                    best = max(best, 1 + most_turns(moved, held - {origin}, rest - {arrow}))
    return best


def queen(cell: tuple[int, int], free: frozenset) -> list[tuple[int, int]]:
    found = []
    for dx, dy in DIRECTIONS:
        x, y = cell[0] + dx, cell[1] + dy
        while (x, y) in free:
            found.append((x, y))
            x, y = x + dx, y + dy
    return found


def bits(cells: frozenset) -> tuple[int, int]:
    return split(sum(1 << (11 * y + x) for x, y in cells))


@pytest.mark.parametrize("seed", range(40))
def test_small_areas_are_counted_exactly(seed):
    rng = Random(seed)
    cells = sorted(blob(rng, 5, set()) | blob(rng, 2, set()))
    rng.shuffle(cells)
    pieces = rng.randint(1, 3)
    own, free = frozenset(cells[:pieces]), frozenset(cells[pieces:])
    held = frozenset(rng.sample(sorted(own), rng.randint(0, pieces)))
    bounds = side_turns(*bits(own), *bits(held), *bits(free), 0, SCRATCH)
    assert (bounds % UPPER, upper_bound(bounds)) == (most_turns(own, held, free),) * 2


@pytest.mark.parametrize("seed", range(20))
def test_bounds_of_large_areas_hold_what_a_long_search_finds(seed):
    rng = Random(seed)
    cells = sorted(blob(rng, rng.randint(EXACT_CELLS + 3, 40), set()))
    rng.shuffle(cells)
    own, free = frozenset(cells[:2]), frozenset(cells[2:])
    bounds = side_turns(*bits(own), 0, 0, *bits(free), 0, SCRATCH)
    found = count(*(low | high << 55 for low, high in (bits(own), bits(free))), 20_000)
    assert bounds % UPPER <= found.most
    assert found.turns <= upper_bound(bounds)
    assert found.turns - bounds % UPPER <= 3  # the greedy fill is good, too


# Small areas with amazons that stand in each other's way: their search once ran for minutes.
HARD = "..x...../xWBx.x../B..x.Bx./xx.x..Wx/xxxx..B./...xx.x./xx.WxxWx/..x.x..."


def test_the_search_of_a_small_area_ends():
    position = read({"board": HARD, "to_move": "white", "moved": None})
    search = Search(128, is_optional=False)
    search.look_at(position, Random(1))
    assert search.grow(128, Allowance(128)) == 128
    search.forget()


@pytest.mark.parametrize("seed", range(30))
def test_bounds_hold_and_do_not_depend_on_what_was_searched_before(seed):
    rng = Random(seed)
    cells = sorted(blob(rng, 5, set()) | blob(rng, 3, set()))
    rng.shuffle(cells)
    own, free = frozenset(cells[:2]), frozenset(cells[2:])
    held = frozenset(rng.sample(sorted(own), rng.randint(0, 2)))
    used = side_turns(*bits(own), *bits(held), *bits(free), 0, SCRATCH)
    assert used == side_turns(*bits(own), *bits(held), *bits(free), 0, new_scratch())
    assert used // COST <= 2 * (MAX_AREAS + 1)
    most = most_turns(own, held, free)
    assert used % UPPER <= most <= upper_bound(used)
