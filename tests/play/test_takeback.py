"""Takebacks: permissions, the steps undone, and the complete record."""

import asyncio
import itertools
import json
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.catalogue import rules_of
from games.core import NOOP, OTHER, ROLES
from play.domain import clocks, commands, offers, visibility
from play.domain.clocks import DAY_MS, Clock
from play.domain.game_refusals import Reason
from play.domain.game_state import reset_to_start
from play.models import Entry, Game, Step
from play.runtime import game_commands
from play.runtime.game_service import GameService
from play.storage import load, verification
from tests.play.live_commands import live_as_stored, refused
from tests.support.game_page_client import Page, all_at
from tests.support.loop_runtime import close_runtime, game_service
from tests.support.run.gates import nightly

pytestmark = pytest.mark.django_db
ids = (f"id-{n}" for n in itertools.count())
WHITE = ("move 4 1 4 7", "fire 7 7")
BLACK = ("move 4 10 4 8", "fire 4 9")


class Story:
    """A game of ada (white) and bob (black), told go by turn."""

    def __init__(self, game, people) -> None:
        self.game, self.users = game, dict(zip(ROLES, people, strict=False))

    async def turn(self, role, *actions, id=None, at=None, step=None, **more):
        live = await game_service().find(self.game.slug)
        step = live.step if step is None else step
        at, id = at or clocks.now(), id or next(ids)
        user = self.users[role].pk
        act = commands.Envelope(self.game.slug, user, at, commands.Act(id, step, actions, **more))
        return await game_service().perform(act)

    async def takeback(self, role, do, id=None, at=None):
        user, at = self.users[role].pk, at or clocks.now()
        ask = commands.Envelope(self.game.slug, user, at, commands.Takeback(id or next(ids), do))
        return await game_service().perform(ask)

    async def taken_back(self, role, at=None):
        await self.takeback(role, "offer", at=at)
        return await self.takeback(OTHER[role], "accept", at=at)

    async def live(self):
        return await live_as_stored(self.game)


@pytest.fixture
def story(table, people):
    async def begin(key="amazons-10x10", clock=None) -> Story:
        return Story(await table(key, clock), people)

    return begin


async def test_it_leads_to_the_beginning_of_the_askers_latest_turn(story):
    game = await story()
    start = await game.live()
    await game.turn("white", *WHITE)
    after_white = await game.live()
    await game.turn("black", *BLACK)
    await game.taken_back("white")
    live = await game.live()
    assert (live.step, live.takebacks, live.state, live.last) == (0, 1, start.state, ())
    assert live.waiting == {"white"}
    await game.turn("white", *WHITE)
    await game.turn("black", *BLACK)
    await game.taken_back("black")
    live = await game.live()
    assert (live.step, live.takebacks, live.state) == (2, 2, after_white.state)
    timeless = [replace(step, spent={}) for step in live.last]  # white has played it twice
    assert timeless == [replace(step, spent={}) for step in after_white.last]
    assert live.waiting == {"black"}


async def test_one_may_turn_back_further_and_a_turn_under_way_is_the_latest(story):
    game = await story()
    await game.turn("white", *WHITE)
    await game.turn("black", *BLACK)
    await game.turn("white", "move 7 1 7 3")
    await game.taken_back("white")
    assert (await game.live()).step == 4
    await game.taken_back("white")
    assert (await game.live()).step == 0
    assert await refused(game.takeback("white", "offer")) == Reason.NO_TAKEBACK


async def test_there_has_to_be_a_turn_and_an_offer(story):
    game = await story()
    assert await refused(game.takeback("black", "offer")) == Reason.NO_TAKEBACK
    await game.turn("white", *WHITE)
    assert await refused(game.takeback("black", "offer")) == Reason.NO_TAKEBACK
    for do in ("accept", "decline", "withdraw"):
        assert await refused(game.takeback("black", do)) == Reason.NO_OFFER
    await game.takeback("white", "offer")
    assert await refused(game.takeback("white", "accept")) == Reason.NO_OFFER
    assert await refused(game.takeback("black", "offer")) == Reason.OFFER_STANDS
    await game.takeback("black", "decline")
    await game.takeback("white", "offer")
    await game.takeback("white", "withdraw")
    assert (await game.live()).offers == {}
    stranger = commands.Envelope(
        game.game.slug, None, clocks.now(), commands.Takeback("x", "offer")
    )
    assert await refused(game_service().perform(stranger)) == Reason.NOT_SEATED


