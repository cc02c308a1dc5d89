"""First turns, the begin of Blotto, and the pause after its reveals, as the site decides them."""

import asyncio
import itertools

import pytest

from accounts.refusals import Refused
from games.core import ROLES
from play.domain import clocks, commands
from play.domain.clocks import BEGIN_WAIT_MS, FLAG_DELAY_MS, REVEAL_PAUSE_MS, SECOND_MS, Clock
from play.domain.game_refusals import Reason
from play.models import ABSENT, Entry, Game, Seat
from play.runtime import game_commands, periodic
from play.storage import last_seen as seen
from play.storage.verification import faults_of, rows_of
from tests.play.live_commands import live_as_stored, refused
from tests.support.game_page_client import Page, all_at
from tests.support.loop_runtime import game_service

pytestmark = pytest.mark.django_db
ids = (f"id-{n}" for n in itertools.count())
FISCHER = Clock("fischer", 300 * SECOND_MS, 2 * SECOND_MS)
LIMIT = Clock("limit", 60 * SECOND_MS)
WHITE, BLACK = ("move 1 5 2 5", "move 1 7 1 6"), ("move 7 7 6 7", "move 7 5 6 5")
LATE_MS = 30 * SECOND_MS + FLAG_DELAY_MS  # after the start of a first turn


class FairGame:
    """A game with a fair start, whose time is told in ms since its opening."""

    def __init__(self, game, people) -> None:
        self.game, self.people = game, dict(zip(("white", "black"), people, strict=False))

    async def say(self, role, command, *rest, at):
        user, moment = self.people[role].pk, self.game.created + at
        return await game_commands.perform(
            game_service(), self.game.slug, user, command(next(ids), *rest), moment
        )

    async def turn(self, role, step, *actions, at):
        return await self.say(role, commands.Act, step, actions, at=at)

    async def look(self, at) -> None:
        """The server looks at the clocks."""
        await game_commands.check_clocks(game_service(), self.game.slug, self.game.created + at)

    async def live(self):
        return await live_as_stored(self.game)

    async def kinds(self) -> list[str]:
        entries = Entry.objects.filter(game=self.game.pk).order_by("rev")
        return await game_service().run_in_db_thread(
            lambda: list(entries.values_list("kind", flat=True))
        )

    async def results(self) -> dict[str, str | None]:
        seats = Seat.objects.filter(game=self.game.pk).values_list("role", "result")
        return await game_service().run_in_db_thread(lambda: dict(seats))

    async def is_right(self) -> None:
        rows = await game_service().run_in_db_thread(rows_of, self.game.slug)
        assert faults_of(rows) == []


@pytest.fixture
def fair(table, people):
    async def begin(key="pincer", clock=FISCHER) -> FairGame:
        return FairGame(await table(key, clock, fair=True), people)

    return begin


# First turns


async def test_a_game_without_its_first_turn_is_aborted_and_nobody_loses(fair):
    game = await fair()
    await game.look(LATE_MS - 1)
    assert (await game.live()).ending is None
    await game.look(LATE_MS)
    live = await game.live()
    end = live.ending
    assert (end.winner, end.reason, end.goals) == (None, "no_show", {"white": 0, "black": 0})
    assert live.absent == {"white"}
    assert live.times.left == {"white": 300_000, "black": 300_000}
    assert await game.results() == {"white": ABSENT, "black": "void"}
    await game.is_right()


async def test_the_reply_has_an_allowance_too_and_its_lack_costs_the_first_player_nothing(fair):
    game = await fair()
    await game.turn("white", 0, *WHITE, at=29_000)
    await game.look(29_000 + LATE_MS - 1)
    assert (await game.live()).ending is None
    await game.look(29_000 + LATE_MS)
    live = await game.live()
    assert (live.ending.reason, live.absent) == ("no_show", {"black"})
    assert await game.results() == {"white": "void", "black": ABSENT}


async def test_from_the_second_turn_on_the_clock_runs(fair):
    game = await fair()
    await game.turn("white", 0, *WHITE, at=20_000)
    await game.turn("black", 2, *BLACK, at=45_000)
    assert (await game.live()).times.left == {"white": 300_000, "black": 300_000}
    await game.turn("white", 4, "move 2 5 3 5", "move 1 6 2 6", at=55_000)
    live = await game.live()
    assert live.times.left == {"white": 292_000, "black": 300_000}
    await game.look(55_000 + 300_000 + FLAG_DELAY_MS)
    assert (await game.live()).ending.reason == "time"
    await game.is_right()


