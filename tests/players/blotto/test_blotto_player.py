"""Computer players of Blotto: their habits and their thoughts."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from scipy.stats import chisquare

from games.catalogue import rules_of
from games.core import OTHER
from games.players.blotto import equilibrium
from games.players.blotto.characters import CHARACTERS, Part
from games.players.blotto.player import Standing, expected_result, standing, warm
from games.players.blotto.splits import INDEX, SPLITS
from games.players.core import Allowance, never
from games.players.levels import levels_of, player_of

BLOTTO = rules_of("blotto")
SEEDS = range(400)


def played(*rounds: str, role="white"):
    """The view after rounds such as "6 4 0 : 4 1 5", own troops first."""
    state = BLOTTO.start()
    for text in rounds:
        own, theirs = (BLOTTO.parse(f"troops {side.strip()}") for side in text.split(":"))
        state = BLOTTO.play(state, {role: own, OTHER[role]: theirs})
    return BLOTTO.view(state, role)


def thought(level, view, seed=1, role="white"):
    choices = BLOTTO.choices(BLOTTO.start(), role)
    return player_of("blotto", level).choose(view, role, choices, Allowance(66, never), seed)


def thoughts(level, *rounds, role="white"):
    """The thoughts of a level after these rounds, for many seeds."""
    view = played(*rounds, role=role)
    return [thought(level, view, seed, role) for seed in SEEDS]


def splits(found, why):
    """The splits that were chosen for this reason."""
    return {each.action.split for each in found if each.why == why}


# Habits


def test_the_first_masses_on_one_field_and_stays_there_for_the_match():
    first = thoughts(1)
    assert {each.action.split.index(max(each.action.split)) for each in first} == {0, 1, 2}
    later = thoughts(1, "1 8 1 : 4 3 3", "2 7 1 : 4 3 3")
    assert all(each.action.split[1] >= 7 for each in later)
    assert {each.why for each in first + later} == {"favourite"}


def test_the_second_copies_what_was_played_last():
    found = thoughts(2, "4 3 3 : 1 9 0", "6 4 0 : 2 3 5")
    assert splits(found, "copies") == {(2, 3, 5)}
    assert {each.why for each in found} == {"copies", "equilibrium"}
    assert {each.why for each in thoughts(2)} == {"even"}
    assert all(max(each.action.split) <= 5 for each in thoughts(2))


def test_the_third_repeats_what_won_and_moves_on_one_field_what_lost():
    won = thoughts(3, "6 4 0 : 5 3 2")
    assert splits(won, "repeats") == {(6, 4, 0)} and not splits(won, "shifts")
    lost = thoughts(3, "5 3 2 : 6 4 0")
    assert splits(lost, "shifts") == {(2, 5, 3)} and not splits(lost, "repeats")
    level = thoughts(3, "6 4 0 : 6 4 0")
    assert {each.why for each in level} == {"equilibrium"}


def test_the_fourth_answers_with_what_would_have_won():
    found = splits(thoughts(4, "6 4 0 : 7 2 1"), "answers")
    assert len(found) > 5
    for own in found:
        assert sum(mine > theirs for mine, theirs in zip(own, (7, 2, 1), strict=True)) >= 2


def test_the_fifth_level_learns_where_the_troops_go():
    found = splits(thoughts(5, *["4 3 3 : 8 1 1"] * 3), "learns")
    assert found and all(own[1] > 1 and own[2] > 1 and own[0] <= 6 for own in found)
    # The level learns the habit of the match, not the last round alone.
    mixed = splits(thoughts(5, "4 3 3 : 8 1 1", "4 3 3 : 8 1 1", "4 3 3 : 1 1 8"), "learns")
    alone = splits(thoughts(5, "4 3 3 : 1 1 8"), "learns")
    assert mixed and alone and not mixed & alone


@pytest.mark.parametrize("level", [6, 7, 8])
def test_the_highest_levels_beat_a_split_that_is_repeated_and_begin_without_habit(level):
    assert {each.why for each in thoughts(level)} == {"equilibrium"}
    again = ["0 5 5 : 6 4 0", "4 3 3 : 6 4 0", "6 4 0 : 6 4 0"]
    found = splits(thoughts(level, *again), "adapts")
    assert found
    for own in found:
        assert sum(mine > theirs for mine, theirs in zip(own, (6, 4, 0), strict=True)) >= 2


def test_the_eighth_sees_a_split_that_goes_round():
    found = splits(thoughts(8, "4 3 3 : 6 4 0", "5 3 2 : 0 6 4", "4 3 3 : 4 0 6"), "adapts")
    assert found
    beating = sum(
        sum(mine > theirs for mine, theirs in zip(own, (6, 4, 0), strict=True)) >= 2
        for own in found
    )
    assert beating == len(found)


@pytest.mark.parametrize("role", ["white", "black"])
def test_a_role_reads_the_rounds_from_its_own_side(role):
    view = played("6 4 0 : 5 3 2", "6 4 0 : 0 0 10", role=role)
    now = standing(CHARACTERS[2], view, role)
    assert (now.left, now.lead, now.memory) == (3, 2, INDEX[0, 0, 10])
    assert standing(CHARACTERS[2], view, OTHER[role]).lead == -2


# All levels


@pytest.mark.parametrize("level", range(1, 9))
def test_the_same_seed_does_the_same_and_other_seeds_do_more(level):
    view = played("6 4 0 : 5 3 2")
    assert thought(level, view, 5) == thought(level, view, 5)
    assert len({thought(level, view, seed).action for seed in SEEDS}) > 2


@pytest.mark.parametrize("level", range(1, 9))
def test_whole_matches_are_legal_and_every_thought_is_in_its_bounds(level):
    for seed in range(20):
        state, rng = BLOTTO.start(), Random(seed)
        players = {role: player_of("blotto", level) for role in BLOTTO.roles}
        while BLOTTO.control(state):
            joint = {}
            for role, player in players.items():
                choices = BLOTTO.choices(state, role)
                view = BLOTTO.view(state, role)
                found = player.choose(view, role, choices, Allowance(66), rng.getrandbits(62))
                assert found.action in choices and found.line == (str(found.action),)
                assert -1.0 <= found.value <= 1.0 and found.why and found.nodes <= 66
                joint[role] = found.action
            state = BLOTTO.play(state, joint)


@pytest.mark.parametrize("level", range(1, 9))
def test_the_parts_of_a_character_are_all_that_it_may_do(level):
    character = CHARACTERS[level]
    view = played("6 4 0 : 5 3 2", "2 6 2 : 4 3 3")
    for now in (standing(character, played(), "white"), standing(character, view, "white")):
        parts = character.parts(now.left, now.lead, now.memory)
        assert sum(part.weight for part in parts) == pytest.approx(1.0)
        for part in parts:
            for mix in (part.mix, part.belief or part.mix):
                assert sum(mix) == pytest.approx(1.0) and min(mix) >= 0.0 and len(mix) == 66


@pytest.mark.parametrize("level", [2, 5, 8])
def test_splits_are_drawn_as_often_as_the_mix_says(level):
    rounds = ("6 4 0 : 5 3 2", "2 6 2 : 4 3 3")
    view = played(*rounds)
    character = CHARACTERS[level]
    now = standing(character, view, "white")
    wanted = [0.0] * len(SPLITS)
    for part in character.parts(now.left, now.lead, now.memory):
        for index, chance in enumerate(part.mix):
            wanted[index] += part.weight * chance
    draws = 6000
    seen = Counter(INDEX[thought(level, view, seed).action.split] for seed in range(draws))
    support = [index for index, chance in enumerate(wanted) if chance > 0.0]
    assert set(seen) <= set(support)
    counts = [seen[index] for index in support]
    assert chisquare(counts, [draws * wanted[index] for index in support]).pvalue > 0.001


def test_the_value_is_that_of_the_standing_where_nothing_is_believed():
    view = played("6 4 0 : 5 3 2", "6 4 0 : 5 3 2", "6 4 0 : 5 3 2")
    assert thought(8, view).value == equilibrium.value(2, 3) == 1.0
    part = Part(1.0, "equilibrium", equilibrium.mix(1, 1))
    one_ahead = expected_result(Standing(1, 1, None), INDEX[6, 4, 0], part)
    assert one_ahead == pytest.approx(2 / 3, abs=1e-3)


def test_the_value_of_an_answer_counts_on_the_round():
    found = [t for t in thoughts(4, "5 3 2 : 6 4 0") if t.why == "answers"]
    assert {each.value for each in found} == {equilibrium.value(3, 0)} == {0.0}
    assert equilibrium.value(4, -1) < 0.0


def test_there_are_eight_levels_that_need_no_numba():
    levels = levels_of("blotto")
    assert [level.number for level in levels] == list(CHARACTERS) == list(range(1, 9))
    assert not any(level.needs_numba for level in levels)
    warm()