@pytest.mark.parametrize(("do", "actor"), [("decline", "black"), ("withdraw", "white")])
async def test_every_process_knows_whose_answer_ended_an_offer(story, do, actor):
    game = await story()
    await game.turn("white", *WHITE)
    await game.takeback("white", "offer")
    elsewhere = await game.live()  # as another process holds it
    await game.takeback(actor, do)
    live = await game.live()
    read = await game_service().run_in_db_thread(load.refresh, elsewhere)
    assert (live.offers, live.actor) == ({}, actor)
    assert read == live
    assert visibility.snapshot(live, "white", clocks.now())["actor"] == actor


@pytest.mark.parametrize("role", ROLES)
async def test_an_offer_falls_with_the_action_of_either_role(story, role):
    game = await story()
    await game.turn("white", *WHITE)
    await game.turn("black", "move 4 10 4 8")
    await game.takeback(role, "offer")
    await game.turn("black", "fire 4 9")
    assert (await game.live()).offers == {}


@pytest.mark.parametrize("what", [commands.Draw, commands.Takeback])
async def test_nobody_is_asked_the_same_again_and_again(story, what):
    game = await story()
    await game.turn("white", *WHITE)

    async def say(role, do):
        user, id = game.users[role].pk, next(ids)
        return await game_commands.perform(
            game_service(), game.game.slug, user, what(id, do), clocks.now()
        )

    async def asks(times):
        for number in range(times):
            await say("white", "offer")
            await say(*(("black", "decline") if number % 2 else ("white", "withdraw")))

    await asks(offers.MAX_OFFERS)
    assert await refused(say("white", "offer")) == Reason.SLOW_DOWN
    await game.turn("black", *BLACK)
    await asks(offers.MAX_OFFERS)
    assert await refused(say("white", "offer")) == Reason.SLOW_DOWN


async def test_a_revealed_step_cannot_be_taken_back(story):
    game = await story("blotto")
    await game.turn("white", "troops 5 5 0")
    assert await refused(game.takeback("white", "offer")) == Reason.NO_TAKEBACK
    await game.turn("black", "troops 5 5 0")
    for role in ROLES:
        assert await refused(game.takeback(role, "offer")) == Reason.NO_TAKEBACK


async def test_a_game_has_so_many_takebacks_that_its_ledger_stays_readable(story):
    game = await story("pincer")
    for _ in range(offers.MAX_TAKEBACKS):
        await game.turn("white", "move 1 5 2 5")
        await game.taken_back("white")
    await game.turn("white", "move 1 5 2 5")
    assert await refused(game.takeback("white", "offer")) == Reason.NO_TAKEBACK
    live = await game.live()
    assert (live.takebacks, live.offers) == (offers.MAX_TAKEBACKS, {})
    assert "takeback" not in visibility.audience_part(live, "white", clocks.now()).may
    await game.turn("white", "move 1 7 1 6")
    assert (await game.live()).step == 2


async def test_after_the_end_nothing_is_taken_back(story):
    game = await story()
    await game.turn("white", *WHITE)
    await game.takeback("white", "offer")
    resign = commands.Envelope(
        game.game.slug, game.users["white"].pk, clocks.now(), commands.Resign("r")
    )
    await game_service().perform(resign)
    assert await refused(game.takeback("black", "accept")) == Reason.OVER


async def test_no_row_is_deleted_and_a_number_stands_once(story):
    game = await story()
    await game.turn("white", *WHITE)
    await game.taken_back("white")
    await game.turn("white", "move 7 1 7 3", "fire 7 5")

    def rows():
        steps = Step.objects.filter(game=game.game.pk).order_by("id")
        return list(steps.values_list("number", "undone"))

    assert await game_service().run_in_db_thread(rows) == [(0, 3), (1, 3), (0, None), (1, None)]
    entry = await game_service().run_in_db_thread(
        lambda: Entry.objects.get(game=game.game.pk, rev=3)
    )
    assert (entry.kind, entry.role, json.loads(entry.body)) == (
        "takeback-accept",
        "black",
        {"to": 0},
    )


async def test_a_repeated_id_gets_its_first_receipt_though_its_steps_were_undone(story):
    game = await story()
    first = await game.turn("white", *WHITE, id="same")
    await game.taken_back("white")
    again = await game.turn("white", *WHITE, id="same", step=0)
    assert (again.rev, again.again) == (first.rev, True)
    assert (await game.live()).step == 0
    await game.turn("white", "move 7 1 7 3", "fire 7 5")
    again = await game.turn("white", *WHITE, id="same", step=0)
    assert (again.rev, again.again) == (first.rev, True)
    other = game.turn("white", "move 7 1 7 3", "fire 7 5", id="same", step=0)
    assert await refused(other) == Reason.CONFLICT


