"""The commands `python -m games match` and `ladder`."""

from __future__ import annotations

import json

import pytest

from tests.games.command_line import run


def test_match_prints_results_difference_speed_and_length():
    status, out, err = run("match", "random", "random", "pincer", "--games", 10, "--seed", 3)
    assert status == 0 and err.splitlines()[-1].startswith("10/10 random – random: +")
    first, results, elo, own, theirs, length = out.splitlines()
    assert "10 games from 5 openings" in first and results.startswith("won ")
    assert "Elo difference" in elo and "95 % interval" in elo
    assert own.startswith("random: ") and "nodes a second" in own and "s a turn" in theirs
    assert length.startswith("mean length ")


def test_match_is_the_same_again_and_in_two_processes():
    def results(*more):
        _, out, _ = run("match", "random", "random", "pincer", "--games", 6, *more)
        return out.splitlines()[:3]

    assert results() == results("--jobs", 2)
    assert results()[1:] != results("--seed", 2)[1:] or results("--seed", 3)[1:] != results()[1:]


def test_match_until_sure_says_what_it_is_sure_of():
    arguments = ("match", "random", "random", "pincer", "--games", 8, "--until-sure")
    status, out, _ = run(*arguments, "--elo0", -500, "--elo1", 500)
    assert status == 0 and "sequential test, Elo -500 against 500, chance to err 0.05" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("match", 9, 1, "blotto"), "“9” is not a level of Colonel Blotto."),
        (("match", 1, 0, "blotto"), "“0” is not a level of Colonel Blotto."),
        (("match", 1, 2, "chess"), "There is no rule set “chess”"),
        (("match", 1, "anybody", "pincer"), "“anybody” is not a player"),
        (("match", "spiel:9", 1, "pincer"), "“spiel” does not play Pincer."),
        (("ladder", "chess"), "There is no rule set “chess”"),
        (("ladder", "pincer", "--levels", "7-9"), "“9” is not a level of Pincer."),
        (("ladder", "pincer", "--anchors", "x.json"), "need a --version"),
        (
            ("ladder", "pincer", "--anchors", "x.json", "--version", 2026, "--levels", "1-3"),
            "Anchors are of levels 1-8",
        ),
    ],
)
def test_a_match_that_is_impossible_ends_with_a_sentence_and_status_two(arguments, sentence):
    status, out, err = run(*arguments)
    assert status == 2 and out == "" and sentence in err and len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "more",
    [
        ("--games", 3),
        ("--games", 0),
        ("--games", "many"),
        ("--nodes", 0),
        ("--seconds", 0),
        ("--seconds", "nan"),
        ("--jobs", 0),
        ("--seed", "x"),
        ("--elo0", "nan"),
        ("--elo1", 5000),
    ],
)
def test_a_number_that_makes_no_sense_has_status_two(more):
    status, out, err = run("match", "random", "random", "pincer", *more)
    assert status == 2 and out == "" and f"argument {more[0]}" in err and "Traceback" not in err


def test_a_time_for_the_turn_is_kept_by_a_player_who_would_think_longer():
    arguments = ("match", 8, "random", "pincer", "--games", 2, "--seconds", 0.1)
    status, out, _ = run(*arguments)
    assert status == 0
    spent = float(out.splitlines()[3].split(" ")[1])  # "8: 0.098 s a turn …"
    assert 0.0 < spent < 0.3


def test_a_test_between_nothing_and_an_order_of_both_budgets_are_refused():
    match = ("match", "random", "random", "pincer")
    status, out, err = run(*match, "--until-sure", "--elo0", 30, "--elo1", 30)
    assert (status, out) == (2, "") and err == (
        "A sequential test needs an --elo1 above its --elo0.\n"
    )
    status, out, err = run(*match, "--nodes", 5, "--seconds", 1)
    assert (status, out) == (2, "") and "not allowed with argument" in err


def test_a_ladder_has_a_line_for_each_step_and_says_by_its_status_whether_all_rise():
    sure = ("--games", 8, "--elo0", -900, "--elo1", 900, "--seed", 4)
    status, out, err = run("ladder", "blotto", "--levels", "6-8", *sure)
    lines = out.splitlines()
    assert [line[:5] for line in lines] == ["7 – 6", "8 – 7"] and "8 – 7" in err
    rises = [line.endswith("  stronger") for line in lines]
    assert status == (0 if all(rises) else 1)
    assert all(line.endswith(("  stronger", "  not stronger", "  undecided")) for line in lines)


@pytest.mark.parametrize("span", ["8", "3-3", "5-2", "a-b", "-"])
def test_a_ladder_needs_two_levels(span):
    status, out, err = run("ladder", "pincer", "--levels", span)
    assert status == 2 and out == "" and "--levels" in err and "Traceback" not in err


@pytest.mark.nightly
def test_a_ladder_writes_anchors_with_its_command_and_counts(tmp_path):
    # Blotto's levels play fast; its file is refused elsewhere, because its games say little.
    file, counts = tmp_path / "blotto.json", "4,2,2,2,2,2,2"
    more = ("--anchors", file, "--version", 2026, "--counts", counts)
    status, out, _ = run("ladder", "blotto", *more)
    assert status == 0 and len(out.splitlines()) == 7
    content = json.loads(file.read_text(encoding="utf-8"))
    assert content["command"] == (
        f"python -m games ladder blotto --seed 1 --counts {counts} --version 2026 --anchors FILE"
    )
    assert [step["games"] for step in content["steps"]] == [4, 2, 2, 2, 2, 2, 2]
    assert content["ratings"][2] == 1_500_000 and content["margins"][2] == 0
    again = tmp_path / "again.json"
    run("ladder", "blotto", "--anchors", again, *more[2:])
    assert again.read_bytes() == file.read_bytes()
    status, _, err = run("ladder", "blotto", "--anchors", tmp_path, *more[2:])
    assert status == 2 and "Is a directory" in err.splitlines()[-1]


@pytest.mark.parametrize("counts", ["2,2", "3,2,2,2,2,2,2", "x", ""])
def test_counts_are_seven_even_numbers(counts):
    status, out, err = run("ladder", "blotto", "--counts", counts)
    assert status == 2 and out == "" and "--counts" in err