async def test_the_sweeper_aborts_it_through_the_deadline_of_the_row(fair):
    game = await fair()

    def backdate() -> None:
        row = Game.objects.get(pk=game.game.pk)
        times = row.times.replace(f'"since":{row.created}', f'"since":{row.created - LATE_MS}')
        Game.objects.filter(pk=row.pk).update(times=times, deadline=row.deadline - LATE_MS)

    assert game.game.deadline == game.game.created + 30_000
    await game_service().run_in_db_thread(backdate)
    await periodic.sweep(game_service())
    assert (await game_service().find(game.game.slug)).ending.reason == "no_show"


async def test_a_first_turn_that_was_on_its_way_at_the_limit_is_in_time(fair):
    game = await fair()
    user, at = game.people["white"].pk, game.game.created + 30_400
    act = commands.Act(next(ids), 0, WHITE)
    await game_commands.perform(game_service(), game.game.slug, user, act, at, 400)
    assert (await game.live()).step == 2
    await game.is_right()


async def test_a_first_turn_after_the_limit_is_too_late_even_before_the_abort(fair):
    game = await fair()
    assert await refused(game.turn("white", 0, *WHITE, at=30_001)) == Reason.TOO_LATE


async def test_after_the_abort_a_first_turn_is_refused_in_its_own_words(fair):
    game = await fair()
    await game.look(LATE_MS)
    assert await refused(game.turn("white", 0, *WHITE, at=LATE_MS)) == Reason.NO_SHOW


async def test_of_a_first_turn_and_the_abort_at_the_same_moment_one_wins(fair):
    for _ in range(10):
        game = await fair()
        turn = game.turn("white", 0, *WHITE, at=30_000)
        outcome, _ = await asyncio.gather(turn, game.look(LATE_MS), return_exceptions=True)
        live = await game.live()
        if live.ending:
            assert isinstance(outcome, Refused)
            assert (outcome.reason, live.step) == (Reason.NO_SHOW, 0)
        else:
            assert (outcome.rev, live.step) == (1, 2)
        await game.is_right()


async def test_no_victory_is_claimed_before_the_second_turn(fair, monkeypatch):
    monkeypatch.setattr(seen, "STARTED", 0)
    monkeypatch.setattr(clocks, "absence_limit", lambda clock: 0)
    game = await fair()
    for way in ("victory", "draw"):
        claim = game.say("black", commands.Claim, way, at=29_000)
        assert await refused(claim) == Reason.NOT_GONE
    await game.turn("white", 0, *WHITE, at=29_500)
    await game.turn("black", 2, *BLACK, at=29_600)
    await game.say("black", commands.Claim, "victory", at=31_000)
    assert (await game.live()).ending.reason == "abandoned"


async def test_down_time_is_credited_to_a_first_turn(fair):
    game = await fair()
    start = game.game.created
    await game_commands.credit_down_time(
        game_service(), game.game.slug, start + 10_000, start + 100_000
    )
    await game.look(90_000 + LATE_MS - 1)
    assert (await game.live()).ending is None
    await game.look(90_000 + LATE_MS)
    assert (await game.live()).ending.reason == "no_show"
    await game.is_right()


async def test_a_takeback_of_a_finished_first_turn_gives_it_to_the_clock(fair):
    game = await fair()
    await game.turn("white", 0, *WHITE, at=10_000)
    await game.say("white", commands.Takeback, "offer", at=15_000)
    await game.say("black", commands.Takeback, "accept", at=20_000)
    live = await game.live()
    assert live.times.first_turn == {"black": 20_000}
    await game.look(20_000 + LATE_MS)  # white plays it again on its clock of five minutes
    assert (await game.live()).ending is None
    await game.turn("white", 0, *WHITE, at=80_000)
    assert (await game.live()).times.left["white"] == 300_000 - 60_000 + 2_000
    await game.look(80_000 + 20_000 + FLAG_DELAY_MS)
    assert (await game.live()).absent == {"black"}
    await game.is_right()


async def test_a_takeback_within_a_first_turn_does_not_renew_it(fair):
    game = await fair("amazons-8x8")
    await game.turn("white", 0, "move 3 1 3 5", at=25_000)
    await game.say("white", commands.Takeback, "offer", at=26_000)
    await game.say("black", commands.Takeback, "accept", at=27_000)
    assert (await game.live()).times.remaining_at("white", game.game.created + 27_000) == 3_000
    await game.look(LATE_MS)
    assert (await game.live()).ending.reason == "no_show"


@pytest.mark.parametrize(
    ("command", "reason"), [(commands.Abort, "aborted"), (commands.Resign, "resigned")]
)
async def test_a_game_may_be_ended_during_a_first_turn(fair, command, reason):
    game = await fair()
    await game.say("black", command, at=5_000)
    assert (await game.live()).ending.reason == reason


