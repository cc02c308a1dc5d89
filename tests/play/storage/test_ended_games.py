"""Follow-ups to the end of a game: each once, in order, though some fail or processes die."""

import logging

import pytest

from play.domain.clocks import SECOND_MS, now
from play.models import EndedGame, Game
from play.process_models import Lease
from play.storage import ended_games
from play.storage.ended_games import EndedGamesTask, run_follow_ups
from ratings.models import RatingEntry
from tests.support.rated_games import create_accounts, rated_game

pytestmark = pytest.mark.django_db
calls: list[tuple[str, list[int]]] = []
broken: set[int] = set()


def first_follow_up(games) -> None:
    """Note the games; fail if one of them is broken."""
    if broken & set(games):
        raise ValueError("cannot be read")
    calls.append(("first", list(games)))


def second_follow_up(games) -> None:
    """Note the games."""
    calls.append(("second", list(games)))


def dying_follow_up(games) -> None:
    """Stand for a process that is killed."""
    raise KeyboardInterrupt


@pytest.fixture
def follow_ups(settings):
    """Two follow-ups that note their games."""
    settings.ENDED_GAME_FOLLOW_UPS = [f"{__name__}.first_follow_up", f"{__name__}.second_follow_up"]
    calls.clear()
    broken.clear()
    return settings


@pytest.fixture
def games() -> list[int]:
    """Return the ids of three games, in the order of their ends."""
    people = create_accounts("ada", "bob")
    for _ in range(3):
        rated_game(*people)
    return list(Game.objects.order_by("ended").values_list("pk", flat=True))


def test_the_transaction_that_ends_a_game_writes_its_row(games) -> None:
    assert list(EndedGame.objects.order_by("ended").values_list("pk", flat=True)) == games


def test_follow_ups_run_one_after_the_other_and_the_rows_go(follow_ups, games) -> None:
    assert run_follow_ups(now()) == 3
    assert calls == [("first", games), ("second", games)]
    assert run_follow_ups(now()) == 0


def test_a_game_whose_follow_up_fails_holds_up_no_other_and_is_tried_again(
    follow_ups, games, caplog
) -> None:
    broken.add(games[1])
    at = now()
    run_follow_ups(at)
    assert calls == [("first", [games[0]]), ("first", [games[2]]), ("second", games)]
    assert [each.event for each in caplog.records if each.levelno == logging.ERROR] == [
        "ended_game_follow_up_failed"
    ]
    assert (EndedGame.objects.get().pk, EndedGame.objects.get().tries) == (games[1], 1)
    broken.clear()
    assert run_follow_ups(at) == 0
    assert run_follow_ups(at + SECOND_MS) == 1
    assert not EndedGame.objects.exists()


def test_the_delay_between_tries_doubles_up_to_a_bound(follow_ups, games) -> None:
    broken.update(games)
    EndedGame.objects.update(tries=3)
    at = now()
    run_follow_ups(at)
    assert {row.retry_at - at for row in EndedGame.objects.all()} == {8 * SECOND_MS}
    EndedGame.objects.update(tries=40, retry_at=0)
    run_follow_ups(at)
    delays = {row.retry_at - at for row in EndedGame.objects.all()}
    assert delays == {ended_games.MAX_RETRY_DELAY_MS}


def test_a_process_that_dies_between_two_follow_ups_loses_nothing(follow_ups, games) -> None:
    follow_ups.ENDED_GAME_FOLLOW_UPS = [
        "ratings.rules.applier.apply_ended_games",
        f"{__name__}.dying_follow_up",
    ]
    with pytest.raises(KeyboardInterrupt):
        run_follow_ups(now())
    assert RatingEntry.objects.count() == 3
    follow_ups.ENDED_GAME_FOLLOW_UPS[1] = f"{__name__}.second_follow_up"
    assert run_follow_ups(now()) == 3
    assert (RatingEntry.objects.count(), calls) == (3, [("second", games)])


def test_the_follow_ups_of_the_site_may_run_twice(games, settings) -> None:
    rows = list(EndedGame.objects.values())
    run_follow_ups(now())
    EndedGame.objects.bulk_create(EndedGame(**row) for row in rows)
    run_follow_ups(now())
    assert RatingEntry.objects.count() == 3
    assert not EndedGame.objects.exists()


def test_one_process_at_a_time_works_and_another_follows_when_it_ends(follow_ups, games) -> None:
    one, two, at = EndedGamesTask(), EndedGamesTask(), now()
    assert one.run("one", at) == ended_games.INTERVAL_S
    EndedGame.objects.create(game_id=games[0], ended=at)
    assert two.run("two", at + 1) == ended_games.STANDBY_INTERVAL_S
    one.give_back("one")
    two.run("two", at + 2)
    assert calls[-1] == ("second", [games[0]])
    assert Lease.objects.get(name=ended_games.LEASE).process == "two"


def test_full_rounds_follow_each_other_at_once(follow_ups, games, monkeypatch) -> None:
    monkeypatch.setattr(ended_games, "GAMES_A_ROUND", 2)
    task = EndedGamesTask()
    assert [task.run("one", now()) for _ in range(2)] == [0.0, ended_games.INTERVAL_S]
