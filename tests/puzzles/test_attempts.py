"""Tries at a puzzle: counted, refused and rated ones."""

import json
from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from play.domain.clocks import now
from puzzles import attempts
from puzzles.daily import day_of
from puzzles.models import Puzzle, PuzzleAttempt, PuzzleRating
from tests.puzzles.puzzle_rows import RIGHT, attempt, make_daily, new_puzzle, wrong_turn
from tests.support.page_visitors import at_home

pytestmark = pytest.mark.django_db


@pytest.fixture
def puzzle(db) -> Puzzle:
    return new_puzzle()


def test_the_right_turn_at_the_first_try_is_rated(puzzle) -> None:
    ada, browser = at_home("ada")
    answer = attempt(browser, puzzle, RIGHT).json()
    assert (answer["verdict"], answer["tries"], answer["solved"]) == ("solved", 1, True)
    assert answer["end"]["proof"]
    rating = PuzzleRating.objects.get(user=ada)
    row = Puzzle.objects.get(pk=puzzle.pk)
    assert rating.rating > 1_500_000
    assert row.rating < puzzle.rating
    assert (row.plays, row.solved, rating.puzzles) == (1, 1, 1)


def test_only_the_first_try_is_rated(puzzle) -> None:
    ada, browser = at_home("ada")
    attempt(browser, puzzle, wrong_turn(puzzle))
    lost = PuzzleRating.objects.get(user=ada).rating
    assert lost < 1_500_000
    answer = attempt(browser, puzzle, RIGHT, 1).json()
    assert (answer["tries"], answer["solved"]) == (2, True)
    assert PuzzleRating.objects.get(user=ada).rating == lost
    assert Puzzle.objects.get(pk=puzzle.pk).plays == 1


def test_the_solution_is_not_sent_before_the_end(puzzle) -> None:
    _, browser = at_home("ada")
    solution = json.dumps(puzzle.solution[0][0])
    shown = puzzle.solution[0][0].removeprefix("troops ")
    said = [browser.get(f"/puzzles/{puzzle.slug}/").content.decode()]
    for number in range(2):
        answer = attempt(browser, puzzle, wrong_turn(puzzle, number), number)
        assert answer.json()["end"] is None
        said.append(json.dumps(answer.json()))
        said.append(browser.get(f"/puzzles/{puzzle.slug}/").content.decode())
    assert all(solution not in text and f'"{shown}"' not in text for text in said)
    last = attempt(browser, puzzle, wrong_turn(puzzle, 2), 2).json()
    assert last["end"]["solution"] == [shown]
    assert not last["solved"]


def test_a_fourth_try_is_refused(puzzle) -> None:
    ada, browser = at_home("ada")
    for number in range(3):
        attempt(browser, puzzle, wrong_turn(puzzle, number), number)
    for tries in (3, 0, 2):
        answer = attempt(browser, puzzle, RIGHT, tries)
        assert answer.status_code == 409
        assert answer.json()["tries"] == 3
    row = PuzzleAttempt.objects.get(user=ada)
    assert (row.tries, row.is_solved) == (3, False)


def test_an_illegal_turn_uses_no_try_and_makes_no_guest(puzzle) -> None:
    browser = Client()
    for turn in (["troops 9 9 9"], ["move 1 1 2 2"], ["x"], ["troops 1 2 7", "troops 1 2 7"]):
        answer = attempt(browser, puzzle, turn)
        assert answer.json()["verdict"] == "illegal", turn
        assert answer.json()["say"]
    assert not PuzzleAttempt.objects.exists()
    assert not User.objects.filter(is_guest=True).exists()


def test_the_same_turn_again_uses_no_try(puzzle) -> None:
    _, browser = at_home("ada")
    attempt(browser, puzzle, wrong_turn(puzzle))
    answer = attempt(browser, puzzle, wrong_turn(puzzle), 1)
    assert answer.json()["reason"] == "tried_before"
    assert PuzzleAttempt.objects.get().tries == 1


def test_of_two_tabs_one_enters_its_try(puzzle) -> None:
    _, browser = at_home("ada")
    attempt(browser, puzzle, wrong_turn(puzzle, 0), 0)
    late = attempt(browser, puzzle, wrong_turn(puzzle, 1), 0)
    assert late.status_code == 409
    assert late.json()["outdated"]
    assert PuzzleAttempt.objects.get().turns == [wrong_turn(puzzle, 0)]


