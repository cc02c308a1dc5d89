"""Notices of turns and warnings: recipients and times, each notice once."""

import json

import pytest

from notices.derive.game_view import News
from notices.derive.round import Memory, look_at, run_round
from notices.models import TURN_KINDS, Cursor, Kind, Notice
from play.domain import commands
from play.domain.clocks import DAY_MS, SECOND_MS, Clock
from tests.support.notice_games import PROCESS, TWO_DAYS, TimedGame

pytestmark = pytest.mark.django_db
HOUR_MS = 3_600 * SECOND_MS
FISCHER = Clock("fischer", 300 * SECOND_MS, 0)


@pytest.fixture(autouse=True)
def from_the_first_entry(db) -> None:
    """The process has been running before the games begin."""
    memory = Memory()
    while run_round(PROCESS, 0, memory) == 0.0:
        pass


def test_whoever_is_to_move_is_told_until_the_turn_is_made(ada, bob) -> None:
    game = TimedGame(ada, bob)
    game.round(SECOND_MS)
    (turn, half, last) = game.told("white")
    assert (turn.kind, turn.due, turn.expires) == ("turn", game.start, game.start + 2 * DAY_MS)
    assert turn.data == {
        "rules": "pincer",
        "opponent": "bob",
        "deadline": game.start + 2 * DAY_MS,
        "is_first": True,
    }
    assert (half.kind, half.due) == ("half", game.start + DAY_MS)
    assert (last.kind, last.due) == ("last", game.start + round(1.8 * DAY_MS))
    assert game.told("black") == []
    game.turn("white", HOUR_MS)
    game.round(HOUR_MS + SECOND_MS)
    assert {notice.closed for notice in game.told("white")} == {game.start + HOUR_MS + SECOND_MS}
    (turn, *_) = game.told("black")
    assert (turn.kind, turn.due, turn.data["opponent"]) == ("turn", game.start + HOUR_MS, "ada")


def test_the_same_rounds_twice_tell_nothing_new(ada, bob) -> None:
    game = TimedGame(ada, bob)
    game.round(SECOND_MS)
    before = list(Notice.objects.values())
    Cursor.objects.update(entry=0)
    game.round(SECOND_MS)
    assert list(Notice.objects.values()) == before


def test_half_of_a_turn_of_two_steps_tells_and_closes_nothing(ada, bob) -> None:
    game = TimedGame(ada, bob, "amazons-10x10")
    game.round(SECOND_MS)
    before = list(Notice.objects.values())
    game.do(commands.Act("one", 0, ("move 4 1 4 7",)), "white", HOUR_MS)
    game.round(HOUR_MS + SECOND_MS)
    assert list(Notice.objects.values()) == before


def test_a_turn_that_was_taken_back_and_made_again_is_a_new_one(ada, bob) -> None:
    game = TimedGame(ada, bob)
    game.round()
    game.turn("white", HOUR_MS)
    game.round(HOUR_MS)
    game.ask("takeback", "offer", "white", 2 * HOUR_MS)
    game.round(2 * HOUR_MS)
    game.ask("takeback", "accept", "black", 3 * HOUR_MS)
    game.round(3 * HOUR_MS)
    assert game.told("black", only_open=True) == []
    first, again = game.told("white", Kind.TURN)
    assert first.closed and not again.closed and first.serial < again.serial
    assert again.due == game.start + 3 * HOUR_MS
    game.turn("white", 4 * HOUR_MS)
    game.round(4 * HOUR_MS)
    assert len(game.told("black", Kind.TURN)) == 2
    assert len(game.told("black", Kind.TURN, only_open=True)) == 1


def test_a_turn_that_was_taken_back_before_a_round_is_never_told(ada, bob) -> None:
    game = TimedGame(ada, bob)
    game.turn("white", HOUR_MS)
    game.ask("takeback", "offer", "white", HOUR_MS)
    game.ask("takeback", "accept", "black", HOUR_MS)
    game.round(HOUR_MS)
    assert game.told("black") == []


def test_warnings_move_with_the_deadline_of_credited_time(ada, bob) -> None:
    game = TimedGame(ada, bob)
    game.round()
    down, up = DAY_MS // 2, DAY_MS // 2 + HOUR_MS
    game.do(commands.Credit(game.slug, game.start + down, game.start + up))
    game.round(up)
    turn, half, last = game.told("white")
    deadline = game.start + 2 * DAY_MS + HOUR_MS
    assert [notice.expires for notice in (turn, half, last)] == [deadline] * 3
    assert [notice.data["deadline"] for notice in (turn, half, last)] == [deadline] * 3
    assert turn.due == game.start
    assert half.due == game.start + DAY_MS + HOUR_MS
    assert last.due == game.start + round(1.8 * DAY_MS) + HOUR_MS


def put_off(game, by) -> None:
    """Move a deadline into the future, as a day of holidays does."""
    row = game.row
    times = json.loads(row.times)
    times["since"] += by
    row.times = json.dumps(times)
    row.save()


def test_a_warning_given_before_a_deadline_was_put_off_is_given_again(ada, bob) -> None:
    game = TimedGame(ada, bob)
    game.round()
    at = game.start + round(1.95 * DAY_MS)
    put_off(game, DAY_MS)
    for _ in range(2):
        look_at({game.game.pk: News(is_open=True)}, at)
        first, again = game.told("white", Kind.LAST)
        assert first.due < at < again.due == game.start + round(2.8 * DAY_MS)
        assert again.expires == game.start + 3 * DAY_MS
    game.turn("white", 2 * DAY_MS)
    game.round(2 * DAY_MS)
    assert game.told("white", only_open=True) == []


