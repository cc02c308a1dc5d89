"""Rule of a rung: two wins of three games in a row, both sides in them."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.ladder.boss import FIRST_MONDAY_MS, LEVELS, WEEK_MS, boss_at
from ratings.ladder.rungs import BOARD_GAMES, Played, games_of_rung, side_to_play

LETTERS = {"W": ("white", True), "w": ("white", False), "B": ("black", True), "b": ("black", False)}


def played(text: str) -> list[Played]:
    """Games by letter: the side, a capital if it has won."""
    return [Played(*LETTERS[letter]) for letter in text]


@pytest.mark.parametrize(
    ("games", "count"),
    [
        ("", 0),
        ("W", 0),
        ("WB", 2),
        ("BW", 2),
        ("WW", 0),
        ("WWB", 2),  # the newest two suffice
        ("WWb", 3),
        ("WbW", 3),
        ("wBW", 2),
        ("WwW", 0),  # one side alone
        ("Wbw", 0),
        ("BwwB", 0),  # the win before these three is too old
        ("BwB", 3),
        ("WbbB", 0),
    ],
)
def test_games_of_a_rung(games, count) -> None:
    assert games_of_rung(played(games)) == count


@given(st.text("WwBb", max_size=8))
def test_a_rung_has_two_wins_and_both_sides(text) -> None:
    games = played(text)
    if count := games_of_rung(games):
        newest = games[-count:]
        assert sum(game.is_won for game in newest) >= 2
        assert {game.role for game in newest} == {"white", "black"}


@given(st.text("WwBb", min_size=1, max_size=8))
def test_winning_with_the_named_side_climbs(text) -> None:
    games = played(text)
    if side := side_to_play(games):
        assert games_of_rung([*games, Played(side, is_won=True)]) == 2


def test_the_boss_changes_on_mondays_and_visits_all() -> None:
    weeks = [boss_at(FIRST_MONDAY_MS + n * WEEK_MS) for n in range(len(BOARD_GAMES) * len(LEVELS))]
    assert {(boss.rules, boss.level) for boss in weeks} == {
        (rules, level) for rules in BOARD_GAMES for level in LEVELS
    }
    for earlier, later in itertools.pairwise(weeks):
        assert earlier.until == later.since
        assert earlier.rules != later.rules


@given(st.integers(0, 4_000_000_000_000))
def test_a_time_lies_in_the_week_of_its_boss(at) -> None:
    boss = boss_at(at)
    assert boss.since <= at < boss.until
    assert boss_at(boss.since) == boss == boss_at(boss.until - 1)
    assert (boss.since - FIRST_MONDAY_MS) % WEEK_MS == 0
