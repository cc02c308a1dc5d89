"""Equilibrium for winning the match, and the exploitability of each level."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from json import loads

import pytest

from games.__main__ import main
from games.players.blotto import equilibrium, solve
from games.players.blotto.characters import CHARACTERS, Character, Part, best_replies
from games.players.blotto.commands import table_json
from games.players.blotto.exploitability import exploitability
from games.players.blotto.splits import INDEX, OUTCOME, SPLITS, even, mix_of_types
from tests.games.command_line import run

pytestmark = pytest.mark.slow

# By rounds left: the leader's value at a lead of 1, 2, 3, 4; known from a solution of its own.
VALUES = {
    1: (0.667, 1, 1, 1),
    2: (0.557, 0.889, 1, 1),
    3: (0.484, 0.816, 0.963, 1),
    4: (0.434, 0.755, 0.927, 0.988),
}
REACHED = [(left, lead) for left in range(1, 6) for lead in range(left - 5, 6 - left)]


@pytest.mark.parametrize("left", VALUES)
def test_the_values_are_those_that_are_known(left):
    found = [solve.value(left, lead) for lead in range(1, 5)]
    assert found == pytest.approx(VALUES[left], abs=6e-4)


def test_the_table_that_is_kept_has_the_values_that_are_solved_anew():
    assert {(int(left), int(lead)) for left, e in equilibrium.table().items() for lead in e} == set(
        REACHED
    )
    for left, lead in REACHED:
        assert equilibrium.value(left, lead) == pytest.approx(solve.value(left, lead), abs=2e-6)


@pytest.mark.parametrize(("left", "lead"), REACHED)
def test_no_split_beats_a_kept_mix_by_more_than_its_rounding(left, lead):
    mix = equilibrium.mix(left, lead)
    assert sum(mix) == pytest.approx(1.0, abs=1e-9)
    for theirs in range(len(SPLITS)):
        earned = sum(
            chance * equilibrium.value(left - 1, lead + OUTCOME[own][theirs])
            for own, chance in enumerate(mix)
            if abs(lead + OUTCOME[own][theirs]) <= 6 - left
        )
        assert earned >= solve.value(left, lead) - 1e-5


def test_one_round_is_the_equilibrium_of_points():
    mix = equilibrium.one_round()
    earned = [sum(p * OUTCOME[i][j] for i, p in enumerate(mix)) for j in range(len(SPLITS))]
    assert min(earned) == pytest.approx(0.0, abs=1e-6)
    assert earned[INDEX[10, 0, 0]] > 0.3 and earned[INDEX[8, 1, 1]] > 0.05


# Exploitability


def fixed(mix) -> Character:
    return Character(lambda left, lead, memory: (Part(1.0, "", mix),), lambda *_: None)


def test_a_constant_split_loses_every_match():
    assert exploitability(fixed(even([INDEX[6, 4, 0]]))) == 1.0


def test_of_three_orders_of_an_even_split_one_reply_beats_all():
    assert exploitability(fixed(mix_of_types({"4-3-3": 1.0}))) == 1.0


def test_exploitability_of_a_random_split_equals_a_slow_count():
    character = fixed(even(list(range(66))))
    assert exploitability(character) == pytest.approx(slowly(character), abs=1e-12)
    assert 0.5 < exploitability(character) < 1.0


def test_a_copier_is_beaten_from_the_second_round_on():
    def parts(left, lead, memory):
        return (Part(1.0, "", equilibrium.one_round() if memory is None else even([memory])),)

    assert exploitability(Character(parts, lambda memory, own, theirs: theirs)) == 1.0


def perfect(left, lead, memory):
    return (Part(1.0, "", equilibrium.mix(left, lead)),)


@pytest.mark.parametrize(
    "character",
    [
        CHARACTERS[1],
        fixed(equilibrium.one_round()),
        Character(perfect, lambda *_: None, minds_own=False),
    ],
    ids=["favourite", "one round", "match"],
)
def test_the_best_reply_earns_what_a_slow_count_says(character):
    assert exploitability(character) == pytest.approx(slowly(character), abs=1e-9)


def slowly(character: Character) -> float:
    """The same without arrays: the best reply by recursion over what can happen."""

    @cache
    def worth(left, lead, memory):
        if left == 0:
            return (lead < 0) - (lead > 0)
        mix = [0.0] * len(SPLITS)
        for part in character.parts(left, lead, memory):
            mix = [m + part.weight * p for m, p in zip(mix, part.mix, strict=True)]
        return max(
            sum(
                p * worth(left - 1, lead + OUTCOME[own][theirs], follows(memory, own, theirs))
                for own, p in enumerate(mix)
                if p
            )
            for theirs in range(len(SPLITS))
        )

    def follows(memory, own, theirs):
        return character.remember(memory, own, theirs)

    return worth(5, 0, None)


def test_exploitability_falls_with_every_level_and_is_small_from_the_sixth_on():
    earned = [exploitability(CHARACTERS[level]) for level in range(1, 6)]
    assert all(lower > higher + 0.01 for lower, higher in pairwise(earned))
    bounds = [CHARACTERS[level].bound for level in (6, 7, 8)]
    assert earned[0] == 1.0 and earned[-1] > 0.05 and bounds == [0.005, 0.01, 0.02]
    assert 0.0 <= exploitability(Character(perfect, lambda *_: None, minds_own=False)) < 0.001
    with pytest.raises(ValueError, match="bound"):
        exploitability(CHARACTERS[8])


def test_the_best_replies_to_one_split_are_all_that_beat_it():
    found = best_replies(even([INDEX[6, 4, 0]]))
    assert {i for i, p in enumerate(found) if p} == {
        i for i in range(66) if OUTCOME[i][INDEX[6, 4, 0]] == 1
    }


# The commands


@pytest.mark.processes
@pytest.mark.nightly
def test_exploit_prints_a_falling_line_for_each_level():
    status, out, err = run("exploit", "blotto")
    lines = out.splitlines()
    earned = [float(line.split(": ")[1]) for line in lines[:5]]
    assert (status, err, len(lines)) == (0, "", 8) and earned == sorted(earned, reverse=True)
    assert lines[-1] == "level 8: at most 0.020000"


@pytest.mark.processes
def test_solving_writes_a_table_like_the_one_that_is_kept(tmp_path):
    path = tmp_path / "table.json"
    assert run("solve-blotto", "--to", path) == (0, "", "")
    table = loads(path.read_text())
    kept = equilibrium.table()
    assert {left: set(leads) for left, leads in table.items()} == {
        left: set(leads) for left, leads in kept.items()
    }
    assert table_json(kept) == equilibrium.FILE.read_text()


@pytest.mark.processes
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("exploit", "pincer"), "known for blotto only"),
        (("exploit", "chess"), "There is no rule set “chess”"),
        (("solve-blotto", "--to", "/no/such/folder/table.json"), "No such file or directory"),
    ],
)
def test_a_computation_that_is_impossible_ends_with_a_sentence_and_status_two(arguments, sentence):
    status, out, err = run(*arguments)
    assert status == 2 and out == "" and sentence in err and len(err.splitlines()) == 1


def test_a_missing_package_is_named(monkeypatch, capsys):
    monkeypatch.setattr("games.players.blotto.commands.find_spec", lambda name: None)
    assert main(["solve-blotto"]) == 2 and capsys.readouterr().err == "This needs scipy.\n"
    assert main(["exploit", "blotto"]) == 2 and capsys.readouterr().err == "This needs numpy.\n"
