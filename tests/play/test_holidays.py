"""Holidays: taken where a clock by days would fall, never more than there are, for all games."""

import asyncio
import itertools
import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.account_service import suspend
from accounts.models import User
from play.domain import commands, holidays
from play.domain.clocks import DAY_MS, FLAG_DELAY_MS, HOUR_MS, Clock
from play.models import Entry, Game, Holiday
from play.runtime import game_commands
from play.runtime.game_service import GameService
from play.storage.holiday_rows import begin_for_flag, days_left
from play.storage.verification import faults_of, rows_of
from tests.support.loop_runtime import game_service

ids = (f"id-{n}" for n in itertools.count())
DAYS, BANK = Clock("days", DAY_MS), Clock("bank", 2 * DAY_MS, DAY_MS)
CLOCKS = pytest.mark.parametrize("clock", [DAYS, BANK], ids=["days", "bank"])
database = pytest.mark.django_db


def ms(*date: int) -> int:
    return int(datetime(*date, tzinfo=UTC).timestamp() * 1000)


async def run(function, *args):
    return await game_service().run_in_db_thread(function, *args)


async def row(game) -> Game:
    return await Game.objects.aget(pk=game.pk)


async def fall(game) -> Game:
    """Lets the present deadline of a game pass, as the sweeper sees it."""
    at = (await row(game)).deadline + FLAG_DELAY_MS
    await game_commands.check_clocks(game_service(), game.slug, at)
    return await row(game)


async def act(game, user, action: str, at: int) -> None:
    step = (await row(game)).step
    command = commands.Act(next(ids), step, (action,))
    await game_commands.perform(game_service(), game.slug, user.pk, command, at)


async def turn(game, user, at: int) -> None:
    """Plays a whole turn of a user, with the first actions that the rules allow."""
    while True:
        live = await game_service().find(game.slug)
        role = live.role_of(user.pk)
        if role not in live.waiting:
            return
        await act(game, user, str(next(iter(live.rules.choices(live.state, role)))), at)


async def starts(user) -> list[int]:
    return await run(
        lambda: list(
            Holiday.objects.filter(user=user).order_by("pk").values_list("start", flat=True)
        )
    )


async def spend(user, *begin: int) -> None:
    rows = [Holiday(user=user, start=at, until=at + DAY_MS) for at in begin]
    await run(Holiday.objects.bulk_create, rows)


async def faults(game) -> list[str]:
    return faults_of(await run(rows_of, game.slug))


# Number of holidays, without a database


def test_a_year_has_twenty_one_holidays_and_the_next_year_new_ones():
    taken = [ms(2026, 3, 1) + 2 * n * DAY_MS for n in range(21)]
    assert holidays.days_left(taken, ms(2026, 12, 31, 23, 59)) == 0
    assert not holidays.may_take(taken, ms(2026, 12, 31, 23, 59))
    assert holidays.may_take(taken, ms(2027, 1, 1))
    assert holidays.days_left(taken[:3], ms(2026, 1, 1)) == 18


def test_after_seven_in_a_row_a_day_without_holiday_has_to_pass():
    week = [ms(2026, 5, 1 + n) for n in range(7)]
    assert holidays.may_take(week[:6], week[6])
    assert not holidays.may_take(week, ms(2026, 5, 8))
    assert not holidays.may_take(week, ms(2026, 5, 8, 23, 59))
    assert holidays.may_take(week, ms(2026, 5, 9))


def test_a_holiday_between_two_rows_joins_them():
    days = [ms(2026, 5, 1 + n) for n in (0, 1, 2, 4, 5, 6, 7)]
    assert not holidays.may_take(days, ms(2026, 5, 4))


@settings(max_examples=300)
@given(st.lists(st.integers(0, 800 * 24), max_size=80))
def test_no_order_of_deadlines_takes_more_than_there_are(hours):
    taken: list[int] = []
    for hour in hours:
        at = ms(2026, 1, 1) + hour * HOUR_MS
        if not any(
            start <= at < start + holidays.HOLIDAY_MS for start in taken
        ) and holidays.may_take(taken, at):
            taken.append(at)
    years = [holidays.year_of(at) for at in taken]
    assert all(years.count(year) <= 21 for year in set(years))
    ordered, length = sorted(taken), 1
    for before, after in itertools.pairwise(ordered):
        length = length + 1 if after - before < 2 * DAY_MS else 1
        assert length <= 7


# With the database


@database
@CLOCKS
async def test_who_has_turned_holidays_off_loses_on_time_and_keeps_the_days(table, people, clock):
    game = await table("pincer", clock)
    await run(lambda: User.objects.filter(pk=people[0].pk).update(has_holidays=False))
    after = await fall(game)
    assert (after.winner, after.reason) == ("black", "time")
    assert await starts(people[0]) == []