@pytest.mark.parametrize("key", ["pincer", "blotto"])
async def test_a_game_without_a_clock_has_no_such_limit(fair, key):
    game = await fair(key, Clock("none"))
    assert (await game.live()).times.first_turn == {}
    await game.look(LATE_MS)
    assert (await game.live()).ending is None


@pytest.mark.parametrize("key", ["pincer", "blotto"])
async def test_a_first_turn_of_a_game_with_days_has_the_time_of_any_turn(fair, key):
    game = await fair(key, Clock("days", 2 * clocks.DAY_MS))
    assert (await game.live()).times.first_turn == dict.fromkeys(ROLES, 2 * clocks.DAY_MS)
    await game.look(2 * clocks.DAY_MS)
    assert (await game.live()).ending is None
    await game.look(2 * clocks.DAY_MS + clocks.FLAG_DELAY_MS)
    live = await game.live()
    assert (live.ending.reason, live.ending.winner) == ("no_show", None)
    assert live.absent == ({"white"} if key == "pincer" else set(ROLES))
    await game.is_right()


async def test_later_turns_of_a_game_with_days_cost_the_game(fair):
    game = await fair("pincer", Clock("days", clocks.DAY_MS))
    await game.turn("white", 0, *WHITE, at=1_000)
    await game.turn("black", 2, *BLACK, at=2_000)
    seven_holidays_ms = 7 * clocks.DAY_MS  # taken first, one by one
    for day in range(9):
        await game.look(2_000 + day * clocks.DAY_MS + clocks.FLAG_DELAY_MS)
        assert ((await game.live()).ending is None) == (day * clocks.DAY_MS <= seven_holidays_ms)
    ending = (await game.live()).ending
    assert (ending.reason, ending.winner) == ("time", "black")
    await game.is_right()


async def test_a_computer_player_has_its_clock_from_the_first_turn_on(fair, people):
    people[0].is_bot = True
    await game_service().run_in_db_thread(people[0].save)
    game = await fair()
    assert (await game.live()).times.first_turn == {"black": 30_000}
    await game.turn("white", 0, *WHITE, at=40_000)
    assert (await game.live()).times.left["white"] == 300_000 - 40_000 + 2_000


# Blotto


async def test_blotto_begins_when_both_pages_are_shown(fair):
    game = await fair("blotto", LIMIT)
    await game.say("black", commands.Shown, at=2_000)
    live = await game.live()
    assert (live.times.running, live.times.shown) == (frozenset(), {"black"})
    await game.say("white", commands.Shown, at=6_000)
    live = await game.live()
    assert (live.times.running, live.times.since) == (live.control, game.game.created + 6_000)
    assert await game.kinds() == ["open", "shown", "begin"]
    again = game.say("white", commands.Shown, at=7_000)
    assert await refused(again) == Reason.STALE_STEP
    await game.is_right()


async def test_the_same_page_shown_twice_does_not_begin_it(fair):
    game = await fair("blotto", LIMIT)
    await game.say("black", commands.Shown, at=2_000)
    assert await refused(game.say("black", commands.Shown, at=3_000)) == Reason.STALE_STEP
    assert (await game.live()).times.begin_by == game.game.created + BEGIN_WAIT_MS


async def test_blotto_begins_by_itself_after_the_wait(fair):
    game = await fair("blotto", LIMIT)
    await game.look(BEGIN_WAIT_MS - 1)
    assert await game.kinds() == ["open"]
    await game.look(BEGIN_WAIT_MS)
    assert await game.kinds() == ["open", "begin"]
    await game.look(BEGIN_WAIT_MS + LATE_MS)
    live = await game.live()
    assert (live.ending.reason, live.absent) == ("no_show", {"white", "black"})
    assert await game.results() == {"white": ABSENT, "black": ABSENT}
    await game.is_right()


async def test_a_role_that_has_not_sealed_in_time_aborts_it(fair):
    game = await fair("blotto", LIMIT)
    await game.look(BEGIN_WAIT_MS)
    await game.turn("black", 0, "troops 5 5 0", at=20_000)
    await game.look(BEGIN_WAIT_MS + LATE_MS)
    live = await game.live()
    assert (live.ending.reason, live.absent) == ("no_show", {"white"})
    assert await game.results() == {"white": ABSENT, "black": "void"}
    await game.is_right()