async def test_repeated_offers_and_answers_get_their_first_receipts(story):
    game = await story()
    await game.turn("white", *WHITE)
    done = {
        "offer": await game.takeback("white", "offer", id="ask"),
        "accept": await game.takeback("black", "accept", id="yes"),
    }
    for role, do, id in (("white", "offer", "ask"), ("black", "accept", "yes")):
        again = await game.takeback(role, do, id=id)
        assert (again.rev, again.again) == (done[do].rev, True)
    assert await refused(game.takeback("black", "decline", id="yes")) == Reason.CONFLICT


async def test_a_turn_made_before_the_takeback_is_not_played_after_it(story):
    game = await story()
    await game.turn("white", *WHITE)
    await game.taken_back("white")
    await game.turn("white", *WHITE)
    late = game.turn("black", *BLACK, step=2, takebacks=0)
    assert await refused(late) == Reason.STALE_STEP
    await game.turn("black", *BLACK, step=2, takebacks=1)


async def test_an_answer_that_names_an_earlier_offer_answers_no_later_one(story):
    game = await story()
    await game.turn("white", *WHITE)
    await game.takeback("white", "offer")
    await game.takeback("white", "withdraw")
    await game.takeback("white", "offer")
    bob = game.users["black"].pk
    for rev, reason in ((2, Reason.NO_OFFER), (4, None)):
        answer = commands.Envelope(
            game.game.slug, bob, clocks.now(), commands.Takeback(next(ids), "accept", rev)
        )
        if reason:
            assert await refused(game_service().perform(answer)) == reason
        else:
            await game_service().perform(answer)
    assert (await game.live()).step == 0


async def test_time_spent_stays_and_the_increment_goes_with_its_turn(story):
    game = await story(clock=Clock("fischer", 60_000, 2_000))
    start = (await game.live()).times.since
    await game.turn("white", *WHITE, at=start + 10_000)
    await game.turn("black", *BLACK, at=start + 15_000)
    await game.takeback("black", "offer", at=start + 16_000)
    await game.takeback("white", "accept", at=start + 18_000)
    times = (await game.live()).times
    assert times.left == {"white": 60_000 - 10_000 + 2_000 - 3_000, "black": 60_000 - 5_000}
    assert (times.running, times.since) == ({"black"}, start + 18_000)


async def test_five_takebacks_earn_nothing(story):
    game = await story(clock=Clock("fischer", 60_000, 30_000))
    start = (await game.live()).times.since
    for _ in range(5):
        await game.turn("white", *WHITE, at=start)
        await game.taken_back("white", at=start)
    assert (await game.live()).times.left == {"white": 60_000, "black": 60_000}
    game_rows = await game_service().run_in_db_thread(verification.rows_of, game.game.slug)
    assert verification.faults_of(game_rows) == []


async def test_turns_that_an_older_process_has_written_keep_their_increments(story):
    """Its rows do not say what was earned, nor has its row of the game a budget of lag."""
    game, run = await story(clock=Clock("fischer", 60_000, 30_000)), game_service().run_in_db_thread
    start = (await game.live()).times.since
    await game.turn("white", *WHITE, at=start)
    await run(lambda: Step.objects.filter(game=game.game.pk).update(earned=None))
    await game.taken_back("white", at=start)
    assert (await game.live()).times.left["white"] == 90_000
    row = await run(lambda: Game.objects.get(pk=game.game.pk))
    row.times = row.times.replace(',"lag_budget":{}', "")
    await run(row.save)
    assert "lag_budget" not in row.times
    assert verification.faults_of(await run(verification.rows_of, game.game.slug)) == []


async def test_a_ledger_that_returns_less_than_was_earned_is_not_right(story):
    game, run = await story(clock=Clock("fischer", 60_000, 30_000)), game_service().run_in_db_thread
    start = (await game.live()).times.since
    await game.turn("white", *WHITE, at=start)
    await game.taken_back("white", at=start)
    rows = await run(verification.rows_of, game.game.slug)
    entry = rows.entries[-1]
    entry.body = entry.body.replace('"white":30000', '"white":29000')
    assert any("the increments returned are" in fault for fault in verification.faults_of(rows))