def test_two_first_tries_at_once_make_one_row(puzzle, monkeypatch) -> None:
    """The second has read before the first was committed."""
    ada, _ = at_home("ada")
    today, at = day_of(now()), now()
    first = attempts.play(puzzle, wrong_turn(puzzle, 0))
    attempts.enter(ada, puzzle, first, 0, today, at)
    monkeypatch.setattr(attempts, "attempt_of", lambda user, puzzle: None)
    with pytest.raises(attempts.Outdated):
        attempts.enter(ada, puzzle, attempts.play(puzzle, wrong_turn(puzzle, 1)), 0, today, at)
    assert PuzzleAttempt.objects.get().tries == 1
    assert Puzzle.objects.get(pk=puzzle.pk).plays == 1


def test_two_second_tries_at_once_enter_one(puzzle, monkeypatch) -> None:
    ada, _ = at_home("ada")
    today, at = day_of(now()), now()
    attempts.enter(ada, puzzle, attempts.play(puzzle, wrong_turn(puzzle, 0)), 0, today, at)
    stale = attempts.attempt_of(ada, puzzle)
    attempts.enter(ada, puzzle, attempts.play(puzzle, wrong_turn(puzzle, 1)), 1, today, at)
    monkeypatch.setattr(attempts, "attempt_of", lambda user, puzzle: stale)
    with pytest.raises(attempts.Outdated):
        attempts.enter(ada, puzzle, attempts.play(puzzle, wrong_turn(puzzle, 2)), 1, today, at)
    assert PuzzleAttempt.objects.get().tries == 2


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "[]",
        '{"actions": "troops 1 2 7", "tries": 0}',
        '{"actions": [], "tries": 0}',
        '{"actions": ["a", "b", "c"], "tries": 0}',
        '{"actions": ["troops 1 2 7"]}',
        '{"actions": ["troops 1 2 7"], "tries": "0"}',
        '{"actions": ["troops 1 2 7"], "tries": 0, "solved": true}',
        '{"actions": ["' + "9" * 2000 + '"], "tries": 0}',
    ],
)
def test_a_body_that_is_no_try_is_refused(puzzle, body) -> None:
    answer = Client().post(f"/puzzles/{puzzle.slug}/try", body, content_type="application/json")
    assert answer.status_code == 400
    assert not PuzzleAttempt.objects.exists()


def test_a_get_of_the_try_is_refused(puzzle) -> None:
    assert Client().get(f"/puzzles/{puzzle.slug}/try").url == f"/puzzles/{puzzle.slug}/"


def test_a_guest_plays_unrated_and_keeps_the_attempt_with_an_account(puzzle) -> None:
    browser = Client()
    browser.get(f"/puzzles/{puzzle.slug}/")
    assert not User.objects.exists()  # only a POST makes a guest
    answer = attempt(browser, puzzle, RIGHT).json()
    assert answer["end"]["rating"] is None
    guest = User.objects.get(is_guest=True)
    assert not PuzzleRating.objects.exists()
    assert Puzzle.objects.get(pk=puzzle.pk).rating == puzzle.rating
    guest.is_guest = False  # the guest signs up
    guest.save()
    assert attempt(browser, puzzle, RIGHT, 1).status_code == 409
    assert not PuzzleRating.objects.exists()


def test_the_position_of_the_day_is_rated_once(puzzle) -> None:
    ada, browser = at_home("ada")
    make_daily(puzzle)
    answer = attempt(browser, puzzle, RIGHT).json()
    day = day_of(now())
    assert PuzzleAttempt.objects.get().day == day
    assert answer["end"]["share"].startswith(f"Quiver daily {day}: 1 of 3 🟩")
    assert PuzzleRating.objects.get(user=ada).puzzles == 1
    puzzle.daily.day -= timedelta(days=1)
    puzzle.daily.delete()
    assert attempt(browser, puzzle, RIGHT, 1).status_code == 409  # in the archive afterwards
    assert PuzzleRating.objects.get(user=ada).puzzles == 1


def test_the_copy_of_ones_data_has_the_attempts_and_deletion_takes_them(puzzle) -> None:
    from puzzles.puzzle_data import delete_puzzles_of, export_puzzles

    ada, browser = at_home("ada")
    bob, other = at_home("bob")
    for each in (browser, other):
        attempt(each, puzzle, RIGHT)
    copy = export_puzzles(ada.pk)
    assert [row["puzzle"] for row in copy["attempts"]] == [puzzle.slug]
    assert copy["rating"]["puzzles"] == 1
    delete_puzzles_of(ada.pk)
    assert export_puzzles(ada.pk) == {"rating": None, "attempts": []}
    assert export_puzzles(bob.pk)["attempts"]
