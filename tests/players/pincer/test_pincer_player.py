"""Computer player of Pincer: depth, mistakes and budget."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from games.catalogue import PINCER
from games.core import NOOP, OTHER
from games.players.core import Allowance, Thought
from games.players.levels import level_of, levels_of, player_of
from games.players.pincer.material import Material
from games.players.pincer.player import warm

pytestmark = pytest.mark.slow

QUICK = Allowance(20_000)
HASTY = Allowance(1_500)


def position(rows: str, role: str = "white", moves: int = 10):
    """The beginning of a turn on this board, drawn with the top row first."""
    return PINCER.read(f"{'/'.join(rows.split())} {role} - {moves} {moves // 2}")


def thought(state, player=None, clock: Allowance = QUICK, seed: int = 7) -> Thought:
    """The thought of a player on the view of the role in control; its action is legal."""
    role = state.to_move
    player = player or player_of("pincer", 8)
    found = player.choose(PINCER.view(state, role), role, PINCER.choices(state, role), clock, seed)
    PINCER.check(state, role, found.action)
    return found


def played(state, action):
    return PINCER.play(state, {state.to_move: action, OTHER[state.to_move]: NOOP})


def match(players, state, seed: int = 0, clock: Allowance = HASTY):
    """Plays to the end and gives the last state; every action is checked by the rules."""
    rng = Random(seed)
    while PINCER.control(state):
        found = thought(state, players[state.to_move], clock, rng.getrandbits(32))
        state = played(state, found.action)
    return state


def turned(rows: str) -> str:
    return rows.swapcase().translate(str.maketrans("wb", "BW"))


HANGING = """
.......
.......
..WB...
....W..
.......
.......
B.....B
"""


@pytest.mark.parametrize("number", range(1, 9))
def test_every_level_plays_whole_legal_games_on_both_sides(number):
    players = {role: player_of("pincer", number) for role in ("white", "black")}
    end = match(players, PINCER.start(), seed=number)
    assert PINCER.outcome(end) is not None


@pytest.mark.parametrize("number", range(1, 9))
def test_the_same_seed_and_nodes_give_the_same_thought(number):
    clock = Allowance(min(level_of("pincer", number).nodes, 30_000))
    state = PINCER.start()
    for _ in range(6):
        one, other = (thought(state, player_of("pincer", number), clock) for _ in range(2))
        assert one == other
        state = played(state, one.action)


@pytest.mark.parametrize("role", ["white", "black"])
@pytest.mark.parametrize("number", range(1, 9))
def test_every_level_takes_a_piece_that_one_step_wins(role, number):
    rows = HANGING if role == "white" else turned(HANGING)
    clock = Allowance(min(level_of("pincer", number).nodes, 30_000))
    state = position(rows, role)
    for seed in range(5):
        found = thought(state, player_of("pincer", number), clock, seed)
        second = played(state, found.action)
        if second.to_move == role:
            second = played(
                second, thought(second, player_of("pincer", number), clock, seed).action
            )
        theirs = second.black if role == "white" else second.white
        assert theirs.bit_count() == 2, found


BOTH = """
.......
.......
.W.....
..B....
...W...
.....B.
......B
"""


def test_a_turn_that_captures_with_both_steps_together_is_found():
    first = thought(position(BOTH))
    between = played(position(BOTH), first.action)
    second = thought(between)
    assert between.black.bit_count() == 3
    assert played(between, second.action).black.bit_count() == 2
    assert first.line[1] == str(second.action)


def test_the_second_step_of_a_turn_is_another_piece():
    state = PINCER.start()
    player = player_of("pincer", 8)
    for _ in range(4):
        first = thought(state, player)
        between = played(state, first.action)
        second = thought(between, player)
        assert second.action.origin != first.action.target
        state = played(between, second.action)
        assert state.to_move != between.to_move


STEPPING_IN = """
.......
.B.B...
.......
..W....
W......
.......
.......
"""


@pytest.mark.parametrize("number", range(1, 9))
@pytest.mark.parametrize("role", ["white", "black"])
def test_no_level_steps_between_two_enemies_when_it_need_not(number, role):
    rows = STEPPING_IN if role == "white" else turned(STEPPING_IN)
    state = position(rows, role)
    clock = Allowance(min(level_of("pincer", number).nodes, 30_000))
    for seed in range(5):
        found = thought(state, player_of("pincer", number), clock, seed)
        after = played(state, found.action)
        assert (after.white | after.black).bit_count() == 4


def test_ahead_before_the_last_steps_it_keeps_its_lead():
    for seed in range(5):
        state = position(STEPPING_IN.replace("B.B", "B.."), "white", 44)
        end = match({"white": player_of("pincer", 8), "black": Material(6)}, state, seed, QUICK)
        assert PINCER.outcome(end).goals["white"] == 100


def test_the_fiftieth_step_counts_and_a_win_by_it_is_known_as_certain():
    state = position(STEPPING_IN.replace("B.B", "B.."), "white", 48)
    found = thought(state)
    assert (found.value, found.why, found.depth) == (1.0, "solved", 2)


BEHIND = """
.......
.......
..B....
.......
..WB...
....B..
.......
"""


def test_behind_at_the_fiftieth_step_it_takes_what_saves_a_draw():
    # White has one piece and black three: no step wins a piece, so all is lost whatever it does.
    assert thought(position(BEHIND, "white", 49)).value == -1.0
    # Two against three, two steps to come: only the capture that takes both of them is a draw.
    saved = thought(position(BOTH, "white", 48))
    assert (saved.value, saved.depth) == (0.0, 2)


def test_time_that_is_over_ends_the_search_and_the_thought_is_legal():
    asked = []

    def is_over() -> bool:
        asked.append(1)
        return len(asked) > 3

    found = thought(PINCER.start(), clock=Allowance(10_000_000, is_over))
    assert len(asked) == 4
    assert found.nodes < 200_000 and found.depth >= 5


def test_asking_for_the_time_changes_nothing_while_it_is_not_over():
    asked = []

    def is_over() -> bool:
        asked.append(1)
        return False

    state = PINCER.start()
    assert thought(state, clock=Allowance(200_000, is_over)) == thought(
        state, clock=Allowance(200_000)
    )
    assert len(asked) >= 5


def test_it_never_looks_at_more_nodes_than_it_may():
    for nodes in (1, 2, 50, 5_000):
        assert thought(PINCER.start(), clock=Allowance(nodes)).nodes <= nodes


def test_a_single_piece_moves_once_a_turn():
    lone = position("W...... ....... ....... ....... ....... ....... ....BB.", "white")
    assert played(lone, thought(lone).action).to_move == "black"


def test_the_only_step_costs_little_thought():
    shut = PINCER.read("WB...../......./B....../......./......./......./....B.. white - 10 5")
    assert [str(move) for move in PINCER.choices(shut, "white")] == ["move 1 7 1 6"]
    found = thought(shut, clock=Allowance(1_000_000))
    assert str(found.action) == "move 1 7 1 6" and found.nodes < 50_000


def test_the_line_is_legal_to_its_end():
    for seed in range(4):
        state = PINCER.start()
        for text in thought(state, seed=seed).line:
            action = PINCER.parse(text)
            PINCER.check(state, state.to_move, action)
            state = played(state, action)


def test_a_table_filled_by_earlier_steps_does_not_weaken_the_search():
    state, player = PINCER.start(), player_of("pincer", 8)
    for _ in range(8):
        found = thought(state, player)
        assert found.depth >= thought(state).depth - 1
        state = played(state, found.action)


def test_it_beats_the_plain_counter_of_pieces_from_both_sides():
    points = 0
    for seed in range(3):
        for role in ("white", "black"):
            players = {role: player_of("pincer", 8), OTHER[role]: Material(4)}
            end = match(players, PINCER.start(), seed, Allowance(4_000))
            points += PINCER.outcome(end).goals[role]
    assert points >= 400


def test_the_plain_counter_sees_what_its_depth_shows_and_the_seed_breaks_ties():
    opening = {str(thought(PINCER.start(), Material(2), seed=seed).action) for seed in range(20)}
    assert len(opening) > 3
    capture = thought(position(HANGING), Material(2))
    taken = played(position(HANGING), capture.action)
    assert taken.black.bit_count() == 2


def test_eight_levels_ask_for_more_and_more():
    levels = levels_of("pincer")
    assert [level.number for level in levels] == list(range(1, 9))
    assert all(a.nodes < b.nodes for a, b in pairwise(levels))


def test_warming_up_makes_the_first_choice_quick():
    warm()
    assert thought(PINCER.start(), clock=Allowance(2_000)).nodes == 2_000