async def test_all_turns_that_a_takeback_undoes_return_their_increments(story):
    game = await story(clock=Clock("fischer", 60_000, 30_000))
    start = (await game.live()).times.since
    await game.turn("white", *WHITE, at=start + 1_000)
    await game.turn("black", *BLACK, at=start + 3_000)
    await game.turn("white", "move 7 1 7 3", at=start + 7_000)
    await game.taken_back("white", at=start + 7_000)
    await game.taken_back("white", at=start + 7_000)
    times = (await game.live()).times
    assert times.left == {"white": 60_000 - 1_000 - 4_000, "black": 60_000 - 2_000}


async def test_nobody_loses_on_time_by_a_takeback(story):
    """Black has 34 s, spends 20, earns 30, spends 25: most of the increment is gone already."""
    game = await story(clock=Clock("fischer", 60_000, 30_000))
    at = (await game.live()).times.since
    await game.turn("white", *WHITE, at=at)
    await game.turn("black", *BLACK, at=at + 56_000)
    await game.turn("white", "move 7 1 7 3", "fire 7 5", at=at + 56_000)
    await game.turn("black", "move 7 10 7 8", "fire 7 9", at=at + 76_000)
    await game.turn("white", "move 1 4 1 3", "fire 1 2", at=at + 76_000)
    await game.taken_back("black", at=at + 101_000)
    assert (await game.live()).times.left["black"] == clocks.TAKEBACK_RESERVE_MS


@pytest.mark.parametrize("clock", [Clock("limit", 30_000), Clock("days", DAY_MS)])
async def test_a_limit_is_given_anew(story, clock):
    game = await story(clock=clock)
    start = (await game.live()).times.since
    await game.turn("white", *WHITE, at=start + 10_000)
    await game.taken_back("white", at=start + 30_000)
    times = (await game.live()).times
    assert times.left == {"white": clock.initial, "black": clock.initial}


async def test_nobody_is_saved_from_his_flag_by_a_takeback(story):
    game = await story(clock=Clock("fischer", 10_000))
    start = (await game.live()).times.since
    await game.turn("white", *WHITE, at=start)
    await game.takeback("white", "offer", at=start + 9_000)
    late = game.takeback("black", "accept", at=start + 10_001)
    assert await refused(late) == Reason.TOO_LATE


async def test_another_process_that_held_the_undone_steps_goes_back_as_well(story):
    game, other = await story(), GameService()
    await game.turn("white", *WHITE)
    await game.turn("black", *BLACK)
    await other.find(game.game.slug)
    await game.taken_back("white")
    await game.turn("white", "move 7 1 7 3", "fire 7 5")
    assert await other.renew(game.game.slug) == await game.live()
    user = game.users["black"].pk
    act = commands.Envelope(game.game.slug, user, clocks.now(), commands.Act("b", 2, BLACK))
    await other.perform(act)
    await other.close()
    await game_service().renew(game.game.slug)
    assert (await game.live()).step == 4


async def test_a_read_during_a_takeback_sees_one_consistent_state(story):
    """A row read before a takeback, with steps read after it, gives the game before it."""
    game = await story()
    await game.turn("white", *WHITE)
    await game.turn("black", *BLACK)
    before = await game.live()
    rows = Game.objects.with_actor()
    row = await game_service().run_in_db_thread(lambda: rows.get(pk=game.game.pk))
    await game.taken_back("white")
    await game.turn("white", "move 7 1 7 3", "fire 7 5")
    blank = reset_to_start(await game.live())
    read = await game_service().run_in_db_thread(load._advance_to_rows, [(blank, row)])
    assert read == {row.pk: before}


async def test_pages_hear_of_the_offer_and_of_the_answer(story, people):
    game = await story()
    async with Page(game.game.slug, people[0]) as ada, Page(game.game.slug, people[1]) as bob:
        await all_at(0, ada, bob)
        assert "takeback" not in ada.state["may"]
        await ada.act(*WHITE)
        await all_at(1, ada, bob)
        assert ("takeback" in ada.state["may"], "takeback" in bob.state["may"]) == (True, False)
        await ada.say(t="takeback", id="t1", do="offer")
        offer = (await bob.until(2))["offers"]["takeback"]
        assert (offer["by"], offer["rev"], offer["to"]) == ("white", 2, 0)
        assert 0 <= bob.state["now"] - offer["at"] < 5_000
        await ada.until(2)
        assert "takeback" not in ada.state["may"]
        await bob.say(t="takeback", id="t2", do="accept")
        await all_at(3, ada, bob)
        for page in (ada, bob):
            state = page.state
            assert (state["step"], state["turns"], state["takebacks"], state["last"]) == (
                0,
                0,
                1,
                [],
            )
            assert state["offers"] == {"draw": None, "takeback": None}
        assert ada.state["prompt"]
        await bob.say(t="plan", rev=3)
        assert (await bob.next("plan"))["plan"]