@database
@CLOCKS
async def test_a_clock_that_would_fall_stands_for_a_day_instead(table, people, clock):
    game = await table("pincer", clock)
    before = await row(game)
    after = await fall(game)
    assert (after.ended, after.deadline) == (None, before.deadline + DAY_MS)
    assert await starts(people[0]) == [before.deadline]
    entry = await Entry.objects.aget(game=game.pk, kind="holiday")
    assert json.loads(entry.body) == {
        "role": "white",
        "starts": [before.deadline],
        "until": before.deadline + DAY_MS,
    }
    assert await faults(game) == []


@database
async def test_the_opponent_sees_until_when_the_clock_stands(table, people):
    game = await table("pincer", DAYS)
    deadline = (await row(game)).deadline
    await fall(game)
    from play.domain.visibility import snapshot

    live = await game_service().find(game.slug)
    for audience in ("white", "black", "spectator"):
        shown = snapshot(live, audience, deadline + 2_000)["clock"]["holidays"]
        assert shown["white"]["until"] == deadline + DAY_MS


@database
async def test_seven_days_in_a_row_stop_the_flag_and_the_eighth_does_not(table, people):
    game = await table("pincer", DAYS)
    begin = (await row(game)).deadline
    for day in range(1, 8):
        assert (await fall(game)).deadline == begin + day * DAY_MS
    after = await fall(game)
    assert (after.winner, after.reason) == ("black", "time")
    assert len(await starts(people[0])) == 7
    assert await faults(game) == []


@database
async def test_with_no_holiday_left_the_flag_falls_at_once(table, people):
    game = await table("pincer", DAYS)
    deadline = (await row(game)).deadline
    year = holidays.year_of(deadline)
    await spend(people[0], *[ms(year, 1, 1) + 2 * n * DAY_MS for n in range(21)])
    assert await run(days_left, people[0].pk, deadline) == 0
    assert (await fall(game)).reason == "time"
    assert len(await starts(people[0])) == 21


@database
@CLOCKS
async def test_a_first_turn_knows_no_holiday(table, people, clock):
    game = await table("pincer", clock, fair=True)
    assert (await fall(game)).reason == "no_show"
    assert await starts(people[0]) == []


@database
async def test_a_suspended_user_has_no_holidays(table, people):
    game = await table("pincer", DAYS)
    await run(suspend, people[0].pk)
    assert (await fall(game)).reason == "time"
    assert await starts(people[0]) == []


@database
async def test_a_computer_player_has_no_holidays(table, people):
    await run(lambda: User.objects.filter(pk=people[0].pk).update(is_bot=True))
    game = await table("pincer", DAYS)
    assert (await fall(game)).reason == "time"
    assert await starts(people[0]) == []


@database
async def test_a_guest_who_has_logged_out_for_good_has_no_holidays(table, people):
    await run(lambda: User.objects.filter(pk=people[0].pk).update(is_guest=True))
    game = await table("pincer", DAYS)
    assert (await fall(game)).reason == "time"
    assert await starts(people[0]) == []


@database
async def test_a_running_clock_has_no_holidays(table, people):
    game = await table("pincer", Clock("fischer", 60_000))
    assert (await fall(game)).reason == "time"
    assert await starts(people[0]) == []


@database
async def test_one_holiday_stops_the_clock_in_every_game_by_days(table, people):
    games = [await table("pincer", DAYS) for _ in range(2)] + [await table("pincer", BANK)]
    ends = [(await row(game)).deadline for game in games]
    await fall(games[0])
    others = [(await row(game)).deadline for game in games[1:]]
    # From the beginning of the holiday on, the other clocks stand as well.
    assert others == [ends[1] + DAY_MS, ends[2] + DAY_MS]
    assert await starts(people[0]) == [ends[0]]
    for game in games:
        assert await faults(game) == []


@database
async def test_a_process_that_dies_after_it_began_a_holiday_loses_it_in_no_game(table, people):
    games = [await table("pincer", DAYS) for _ in range(2)]
    live = await game_service().find(games[0].slug)
    deadline = (await row(games[0])).deadline
    flag = commands.Flag(games[0].slug, deadline + FLAG_DELAY_MS)
    await run(begin_for_flag, live, flag)  # the holiday is committed, and no entry of any game
    ends = [(await row(game)).deadline for game in games]
    await fall(games[1])
    assert [(await row(game)).deadline for game in games] == [end + DAY_MS for end in ends]
    assert await starts(people[0]) == [deadline]


@database
async def test_two_processes_begin_one_holiday(table, people):
    game, other = await table("pincer", DAYS), GameService()
    deadline = (await row(game)).deadline
    at = deadline + FLAG_DELAY_MS
    try:
        await asyncio.gather(
            *(game_commands.check_clocks(each, game.slug, at) for each in (game_service(), other))
        )
    finally:
        await other.close()
    assert await starts(people[0]) == [deadline]
    assert (await row(game)).deadline == deadline + DAY_MS
    assert await Entry.objects.filter(game=game.pk, kind="holiday").acount() == 1


