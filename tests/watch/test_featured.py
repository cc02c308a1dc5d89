"""The game of the large board: which one goes before which, and when one leaves it."""

import pytest
from asgiref.sync import sync_to_async

from accounts.account_service import delete_user
from accounts.models import User
from accounts.people.computer_users import computer
from play.domain import clocks
from play.domain.clocks import MonotonicClock, now
from play.models import FRESH_MS, MOVED_WITHIN_MS, Game, Seat
from tests.support.loop_runtime import hub, is_silent
from tests.support.page_visitors import Watcher, ended, game_of, someone
from tests.support.waiting import turn_loop_clock
from watch.featured import LINGER_MS, MIN_REPLAY_STEPS, RECENT_MS, progress_text
from watch.public_lists import RECHECK_INTERVAL_S, initial_frame

pytestmark = pytest.mark.django_db
WON = {"winner": "white", "reason": "no_moves", "goals": '{"white":100,"black":0}'}


def featured() -> tuple[str, str] | None:
    """The kind and the players of the featured game."""
    shown = initial_frame()["featured"]
    return shown and (shown["kind"], f"{shown['white']} {shown['black']}")


def moved(game: Game, ago_ms: int = 0, **columns: object) -> Game:
    """A game in which the last move was made some time ago."""
    Game.objects.filter(pk=game.pk).update(
        **{"step": 3, "changed": now() - ago_ms, **columns},
    )
    return game


def people(white: str, black: str, ago_ms: int = 0, **columns: object) -> Game:
    return moved(game_of(someone(white), someone(black)), ago_ms, **columns)


def exhibition() -> Game:
    return moved(game_of(computer(3), computer(4)))


def finished(white: User, black: User, ago_ms: int = 3_600_000, **columns: object) -> Game:
    """A game that was won on the board long ago, after enough moves."""
    at = now() - ago_ms
    told = {**WON, "step": MIN_REPLAY_STEPS["pincer"], "ended": at, "changed": at, **columns}
    return ended(game_of(white, black), **told)


def connect(game: Game, ago_ms: int = 0) -> None:
    Seat.objects.filter(game=game, role="white").update(seen=now() - ago_ms)


def test_each_kind_of_game_goes_before_those_below_it() -> None:
    assert featured() is None
    finished(someone("ada"), someone("bob"))
    assert featured() == ("replay", "ada bob")
    exhibition()
    assert featured() == ("computer", "Jay Magpie")
    people("cy", "dee", MOVED_WITHIN_MS + 1, clock_kind="days")
    assert featured() == ("days", "cy dee")
    people("eve", "fay")
    assert featured() == ("live", "eve fay")


def test_people_go_before_a_person_at_the_computer_and_the_older_game_stays() -> None:
    moved(game_of(someone("ada"), computer(3)))
    assert featured() == ("live", "ada Jay")
    people("bob", "cy")
    assert featured() == ("live", "bob cy")
    people("dee", "eve")
    assert featured() == ("live", "bob cy")


def test_a_game_of_people_stays_while_they_think_and_leaves_when_they_have_left() -> None:
    game = people("ada", "bob", MOVED_WITHIN_MS + 1)
    assert featured() is None
    connect(game)
    assert featured() == ("live", "ada bob")
    connect(game, FRESH_MS + 1)
    assert featured() is None


def test_a_board_on_which_nothing_moves_for_long_is_not_featured() -> None:
    game = people("ada", "bob", RECENT_MS + 1)
    connect(game)
    assert featured() is None
    moved(game, step=0)
    assert featured() is None


def test_the_end_of_a_game_stays_for_some_seconds_with_its_result() -> None:
    game = ended(people("ada", "bob"), **WON)
    shown = initial_frame()["featured"]
    assert (shown["label"], shown["progress"]) == ("Live", "ada won")
    Game.objects.filter(pk=game.pk).update(ended=now() - LINGER_MS - 1)
    assert featured() is None


@pytest.mark.parametrize("why", ["resigned", "time", "abandoned", "agreed"])
def test_only_games_played_to_the_end_on_the_board_are_replayed(why: str) -> None:
    finished(someone("ada"), someone("bob"), reason=why)
    assert featured() is None


def test_short_games_are_not_replayed() -> None:
    finished(someone("ada"), someone("bob"), step=MIN_REPLAY_STEPS["pincer"] - 1)
    assert featured() is None


def test_games_of_two_people_are_replayed_before_newer_ones_of_computers() -> None:
    finished(someone("ada"), someone("bob"), ago_ms=7_200_000)
    finished(someone("cy"), computer(3))
    assert featured() == ("replay", "ada bob")


def test_unlisted_games_and_games_of_deleted_users_are_never_featured() -> None:
    ada, bob = someone("ada"), someone("bob")
    moved(game_of(ada, bob, public=False))
    moved(game_of(ada, bob, watch=False))
    assert featured() is None
    finished(ada, bob)
    assert featured() == ("replay", "ada bob")
    delete_user(bob.pk)
    assert featured() is None


def test_a_damaged_game_leaves_the_board_to_the_next() -> None:
    broken = people("ada", "bob")
    people("cy", "dee")
    assert featured() == ("live", "ada bob")
    Game.objects.filter(pk=broken.pk).update(position="damaged")
    assert featured() == ("live", "cy dee")


def test_games_that_everybody_has_left_are_not_being_played() -> None:
    game = people("ada", "bob")
    assert len(initial_frame()["games"]) == 1
    moved(game, MOVED_WITHIN_MS + 1)
    assert initial_frame()["games"] == []
    connect(game)
    assert len(initial_frame()["games"]) == 1
    connect(game, FRESH_MS + 1)
    assert initial_frame()["games"] == []


@pytest.mark.django_db
async def test_a_page_sees_a_game_leave_though_nothing_is_written(at_work, monkeypatch) -> None:
    assert RECHECK_INTERVAL_S == 15
    monkeypatch.setattr(clocks, "CLOCK", MonotonicClock(now()))
    await sync_to_async(people)("ada", "bob", MOVED_WITHIN_MS - 60_000, step=0)
    async with Watcher("lists") as page:
        assert len((await page.next("lists"))["games"]) == 1
        assert await is_silent(page.socket)  # the first poll of the database is over too
        clocks.CLOCK.set_by(60_000)
        await turn_loop_clock(RECHECK_INTERVAL_S)
        assert not await is_silent(page.socket)
        await page.next("lists", lambda frame: not frame["games"])


@pytest.mark.django_db
async def test_people_are_counted_from_a_number_on_that_is_no_empty_room(
    at_work, monkeypatch
) -> None:
    await sync_to_async(people)("ada", "bob")
    await Seat.objects.aupdate(seen=now())
    async with Watcher("lists") as page:
        assert (await page.next("lists"))["here"] == ""  # three
        async with Watcher("lists"), Watcher("lists"):
            await sync_to_async(people)("cy", "dee")
            hub().hint(("lists", ""))
            frame = await page.next_due("lists", lambda frame: frame["here"])
            assert frame["here"] == "5 players here · 2 games"


def test_blotto_is_counted_in_rounds() -> None:
    assert progress_text("blotto", 0) == "first round"
    assert progress_text("blotto", 3) == "round 3"
    assert progress_text("pincer", 0) == "first move"
    assert progress_text("pincer", 3) == "move 3"
