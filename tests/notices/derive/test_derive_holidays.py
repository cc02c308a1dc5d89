"""Notices of turns whose clocks stand for holidays: the deadline is the one that the game has."""

import pytest

from notices.derive.round import Memory
from notices.inbox.texts import notice_text
from notices.models import Kind
from play.domain import commands
from play.domain.clocks import DAY_MS, FLAG_DELAY_MS, HOUR_MS, Clock
from play.domain.holidays import MAX_DAYS_IN_A_ROW
from play.models import Holiday
from tests.support.notice_games import TWO_DAYS, TimedGame, settled

pytestmark = pytest.mark.django_db
CLOCKS = pytest.mark.parametrize(
    "clock", [TWO_DAYS, Clock("bank", 4 * DAY_MS, DAY_MS)], ids=["days", "bank"]
)


def begun(ada, bob, clock: Clock, memory: Memory) -> TimedGame:
    """A game in which both have made their first turns."""
    settled(0)
    game = TimedGame(ada, bob, clock=clock)
    game.turn("white", HOUR_MS)
    game.turn("black", 2 * HOUR_MS)
    game.round(2 * HOUR_MS, memory)
    return game


def rest(game: TimedGame, memory: Memory) -> int:
    """Let the deadline pass, so that a holiday begins; return the new deadline."""
    before = game.row.deadline
    game.do(commands.Flag(game.slug, before + FLAG_DELAY_MS))
    game.round(before + FLAG_DELAY_MS - game.start, memory)
    assert game.row.deadline == before + DAY_MS
    return game.row.deadline


@CLOCKS
def test_a_holiday_puts_off_the_deadline_of_a_turn_and_repeats_its_warning(ada, bob, clock) -> None:
    game = begun(ada, bob, clock, memory := Memory())
    (warned,) = game.told("white", Kind.LAST, only_open=True)
    deadline = rest(game, memory)
    (turn,) = game.told("white", Kind.TURN, only_open=True)
    assert turn.expires == turn.data["deadline"] == deadline
    again = game.told("white", Kind.LAST, only_open=True)[-1]
    assert again.expires == again.data["deadline"] == deadline
    assert again.due == warned.due + DAY_MS


@CLOCKS
def test_both_players_are_told_of_a_holiday_that_began_by_itself(ada, bob, clock) -> None:
    game = begun(ada, bob, clock, memory := Memory())
    until = rest(game, memory)
    (own,), (other,) = (game.told(role, Kind.HOLIDAY) for role in ("white", "black"))
    slug = game.game.slug
    assert own.data == {"until": until, "game": slug}
    assert other.data == {"until": until, "game": slug, "rules": "pincer", "opponent": "ada"}
    assert notice_text(own, until).title == "Your holiday began"
    assert notice_text(other, until).title == "ada went on holiday"
    assert notice_text(own, until).url == notice_text(other, until).url == f"/g/{slug}/"
    game.round(until - game.start, Memory())
    assert len(game.told("white", Kind.HOLIDAY)) == len(game.told("black", Kind.HOLIDAY)) == 1


def test_a_holiday_that_stops_two_clocks_is_told_once_to_its_user(ada, bob) -> None:
    one = begun(ada, bob, TWO_DAYS, memory := Memory())
    two = begun(ada, bob, TWO_DAYS, memory)
    rest(one, memory)
    two.do(commands.Flag(two.slug, two.row.deadline + FLAG_DELAY_MS))
    two.round(two.row.deadline - two.start, memory)
    assert two.row.ended is None
    assert Holiday.objects.count() == len(one.told("white", Kind.HOLIDAY)) == 1
    assert {each.subject for each in two.told("black", Kind.HOLIDAY)} == {one.slug, two.slug}


@CLOCKS
def test_each_of_seven_holidays_in_a_row_repeats_the_warning(ada, bob, clock) -> None:
    game = begun(ada, bob, clock, memory := Memory())
    (warned,) = game.told("white", Kind.LAST, only_open=True)
    for number in range(1, MAX_DAYS_IN_A_ROW + 1):
        deadline = rest(game, memory)
        warnings = game.told("white", Kind.LAST, only_open=True)
        assert len(warnings) == number + 1
        assert (warnings[-1].due, warnings[-1].expires) == (warned.due + number * DAY_MS, deadline)
    assert Holiday.objects.count() == MAX_DAYS_IN_A_ROW


@CLOCKS
def test_a_process_that_sees_a_turn_in_a_holiday_for_the_first_time_warns_of_its_end(
    ada, bob, clock
) -> None:
    game = begun(ada, bob, clock, memory := Memory())
    deadline = game.row.deadline
    game.do(commands.Flag(game.slug, deadline + FLAG_DELAY_MS))
    game.round(deadline + HOUR_MS - game.start, memory)
    assert {each.expires for each in game.told("white", only_open=True)} == {deadline + DAY_MS}