@database
async def test_a_stale_copy_of_a_game_begins_no_holiday(table, people):
    game = await table("pincer", DAYS)
    stale = await game_service().find(game.slug)
    opened = (await row(game)).created
    await turn(game, people[0], opened + 1_000)
    flag = commands.Flag(game.slug, opened + 3 * DAY_MS)
    assert (await run(begin_for_flag, stale, flag)).holidays == {}
    assert await starts(people[0]) == []


@database
async def test_a_clock_that_steps_back_takes_nothing_and_one_that_leaps_takes_seven_at_most(
    table, people
):
    game = await table("pincer", DAYS)
    deadline = (await row(game)).deadline
    await game_commands.check_clocks(game_service(), game.slug, deadline - 40 * DAY_MS)
    assert await starts(people[0]) == []
    for _ in range(20):
        await game_commands.check_clocks(game_service(), game.slug, deadline + 90 * DAY_MS)
    assert await starts(people[0]) == [deadline + n * DAY_MS for n in range(7)]
    assert (await row(game)).reason == "time"
    assert await faults(game) == []


@database
async def test_in_a_game_of_both_at_once_only_the_role_rests_whose_clock_falls(table, people):
    game = await table("blotto", DAYS)
    begin = (await row(game)).created
    await act(game, people[1], "troops 4 3 3", begin + HOUR_MS)
    after = await fall(game)
    assert after.deadline == begin + 2 * DAY_MS
    assert (await starts(people[0]), await starts(people[1])) == ([begin + DAY_MS], [])
    assert await faults(game) == []


@database
async def test_where_both_clocks_fall_each_takes_its_own_holiday(table, people):
    game = await table("blotto", DAYS)
    begin = (await row(game)).created
    after = await fall(game)
    assert after.deadline == begin + DAY_MS  # the other role's, at the next check
    after = await fall(game)
    assert after.deadline == begin + 2 * DAY_MS
    assert await starts(people[0]) == await starts(people[1]) == [begin + DAY_MS]
    assert await faults(game) == []


@database
async def test_a_bank_gets_back_at_an_action_what_it_lost_in_a_holiday(table, people):
    game = await table("pincer", BANK)
    begin = (await row(game)).created
    await spend(people[0], begin + HOUR_MS)  # another game took it, and the process died
    await turn(game, people[0], begin + 2 * DAY_MS + 7 * HOUR_MS)
    live = await game_service().find(game.slug)
    # 31 hours were used outside the holiday, and 24 earned.
    assert live.times.left["white"] == BANK.initial - 7 * HOUR_MS
    kinds = Entry.objects.filter(game=game.pk).order_by("rev").values_list("kind", flat=True)
    assert (await run(list, kinds))[:3] == ["open", "holiday", "act"]
    assert await faults(game) == []


@database
@CLOCKS
async def test_half_a_turn_loses_no_holiday_that_another_game_took(table, people, clock):
    game = await table("pincer", clock)
    begin, deadline = (await row(game)).created, (await row(game)).deadline
    await spend(people[0], begin + HOUR_MS)
    live = await game_service().find(game.slug)
    half = str(next(iter(live.rules.choices(live.state, "white"))))
    await act(game, people[0], half, begin + 20 * HOUR_MS)
    live = await game_service().find(game.slug)
    assert live.control == {"white"}, "the other half is still to come"
    assert (await row(game)).deadline == deadline + DAY_MS
    assert await faults(game) == []


@database
async def test_a_turn_in_a_holiday_is_accepted_and_time_stands_until_its_end(table, people):
    game = await table("pincer", BANK)
    deadline = (await row(game)).deadline
    await fall(game)
    await turn(game, people[0], deadline + 5 * HOUR_MS)
    live = await game_service().find(game.slug)
    assert live.times.left["white"] == BANK.increment
    await turn(game, people[1], deadline + 6 * HOUR_MS)
    # 18 hours of the holiday are left, in which the bank stands.
    assert (await row(game)).deadline == deadline + 6 * HOUR_MS + 18 * HOUR_MS + DAY_MS
    assert await faults(game) == []


@database
async def test_down_time_in_a_holiday_gives_no_more_than_the_holiday(table, people):
    game = await table("pincer", DAYS)
    deadline = (await row(game)).deadline
    await fall(game)
    down = deadline + 2 * HOUR_MS
    await game_commands.credit_down_time(game_service(), game.slug, down, down + 3 * HOUR_MS)
    assert (await row(game)).deadline == deadline + DAY_MS
    await game_commands.credit_down_time(
        game_service(), game.slug, deadline + 23 * HOUR_MS, deadline + 26 * HOUR_MS
    )
    assert (await row(game)).deadline == deadline + 26 * HOUR_MS
    assert await faults(game) == []