def test_pages_and_records_have_only_what_stands(client, opened, people):
    game = Story(opened("amazons-10x10"), people)

    async def play() -> None:
        await game.turn("white", *WHITE)
        await game.turn("black", *BLACK)
        await game.taken_back("white")
        await game.turn("white", "move 7 1 7 3", "fire 7 5", at=game.game.created + 1_000)
        await close_runtime()

    asyncio.run(play())
    record = client.get(f"/g/{game.game.slug}/record.json").json()
    assert record["actions"] == ["move 7 1 7 3", "fire 7 5"]
    steps = client.get(f"/g/{game.game.slug}/steps").json()["steps"]
    assert [(step["n"], step["text"]) for step in steps] == [
        (0, {"white": "g1-g3"}),
        (1, {"white": "/g5"}),
    ]
    assert [step["at"] for step in steps] == [game.game.created + 1_000] * 2
    assert steps[1]["spent"] == {"white": 0}


# Random games


def random_turn(live, random: Random) -> list[str]:
    """Canonical actions of a turn or of its first step; of `amazons` mostly without an arrow."""
    rules, state, texts = live.rules, live.state, []
    (role,) = rules.control(state)
    while role in rules.control(state) and rules.turns(state) == rules.turns(live.state):
        legal = list(rules.choices(state, role))
        quiet = [action for action in legal if getattr(action, "arrow", -1) == origin_of(action)]
        action = random.choice(quiet if quiet and random.random() < 0.8 else legal)
        texts.append(str(action))
        joint = {role: action, OTHER[role]: NOOP}
        state = rules.play(state, joint)
        if random.random() < 0.2:
            break
    return texts


def origin_of(action) -> int:
    return getattr(action, "origin", -2)


def folded(live):
    """The part of a game that depends on its steps alone."""
    return (
        live.rules.write(live.state),
        live.step,
        live.quiet,
        live.placed,
        live.last,
        live.begun,
        live.completed,
    )


async def wander(game: Story, random: Random) -> None:
    """Plays on, asks, answers and forgets, and checks after each step what has to hold."""
    clock = (await game.live()).clock
    line, at = [folded(await game.live())], game.game.created
    earned = [dict.fromkeys(ROLES, 0)]  # ms, by the steps that stand
    for _ in range(14):
        at += random.randrange(2_000)
        live = await game.live()
        if live.ending:
            break
        role, step = random.choice(ROLES), random.random()
        offer, before = live.offers.get("takeback"), live
        if offer and step < 0.5:
            back = offers.back_to(live, offer.by)
            gone = {role: earned[-1][role] - earned[back][role] for role in ROLES}
            del line[back + 1 :], earned[back + 1 :]
            await game.takeback(OTHER[offer.by], "accept", at=at)
            live = await game.live()
            assert folded(live) == line[back]
            assert (live.takebacks, live.rev) == (before.takebacks + 1, before.rev + 1)
            assert live.times.running == live.waiting == {offer.by}
            if clock.kind == "fischer":
                spent = dict.fromkeys(before.times.running, at - before.times.since)
                left = {r: before.times.left[r] - spent.get(r, 0) - gone[r] for r in ROLES}
                assert live.times.left == left
        elif not offer and role in live.begun and step < 0.5:
            await game.takeback(role, "offer", at=at)
        else:
            (role,) = live.waiting
            for text in random_turn(live, random):
                await game.turn(role, text, at=at)
                turns, live = live.rules.turns(live.state), await game.live()
                line.append(folded(live))
                ms = clock.increment if live.rules.turns(live.state) > turns else 0
                earned.append({**earned[-1], role: earned[-1][role] + ms})
        if random.random() < 0.2:
            game_service()._games.clear()  # as after a restart


@pytest.mark.slow
@pytest.mark.parametrize("key", ["pincer", *nightly("amazons", "amazons-8x8")])
def test_whatever_is_taken_back_the_game_is_what_its_record_makes_it(opened, people, key):
    assert rules_of(key)

    @settings(
        max_examples=25,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    @given(st.integers(0, 2**32))
    def check(seed: int) -> None:
        random = Random(seed)
        clock = random.choice([Clock("fischer", 600_000, 2_000), Clock("limit", 60_000), None])
        game = Story(opened(key, clock), people)

        async def play() -> None:
            await wander(game, random)
            await close_runtime()

        asyncio.run(play())

    check()
