"""Colonel Blotto: simultaneous actions, points over five rounds."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from games.blotto import Troops
from games.catalogue import rules_of
from games.choices import Splits
from games.core import BadAction, IllegalAction, Outcome, advance, assemble_joint, missing_roles
from games.effects import Count

BLOTTO = rules_of("blotto")


def played(*rounds: str):
    """The state after rounds such as "6 4 0 : 4 1 5"."""
    state = BLOTTO.start()
    for text in rounds:
        white, black = (BLOTTO.parse(f"troops {side.strip()}") for side in text.split(":"))
        state = advance(BLOTTO, state, {"white": white, "black": black})
    return state


def test_both_roles_decide_in_every_round():
    state = played("6 4 0 : 4 1 5")
    assert BLOTTO.control(state) == {"white", "black"}
    sealed = {"white": BLOTTO.parse("troops 3 3 4")}
    assert missing_roles(BLOTTO, state, sealed) == {"black"}
    with pytest.raises(ValueError, match="no action yet of black"):
        assemble_joint(BLOTTO, state, sealed)


def test_both_have_sixty_six_actions_the_same_every_round():
    first = set(BLOTTO.choices(BLOTTO.start(), "white"))
    later = set(BLOTTO.choices(played("6 4 0 : 4 1 5", "0 0 10 : 10 0 0"), "black"))
    assert len(first) == 66 and first == later


def test_of_all_pairs_as_many_are_won_as_lost_and_the_rest_is_level():
    results = {"white": 0, "black": 0, "level": 0}
    actions = list(BLOTTO.choices(BLOTTO.start(), "white"))
    for white, black in product(actions, actions):
        state = BLOTTO.play(BLOTTO.start(), {"white": white, "black": black})
        totals = BLOTTO.totals(state)
        assert (totals["white"], totals["black"]) in {(4, 2), (3, 3), (2, 4)}
        sign = (totals["white"] > totals["black"]) - (totals["white"] < totals["black"])
        results[{1: "white", 0: "level", -1: "black"}[sign]] += 1
    assert results == {"white": 1485, "black": 1485, "level": 1386}


def test_more_troops_give_two_points_equal_ones_one_each():
    state = BLOTTO.start()
    joint = {"white": BLOTTO.parse("troops 6 2 2"), "black": BLOTTO.parse("troops 4 2 4")}
    assert BLOTTO.effects(state, joint, None) == (
        Count(0, {"white": 6, "black": 4}, {"white": 2, "black": 0}),
        Count(1, {"white": 2, "black": 2}, {"white": 1, "black": 1}),
        Count(2, {"white": 2, "black": 4}, {"white": 0, "black": 2}),
    )


def test_the_counts_of_a_round_add_up_to_its_scores():
    rng = Random(3)
    for _ in range(50):
        state = BLOTTO.start()
        joint = {role: BLOTTO.choices(state, role).sample(rng) for role in BLOTTO.roles}
        counts = BLOTTO.effects(state, joint, None)
        view = BLOTTO.view(BLOTTO.play(state, joint), None)
        for role in BLOTTO.roles:
            assert [sum(count.points[role] for count in counts)] == view["scores"][role]
            assert [count.troops[role] for count in counts] == view["splits"][0][role]


def test_points_add_up_and_the_higher_sum_wins_after_five_rounds():
    rounds = ["6 4 0 : 4 1 5"] * 3 + ["3 3 4 : 3 3 4"]
    assert BLOTTO.outcome(played(*rounds)) is None
    state = played(*rounds, "0 5 5 : 4 6 0")
    assert BLOTTO.outcome(state) == Outcome({"white": 17, "black": 13}, "rounds")
    assert BLOTTO.outcome(state).winner == "white"
    assert BLOTTO.control(state) == frozenset()


def test_equal_sums_are_a_draw():
    outcome = BLOTTO.outcome(played(*["3 3 4 : 3 3 4"] * 5))
    assert outcome.goals == {"white": 15, "black": 15} and outcome.winner is None


def test_the_view_tells_every_finished_round():
    assert BLOTTO.view(played("6 4 0 : 4 1 5", "5 5 0 : 0 4 6"), "white") == {
        "round": 3,
        "rounds": 5,
        "total": 10,
        "fields": 3,
        "scores": {"white": [4, 4], "black": [2, 2]},
        "totals": {"white": 8, "black": 4},
        "splits": [
            {"white": [6, 4, 0], "black": [4, 1, 5]},
            {"white": [5, 5, 0], "black": [0, 4, 6]},
        ],
        "turns": 2,
    }
    assert BLOTTO.view(played(*["3 3 4 : 3 3 4"] * 5), None)["round"] == 5


@pytest.mark.parametrize("text", ["troops 0 0 0", "troops 5 5 1", "troops 10 10 10"])
def test_a_split_with_another_sum_is_a_sentence_but_not_allowed(text):
    action = BLOTTO.parse(text)
    assert str(action) == text and action not in BLOTTO.choices(BLOTTO.start(), "black")
    with pytest.raises(IllegalAction) as caught:
        BLOTTO.check(BLOTTO.start(), "black", action)
    assert (caught.value.code, caught.value.squares) == ("sum_not_10", ())
    assert str(caught.value) == "The troops have to add up to 10."


def test_troops_below_nothing_are_not_allowed_even_if_the_sum_is_right():
    with pytest.raises(IllegalAction) as caught:
        BLOTTO.check(BLOTTO.start(), "white", Troops((-1, 6, 5)))
    assert caught.value.code == "sum_not_10"


def test_there_is_no_noop():
    with pytest.raises(BadAction):
        BLOTTO.parse("noop")


def test_a_position_is_its_rounds():
    state = played("6 4 0 : 4 1 5", "10 0 0 : 0 10 0")
    assert BLOTTO.write(BLOTTO.start()) == "-"
    assert BLOTTO.write(state) == "6,4,0:4,1,5/10,0,0:0,10,0"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "6,4,0",
        "6,4,0:4,1,5:3,3,4",
        "6,4,0:4,1,4",
        "6,4:4,1,5",
        "06,4,0:4,1,5",
        "11,-1,0:4,1,5",
        "6,4,0:4,1,5/",
        "-/6,4,0:4,1,5",
        "/".join(["6,4,0:4,1,5"] * 6),
    ],
)
def test_a_malformed_position_is_refused(text):
    with pytest.raises(ValueError, match=r"\w"):
        BLOTTO.read(text)


def test_a_split_of_millions_is_sampled_and_judged_without_listing():
    large = Splits(1000, 8, tuple, lambda split: sum(split) == 1000)
    drawn = large.sample(Random(4))
    assert len(drawn) == 8 and drawn in large and len(large) > 10**15


def test_every_split_is_drawn_about_as_often_as_any_other():
    rng, seen = Random(6), {}
    legal = BLOTTO.choices(BLOTTO.start(), "white")
    for _ in range(6600):
        action = legal.sample(rng)
        seen[action] = seen.get(action, 0) + 1
    assert len(seen) == 66 and min(seen.values()) > 60 and max(seen.values()) < 145
