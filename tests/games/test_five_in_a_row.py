"""A sixth game is plugged in by the steps of CONTRIBUTING.md and holds the laws of all games."""

import pytest

from games import notation
from games.core import Code, IllegalAction
from tests.games import stories, test_laws
from tests.games.five_in_a_row import FIVE_IN_A_ROW, KEY, Put, plug_in

pytestmark = [pytest.mark.parametrize("key", [KEY]), pytest.mark.usefixtures("sixth_game")]

# They import the catalogue in another process, or know the five games by name.
NOT_RUN = {"test_the_rules_know_nothing_of_the_site", "test_turns_grow_by_one_or_stay"}
LAWS = {
    name: law
    for name, law in vars(test_laws).items()
    if name.startswith("test_") and name not in NOT_RUN
}
globals().update(LAWS)


@pytest.fixture
def sixth_game(monkeypatch):
    """Add the game as the recipe says: to the catalogue, and its action to the notation."""
    monkeypatch.setattr(stories, "recorded", played_records)
    monkeypatch.setattr(test_laws, "BOARDS", (*stories.BOARDS, KEY))
    plug_in(monkeypatch)


def played_records(key: str) -> tuple[dict, ...]:
    """Return random games to their end, in the shape of the reference games."""
    records = []
    for seed in range(20):
        steps = [(state, joint) for state, joint in stories.playout(key, seed) if joint]
        sealed = [str(joint[state.to_move]) for state, joint in steps]
        records.append({"actions": sealed, "terminal": True})
    return tuple(records)


def test_all_laws_are_run_but_those_that_name_games(key) -> None:
    assert len(LAWS) > 20 and vars(test_laws).keys() >= NOT_RUN


def test_each_turn_is_one_stone(key) -> None:
    states = [state for state, _ in stories.playout(key, 0)]
    assert [FIVE_IN_A_ROW.turns(state) for state in states] == list(range(len(states)))


@pytest.mark.parametrize(
    ("stones", "winner"),
    [
        ("a1 a2 b1 b2 c1 c2 d1 d2 e1", "white"),
        ("a1 c1 a2 c2 b1 c3 b2 c4 d1 c5", "black"),
        ("a1 a2 b2 b1 c3 c1 d4 d1 e5", "white"),
        ("a5 a1 b4 b1 c3 c1 d2 d1 e1", "white"),
    ],
)
def test_a_line_across_the_board_wins(key, stones, winner) -> None:
    story = stories.Story(key, FIVE_IN_A_ROW.start())
    for name in stones.split():
        assert story.outcome is None
        joint = story.joint(Put(FIVE_IN_A_ROW.grid.by_name[name]))
        story = stories.Story(key, FIVE_IN_A_ROW.play(story.state, joint))
    assert (story.outcome.winner, story.outcome.reason) == (winner, "five_in_a_row")


def test_a_full_board_without_a_line_is_a_draw(key) -> None:
    state = FIVE_IN_A_ROW.read("WBWBB/BWBWW/WBBWB/BWWBW/BWBWW black")
    outcome = FIVE_IN_A_ROW.outcome(state)
    assert outcome is not None and (outcome.winner, outcome.reason) == (None, "full_board")


def test_a_person_types_the_name_of_a_square(key) -> None:
    state = FIVE_IN_A_ROW.start()
    (action,) = notation.read(FIVE_IN_A_ROW, state, "white", " C3 ")
    assert str(action) == "put 3 3"
    assert notation.write(FIVE_IN_A_ROW, state, "white", action) == "c3"


def test_an_occupied_square_is_refused(key) -> None:
    state = FIVE_IN_A_ROW.read("...../...../..W../...../..... black")
    with pytest.raises(IllegalAction) as caught:
        FIVE_IN_A_ROW.check(state, "black", FIVE_IN_A_ROW.parse("put 3 3"))
    assert (caught.value.code, caught.value.squares) == (Code.OCCUPIED, ("c3",))
