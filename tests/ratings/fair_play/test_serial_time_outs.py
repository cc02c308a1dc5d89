"""The log rule of serial time-outs: two in seven days count, in batches and concurrently."""

import threading

import pytest
from django.db import connections

from games.blotto import State as BlottoState
from games.catalogue import BLOTTO, RULES
from play.domain.clocks import DAY_MS
from ratings.fair_play.time_out_rule import is_proven
from ratings.models import RatedGame, Standing
from ratings.rules.applier import append_games, examine, pending_games
from ratings.rules.fold_check import check_current
from ratings.rules.generations import correct
from ratings.rules.reasons import GameFacts
from tests.ratings.fair_play.incident_games import reasons, resigned_early, timed_out
from tests.support.rated_games import apply_all, create_accounts

pytestmark = pytest.mark.django_db
LATER_MS = DAY_MS + 2_000


def test_the_third_time_out_of_a_night_rates_neither_side() -> None:
    """All of them end in the same second and are applied in one round."""
    ada, *others = create_accounts("ada", "bob", "cy", "dan", "eve")
    for other in others:
        timed_out(ada, other)
    apply_all()
    assert reasons() == ["", "", "serial_timeout", "serial_timeout"]
    rated = Standing.objects.current().values_list("person__user__username", flat=True)
    assert sorted(rated) == ["ada", "bob", "cy"]
    assert check_current() is not None


def test_time_outs_that_are_applied_one_by_one_see_those_before() -> None:
    ada, bob = create_accounts("ada", "bob")
    for _ in range(3):
        timed_out(ada, bob)
        apply_all()
    assert reasons() == ["", "", "serial_timeout"]


def test_the_time_outs_of_others_do_not_matter() -> None:
    ada, bob, cy = create_accounts("ada", "bob", "cy")
    for loser, winner in ((ada, bob), (bob, cy), (cy, ada)) * 2:
        timed_out(loser, winner)
    apply_all()
    assert reasons() == [""] * 6


def test_a_week_later_one_counts_again() -> None:
    ada, bob = create_accounts("ada", "bob")
    for after in (LATER_MS, LATER_MS + 3 * DAY_MS, LATER_MS + 4 * DAY_MS, LATER_MS + 8 * DAY_MS):
        timed_out(ada, bob, after)
        apply_all()
    assert reasons() == ["", "", "serial_timeout", ""]


def test_resignations_are_no_time_outs() -> None:
    ada, bob = create_accounts("ada", "bob")
    for _ in range(3):
        resigned_early(ada, bob)
    timed_out(ada, bob)
    apply_all()
    assert reasons() == [""] * 4


def test_an_annulled_time_out_is_none_of_the_two() -> None:
    ada, bob = create_accounts("ada", "bob")
    first = timed_out(ada, bob)
    timed_out(ada, bob)
    apply_all()
    correct([first.slug], True, "Our server was down.", "test")
    timed_out(ada, bob)
    timed_out(ada, bob)
    apply_all()
    assert reasons() == ["", "", "", "serial_timeout"]
    assert check_current() is not None


@pytest.mark.django_db(transaction=True)
def test_two_processes_at_once_let_two_count() -> None:
    """Without the lease: all examine the games before any entry is written."""
    ada, *others = create_accounts("ada", *"bcdefghi")
    for other in others:
        timed_out(ada, other)
    found = [examine(slug) for slug in pending_games()]
    assert [each.not_rated for each in found] == [None] * 8
    parts = (found, found[::-1], found[:4], found[4:])
    barrier, errors = threading.Barrier(len(parts)), []

    def apply(part) -> None:
        try:
            barrier.wait(20)
            append_games(part)
        except Exception as error:  # shown by the assertion below
            errors.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=apply, args=(part,)) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert errors == []
    assert reasons() == ["", "", *["serial_timeout"] * 6]
    assert RatedGame.objects.count() == 2
    assert check_current() is not None


def facts(position: str, key: str = "amazons-8x8", winner: str = "black") -> GameFacts:
    return GameFacts(
        game=1,
        users=(1, 2),
        rules=key,
        clock_kind="days",
        ended=DAY_MS,
        winner=winner,
        ending="time",
        has_computer=False,
        had_guest=False,
        have_both_moved=True,
        is_verified=True,
        position=position,
    )


def test_a_lost_position_of_separated_areas_is_proven() -> None:
    walled = "W.xxxxxx/xxxxxxxx/" + "......../" * 5 + ".......B"
    assert is_proven(facts(f"{walled} white - 0"))
    assert not is_proven(facts(f"{walled} black - 0", winner="white"))
    assert not is_proven(facts(f"{'......../' * 7}W......B white - 0"))


def test_the_start_of_a_game_proves_nothing() -> None:
    for key, rules in RULES.items():
        assert not is_proven(facts(rules.write(rules.start()), key))


def test_a_lead_in_blotto_that_cannot_be_made_up_proves_the_loss() -> None:
    ahead = ((5, 5, 0), (1, 1, 8))  # by two points; a round left turns two at most
    for rounds, is_lost in ((2, False), (3, True)):
        position = BLOTTO.write(BlottoState((ahead,) * rounds))
        assert is_proven(facts(position, "blotto", winner="white")) is is_lost
        assert not is_proven(facts(position, "blotto", winner="black"))


def test_a_proven_time_out_counts_all_the_same(monkeypatch) -> None:
    ada, bob = create_accounts("ada", "bob")
    monkeypatch.setattr("ratings.fair_play.time_out_rule.is_proven", lambda facts: True)
    for _ in range(3):
        timed_out(ada, bob)
    apply_all()
    assert reasons() == ["", "", ""]
