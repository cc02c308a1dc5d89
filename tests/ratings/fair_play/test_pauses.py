"""Pauses of rated play, read from the log."""

import pytest

from play.domain.clocks import DAY_MS, now
from ratings.fair_play.incidents import PAUSE_MS, Kind
from ratings.fair_play.rated_log import current_pauses, paused_until, read_games, recent_incidents
from ratings.rules.generations import correct
from tests.ratings.fair_play.incident_games import missed, resigned_early, timed_out
from tests.support.rated_games import apply_all, create_accounts, rated_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair(db):
    return create_accounts("ada", "bob")


def test_who_has_played_nothing_is_not_paused(pair) -> None:
    assert paused_until(pair[0].pk, now()) is None
    assert read_games(pair[0].pk) == []


def test_three_early_resignations_pause_for_a_day_and_name_their_games(pair) -> None:
    ada, bob = pair
    games = [resigned_early(ada, bob) for _ in range(3)]
    apply_all()
    end = games[-1].row.ended
    [pause] = current_pauses(ada.pk, end)
    assert (pause.kind, pause.until) == (Kind.RESIGNATION, end + PAUSE_MS)
    assert list(pause.games) == [each.game.pk for each in games]
    assert paused_until(ada.pk, end + PAUSE_MS - 1) == end + PAUSE_MS
    assert paused_until(ada.pk, end + PAUSE_MS) is None
    assert paused_until(bob.pk, end) is None


def test_a_resignation_is_early_before_six_own_turns_and_quick_before_nine(pair) -> None:
    ada, bob = pair
    for turns in (10, 16, 18):  # of both
        rated_game(ada, bob, "black", "amazons-10x10", turns=turns, at=now() + 60_000)
    apply_all()
    found = [each.incident for each in read_games(ada.pk)]
    assert found == [Kind.RESIGNATION, Kind.QUICK_RESIGNATION, None]


def test_resigning_soon_after_the_sixth_turn_again_and_again_pauses() -> None:
    """As an account does that was made to lose."""
    loser, *winners = create_accounts(*"abcdef")
    for winner in winners:
        rated_game(loser, winner, "black", "amazons-8x8", turns=12, at=now() + 60_000)
    apply_all()
    [pause] = current_pauses(loser.pk, now())
    assert (pause.kind, len(pause.games)) == (Kind.QUICK_RESIGNATION, 5)


def test_a_lost_game_of_blotto_is_no_early_resignation(pair) -> None:
    ada, bob = pair
    game = rated_game(ada, bob, "black", "blotto")
    apply_all()
    assert game.row.reason == "resigned"
    assert [each.incident for each in read_games(ada.pk)] == [None]


def test_two_missed_starts_pause_the_absent_and_not_who_waited(pair) -> None:
    ada, bob = pair
    games = [missed(ada, bob) for _ in range(2)]
    apply_all()
    end = games[-1].row.ended
    [pause] = current_pauses(ada.pk, end)
    assert (pause.kind, pause.until) == (Kind.NO_SHOW, end + PAUSE_MS)
    assert current_pauses(bob.pk, end) == []


def test_a_time_out_that_did_not_count_pauses_and_names_those_before(pair) -> None:
    ada, bob = pair
    games = [timed_out(ada, bob) for _ in range(3)]
    apply_all()
    end = games[-1].row.ended
    [pause] = current_pauses(ada.pk, end)
    assert pause.kind is Kind.TIME_OUT
    assert list(pause.games) == [each.game.pk for each in games]
    assert len(recent_incidents(ada.pk, end - 30 * DAY_MS)) == 3
    assert recent_incidents(bob.pk, 0) == []


def test_an_annulment_ends_the_pause_and_a_restoration_brings_it_back(pair) -> None:
    ada, bob = pair
    games = [resigned_early(ada, bob) for _ in range(3)]
    apply_all()
    end = games[-1].row.ended
    correct([games[0].slug], True, "It was a test of the board.", "test")
    assert paused_until(ada.pk, end) is None
    correct([games[0].slug], False, "It was none.", "test")
    assert paused_until(ada.pk, end) == end + PAUSE_MS