async def test_orders_sealed_before_the_begin_cost_nothing_and_begin_it_when_both_are(fair):
    game = await fair("blotto", FISCHER)
    await game.turn("white", 0, "troops 5 5 0", at=9_000)
    await game.turn("black", 0, "troops 0 5 5", at=12_000)
    live = await game.live()
    assert (live.step, live.last[0].spent) == (1, {"white": 0, "black": 0})
    assert live.times.begin_by is None
    assert live.times.left == {"white": 300_000, "black": 300_000}
    await game.is_right()


async def test_a_computer_player_is_not_waited_for(fair, people):
    people[1].is_bot = True
    await game_service().run_in_db_thread(people[1].save)
    game = await fair("blotto", LIMIT)
    await game.say("white", commands.Shown, at=1_000)
    live = await game.live()
    assert (live.times.begin_by, live.times.running) == (None, live.control)


async def test_down_time_before_the_begin_prolongs_the_wait(fair):
    game = await fair("blotto", LIMIT)
    start = game.game.created
    await game_commands.credit_down_time(
        game_service(), game.game.slug, start + 1_000, start + 61_000
    )
    await game.look(60_000 + BEGIN_WAIT_MS - 1)
    assert (await game.live()).times.begin_by is not None
    await game.look(60_000 + BEGIN_WAIT_MS)
    assert (await game.live()).times.begin_by is None
    await game.is_right()


async def test_a_draw_can_be_agreed_before_the_begin(fair):
    game = await fair("blotto", LIMIT)
    await game.say("white", commands.Draw, "offer", at=1_000)
    await game.say("black", commands.Draw, "accept", at=BEGIN_WAIT_MS + 500)
    assert (await game.live()).ending.reason == "agreed"


async def test_after_a_reveal_both_clocks_wait_for_the_pause(fair):
    game = await fair("blotto", LIMIT)
    await game.look(BEGIN_WAIT_MS)
    for role in ("white", "black"):
        await game.turn(role, 0, "troops 5 5 0", at=20_000)
    start = 20_000 + REVEAL_PAUSE_MS
    live = await game.live()
    assert live.times.since == game.game.created + start
    await game.turn("white", 1, "troops 5 5 0", at=start - 1_000)
    live = await game.live()
    assert live.sealed["white"].spent == 0
    await game.look(start + 60_000 + FLAG_DELAY_MS - 1)
    assert (await game.live()).ending is None
    await game.look(start + 60_000 + FLAG_DELAY_MS)
    live = await game.live()
    assert (live.ending.winner, live.ending.reason) == ("white", "time")
    await game.is_right()


# Pages


async def test_pages_are_told_of_the_limit_the_begin_and_the_end(table, people):
    game = await table("blotto", LIMIT, fair=True)
    async with Page(game.slug, people[0]) as ada, Page(game.slug, people[1]) as bob:
        await all_at(0, ada, bob)
        clock = ada.state["clock"]
        assert clock["begin"] == {"by": game.created + BEGIN_WAIT_MS, "shown": []}
        assert (clock["running"], clock["first_turn"]) == ([], {"white": 30_000, "black": 30_000})
        await bob.say(t="shown", id="b")
        await all_at(1, ada, bob)
        assert ada.state["clock"]["begin"]["shown"] == ["black"]
        await ada.say(t="shown", id="a")
        await all_at(2, ada, bob)
        assert ada.state["clock"]["begin"] is None
        assert ada.state["clock"]["running"] == ["white", "black"]
        await game_commands.check_clocks(game_service(), game.slug, clocks.now() + LATE_MS)
        await all_at(3, ada, bob)
        assert ada.state["outcome"]["reason"] == "no_show"
        assert ada.state["absent"] == ["white", "black"]


async def test_a_spectator_begins_nothing(table, people):
    game = await table("blotto", LIMIT, fair=True)
    async with Page(game.slug, people[2]) as watcher:
        await watcher.until(0)
        await watcher.say(t="shown", id="w")
        assert (await watcher.next("refused"))["reason"] == "not_seated"


async def test_a_page_that_repeats_itself_gets_its_first_receipt(table, people):
    game = await table("blotto", LIMIT, fair=True)
    async with Page(game.slug, people[0]) as ada:
        await ada.until(0)
        for again in (False, True):
            await ada.say(t="shown", id="once")
            receipt = await ada.next("receipt")
            assert (receipt["rev"], receipt["again"]) == (1, again)
    async with Page(game.slug, people[1]) as bob:
        await bob.until(1)
        for again in (False, True):  # the entry is the begin
            await bob.say(t="shown", id="once")
            receipt = await bob.next("receipt")
            assert (receipt["rev"], receipt["again"]) == (2, again)
        await bob.say(t="resign", id="once")
        assert (await bob.next("refused"))["reason"] == "conflict"