def test_a_deadline_that_comes_nearer_takes_its_warnings_along(ada, bob) -> None:
    game = TimedGame(ada, bob)
    game.round()
    put_off(game, -DAY_MS // 4)
    look_at({game.game.pk: News(is_open=True)}, game.start + HOUR_MS)
    (half,) = game.told("white", Kind.HALF)
    assert half.due == game.start + DAY_MS - DAY_MS // 4


def test_a_turn_found_late_is_told_without_the_warning_that_has_passed(ada, bob) -> None:
    game = TimedGame(ada, bob)
    game.round(round(1.2 * DAY_MS))
    assert [notice.kind for notice in game.told("white")] == ["turn", "last"]


def test_a_game_without_a_clock_has_turns_but_no_warnings(ada, bob) -> None:
    game = TimedGame(ada, bob, clock=Clock("none"))
    game.round()
    (turn,) = game.told("white")
    assert (turn.kind, turn.expires, turn.data["deadline"]) == ("turn", None, None)


def test_a_running_clock_tells_only_who_has_no_page_open(ada, bob) -> None:
    game, memory = TimedGame(ada, bob, clock=FISCHER), Memory()
    game.round(SECOND_MS, memory)
    assert game.told("white") == []  # the page may be loading
    game.look("white", 2 * SECOND_MS, visible=False)
    game.round(6 * SECOND_MS, memory)
    assert game.told("white") == []
    game.turn("white", 7 * SECOND_MS)
    game.round(8 * SECOND_MS, memory)
    game.round(13 * SECOND_MS, memory)
    (turn,) = game.told("black")
    assert (turn.kind, turn.due) == ("turn", game.start + 7 * SECOND_MS)


def test_a_turn_that_came_before_open_eyes_is_read(ada, bob) -> None:
    game = TimedGame(ada, bob)
    game.look("white", 0)
    game.turn("white", HOUR_MS)
    game.look("black", HOUR_MS - 9 * SECOND_MS)
    game.round(HOUR_MS)
    turn, half, last = game.told("black")
    assert (turn.read, half.read, last.read) == (game.start + HOUR_MS, None, None)


def test_an_open_page_that_is_hidden_reads_nothing(ada, bob) -> None:
    game = TimedGame(ada, bob)
    game.look("white", 0, visible=False)
    game.round()
    assert {notice.read for notice in game.told("white")} == {None}


@pytest.mark.parametrize("who", ["suspended", "guest"])
def test_nobody_is_told_who_cannot_come(ada, bob, who) -> None:
    game = TimedGame(ada, bob)
    ada.is_active, ada.is_guest = who != "suspended", who == "guest"
    ada.save()
    game.round()
    assert game.told("white", Kind.TURN) == []


def test_a_suspended_user_is_told_no_more(ada, bob) -> None:
    game = TimedGame(ada, bob)
    bob.is_active = False
    bob.save()
    game.turn("white", HOUR_MS)
    game.round(HOUR_MS)
    assert game.told("black", Kind.TURN) == []


def test_open_notices_of_a_game_that_is_gone_are_closed(ada, bob) -> None:
    game = TimedGame(ada, bob)
    game.round()
    game.row.delete()
    game.round(HOUR_MS)
    assert game.told("white") and game.told("white", only_open=True) == []


def test_the_first_start_tells_of_games_that_run_and_of_nothing_older(ada, bob) -> None:
    Cursor.objects.all().delete()
    over, running = TimedGame(ada, bob), TimedGame(ada, bob, clock=TWO_DAYS)
    over.resign("white", HOUR_MS)
    running.round(2 * HOUR_MS)
    assert {notice.subject for notice in Notice.objects.all()} == {running.slug}
    assert Cursor.objects.get().entry > 0


def test_a_turn_of_blotto_is_told_to_both_and_closed_for_who_has_sealed(ada, bob) -> None:
    game = TimedGame(ada, bob, "blotto")
    game.round()
    assert len(game.told("white")) == len(game.told("black")) == 3
    before = list(Notice.objects.filter(user=bob.pk).values())
    game.turn("white", HOUR_MS)
    game.round(HOUR_MS)
    assert game.told("white", only_open=True) == []
    assert list(Notice.objects.filter(user=bob.pk).values()) == before


def test_a_holiday_puts_off_the_deadline_and_the_warning_comes_again(ada, bob) -> None:
    game = TimedGame(ada, bob)
    for number, role in enumerate(("white", "black")):
        game.turn(role, (number + 1) * HOUR_MS)
    deadline = 2 * HOUR_MS + 2 * DAY_MS
    game.round(2 * HOUR_MS + SECOND_MS)
    game.round(deadline - SECOND_MS)
    game.do(commands.Flag(game.slug, game.start + deadline + 2 * SECOND_MS))
    assert game.row.ended is None
    game.round(deadline + 3 * SECOND_MS)
    put_off = game.start + deadline + DAY_MS
    told = [each for each in game.told("white", only_open=True) if each.kind in TURN_KINDS]
    assert {notice.expires for notice in told} == {put_off}
    assert {notice.data["deadline"] for notice in told} == {put_off}
    warnings = [notice.due for notice in told if notice.kind == Kind.LAST]
    assert warnings == [game.start + deadline - DAY_MS // 5, put_off - DAY_MS // 5]
