"""Pages of puzzles and of daily positions: listed and hidden ones."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from games.catalogue import BLOTTO
from games.puzzles.blotto import earned_points, parse_split
from play.domain.clocks import now
from puzzles import daily
from puzzles.daily import count_streak, day_of
from puzzles.models import DailyPosition, Puzzle, PuzzleAttempt
from puzzles.views import PAGE_ROWS, next_puzzle
from tests.puzzles.puzzle_rows import RIGHT, attempt, make_daily, new_puzzle, wrong_turn
from tests.support.page_visitors import at_home, ended, game_of, has_word, someone, text_of

pytestmark = pytest.mark.django_db


def test_pages_without_puzzles_say_so() -> None:
    assert "No puzzles here yet" in text_of(Client().get("/puzzles/"))
    assert "no position today" in text_of(Client().get("/daily/"))
    assert Client().get("/puzzles/next/").status_code == 302
    assert Client().get("/daily/archive/").status_code == 200


def test_the_archive_has_pages() -> None:
    rows = [new_puzzle() for _ in range(PAGE_ROWS + 2)]
    first = Client().get("/puzzles/").content.decode()
    oldest = [row.slug for row in rows[:2]]
    assert first.count('class="puzzle-name"') == PAGE_ROWS
    assert not any(slug in first for slug in oldest)
    key = first.split("before=")[1].split('"')[0]
    second = Client().get(f"/puzzles/?before={key}").content.decode()
    assert all(slug in second for slug in oldest)
    for wrong in ("x", "-1", "9" * 30, "²"):
        assert Client().get("/puzzles/", {"before": wrong}).status_code == 200


def test_the_game_filters() -> None:
    row = new_puzzle()
    assert row.slug in Client().get("/puzzles/?game=blotto").content.decode()
    assert row.slug not in Client().get("/puzzles/?game=pincer").content.decode()
    assert row.slug in Client().get("/puzzles/?game=chess").content.decode()


def test_the_filters_have_the_order_of_other_pages() -> None:
    page = Client().get("/puzzles/").content.decode()
    assert re.findall(r"\?game=([^\"]+)\"", page) == [
        *("amazons-10x10", "amazons-8x8", "blotto", "pincer"),
    ]


def test_the_next_puzzle_is_the_nearest_untried_one() -> None:
    ada, browser = at_home("ada")
    near, far = new_puzzle(), new_puzzle()
    Puzzle.objects.filter(pk=near.pk).update(rating=1_510_000)
    Puzzle.objects.filter(pk=far.pk).update(rating=1_900_000)
    today = day_of(now())
    assert next_puzzle(ada, today) == near
    attempt(browser, near, RIGHT)
    assert next_puzzle(ada, today) == far
    assert browser.get("/puzzles/next/").url == f"/puzzles/{far.slug}/"
    attempt(browser, far, RIGHT)
    assert "done=1" in browser.get("/puzzles/next/").url


def test_days_to_come_are_kept_back_everywhere() -> None:
    row = new_puzzle()
    make_daily(row, days=1)
    tomorrow = day_of(now()) + timedelta(days=1)
    for path in (f"/puzzles/{row.slug}/", f"/daily/{tomorrow}/"):
        assert Client().get(path).status_code == 404
    assert attempt(Client(), row, RIGHT).status_code == 404
    assert row.slug not in Client().get("/puzzles/").content.decode()
    assert str(tomorrow) not in Client().get("/daily/archive/").content.decode()
    assert next_puzzle(None, day_of(now())) is None


def test_todays_puzzle_is_on_its_own_page() -> None:
    row = new_puzzle()
    make_daily(row)
    today = day_of(now())
    assert Client().get(f"/puzzles/{row.slug}/").url == "/daily/"
    assert Client().get(f"/daily/{today}/").url == "/daily/"
    assert row.slug not in Client().get("/puzzles/").content.decode()
    assert "Position of the day" in text_of(Client().get("/daily/"))


@pytest.mark.parametrize("day", ["2020-01-01", "2026-13-01", "2026-02-30", "9999-12-31", "today"])
def test_a_day_without_a_position_is_not_found(day) -> None:
    assert Client().get(f"/daily/{day}/").status_code == 404


def test_an_unknown_puzzle_is_not_found() -> None:
    assert Client().get("/puzzles/nosuch22/").status_code == 404


def test_withdrawn_rules_are_shown_nowhere() -> None:
    row = new_puzzle()
    make_daily(row)
    Puzzle.objects.filter(pk=row.pk).update(rules="withdrawn")
    assert Client().get(f"/puzzles/{row.slug}/").status_code == 404
    assert "no position today" in text_of(Client().get("/daily/"))
    assert Client().get("/daily/archive/").status_code == 200
    assert Client().get("/puzzles/").status_code == 200


def test_the_source_is_named_after_the_end_and_only_if_public() -> None:
    _, browser = at_home("cy")
    game = ended(game_of(someone("ada"), someone("bob"), "blotto"))
    row = new_puzzle(game)
    page = browser.get(f"/puzzles/{row.slug}/").content.decode()
    assert not has_word(page, "ada")
    source = attempt(browser, row, RIGHT).json()["end"]["source"]
    assert source == {"url": f"/g/{game.slug}/", "say": "From a game between ada and bob"}
    game.is_public = False
    game.save()
    page = browser.get(f"/puzzles/{row.slug}/").content.decode()
    assert not has_word(page, "bob")


def test_a_split_is_told_what_it_earns_and_the_solution_only_at_the_end() -> None:
    _, browser = at_home("cy")
    row = new_puzzle()
    state, role = BLOTTO.read(row.position), row.task.role
    for number in range(3):
        turn = wrong_turn(row, number)
        answer = attempt(browser, row, turn, number).json()
        points = earned_points(state, role, parse_split(turn[0]))
        rows = answer["earned"]["rows"]
        assert [each["tried"] for each in rows] == points
        assert f"Your {turn[0][7:]} earns " in answer["earned"]["say"]
        is_over = number == 2
        assert [each["best"] is not None for each in rows] == [is_over] * 4
        shown = answer["snapshot"]
        assert shown["your_seal"] == (row.solution[0] if is_over else turn)
        assert (shown["status"], shown["outcome"]) == ("live", None)  # no round of the old game
        assert (answer["end"] is not None) is is_over
    assert sum(each["best"] for each in rows) == row.task.proof["best"]
    page = browser.get(f"/puzzles/{row.slug}/").context["data"]
    assert page["last"]["earned"] == answer["earned"]


def test_a_puzzle_outlives_its_game() -> None:
    _, browser = at_home("cy")
    game = ended(game_of(someone("ada"), someone("bob"), "blotto"))
    row = new_puzzle(game)
    game.delete()
    assert attempt(browser, row, RIGHT).json()["end"]["source"] is None


def test_days_are_chosen_ahead_and_stay() -> None:
    today = day_of(now())
    assert daily.choose_days(today) == []
    rows = [new_puzzle() for _ in range(6)]
    made = daily.choose_days(today)
    assert [row.day for row in made] == [today + timedelta(days=n) for n in range(3)]
    assert len({row.puzzle_id for row in made}) == 3
    rows.append(new_puzzle())
    assert daily.choose_days(today) == []
    before = list(DailyPosition.objects.order_by("day").values_list("day", "puzzle"))
    DailyPosition.objects.all().delete()
    rows.pop().delete()
    daily.choose_days(today)  # the same from the same puzzles
    assert list(DailyPosition.objects.order_by("day").values_list("day", "puzzle")) == before


def test_a_streak_is_a_run_of_days_up_to_today_or_yesterday() -> None:
    today = day_of(now())
    days = [today - timedelta(days=n) for n in range(5)]
    assert count_streak([], today) == 0
    assert count_streak(days[:3], today) == 3
    assert count_streak(days[1:3], today) == 2
    assert count_streak(days[2:], today) == 0
    assert count_streak([days[0], *days[2:]], today) == 1


def test_the_archive_of_days_shows_results_and_the_streak() -> None:
    _, browser = at_home("ada")
    row, older = new_puzzle(), new_puzzle()
    make_daily(row)
    make_daily(older, days=-1)
    attempt(browser, row, RIGHT)
    attempt(browser, older, RIGHT)  # too late for its day
    assert PuzzleAttempt.objects.get(puzzle=older).day is None
    text = text_of(browser.get("/daily/archive/"))
    assert "Your streak: 1 day." in text
    assert text.count("1 of 3") == 2
    page = browser.get(f"/daily/{day_of(now()) - timedelta(days=1)}/")
    assert page.status_code == 200
