"""Worker in its own event loop: finds due games, thinks and plays once."""

import asyncio
import threading
from random import Random

import pytest
from asgiref.sync import sync_to_async

from accounts.people.computer_users import computer
from bots.models import Lease, Thinking
from bots.worker import Worker
from games.catalogue import RULES
from lobby.computer_seats import play_computer
from lobby.lobbies import rematch
from lobby.lobby_options import Options
from lobby.models import Lobby
from play.domain import clocks, commands
from play.domain.clocks import Clock
from play.models import Entry, Step
from play.time_controls import NO_CLOCK
from ratings.rules.scale import append_anchors
from tests.ratings.placement_games import anchors_with, begin, own_role
from tests.support import faulty_engines
from tests.support.bot_workers import (
    AtWork,
    against,
    first,
    play,
    say,
    seated_now,
    thinks,
    told,
    until,
)
from tests.support.faulty_engines import Held, Odd
from tests.support.loop_runtime import game_service
from tests.support.waiting import TIMEOUT_S, wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture(autouse=True)
def _quick(engine, at_work) -> None:
    engine("quick")


@pytest.mark.parametrize("key", RULES)
async def test_the_computer_plays_a_whole_game_against_somebody_who_plays_by_chance(key, people):
    ada, rng = people[0], Random(7)
    game = await first(ada, key, level=1)
    async with AtWork():
        for _ in range(12):
            live = await until(game, lambda live: live.ending or "black" in live.waiting)
            if live.ending:
                break
            action = live.rules.choices(live.state, "black").sample(rng)
            await play(game, ada, str(action))
        live = await until(game, lambda live: live.ending or live.step >= 10 or live.waiting)
    steps = await told(lambda: list(Step.objects.filter(game=game.pk).values_list("number")))
    assert [number for (number,) in steps] == list(range(live.step))
    assert live.step >= 5
    assert await told(Lease.objects.count) == 0


async def test_the_computer_leaves_people_time_to_follow(people):
    game = await against(people[0], "pincer")
    async with AtWork():
        before = clocks.now()  # not after the turn: its answer may be under way by then
        await play(game, people[0], "move 1 5 2 5", "move 1 7 2 7")
        live = await until(game, lambda live: live.step > 2)
    assert live.changed - before >= 500


async def test_a_turn_of_two_actions_is_thought_through_and_sent_at_once(people):
    game = await first(people[0], "amazons-10x10")
    async with AtWork():
        await until(game, lambda live: live.step == 2)
    entries = await told(lambda: list(Entry.objects.filter(game=game.pk, kind="act")))
    assert [entry.action_id for entry in entries] == ["bot-act-0-0"]
    assert await told(Thinking.objects.filter(game=game.pk).count) == 2


async def test_it_is_given_its_level_and_sees_what_its_seat_sees(people):
    game = await first(people[0], "blotto", level=6)
    live = await game_service().find(game.slug)
    async with AtWork():
        await until(game, lambda live: "white" in live.sealed)
    ((view, role, nodes, seed),) = Odd.given
    assert (view, role, nodes) == (live.rules.view(live.state, "white"), "white", 60)
    thinking = await told(Thinking.objects.get)
    assert (thinking.seed, thinking.level, thinking.number) == (seed, 6, 0)


async def test_a_computer_player_does_not_see_the_opponents_sealed_action(people):
    game = await first(people[0], "blotto")
    before = (await game_service().find(game.slug)).state
    await play(game, people[0], "troops 8 1 1")
    async with AtWork():
        await until(game, lambda live: live.step == 1)
    *told, _seed = Odd.given[0]
    assert told[0] == RULES["blotto"].view(before, "white")
    assert "8" not in str(told)


async def test_a_thought_continues_when_a_draw_is_offered(people, engine):
    engine("held")
    game = await first(people[0], "pincer", clock=Clock("fischer", 600_000))
    async with AtWork():
        await thinks()
        await say(game, people[0], commands.Draw("d", "offer"))
        await until(game, lambda live: not live.offers)
        assert len(Odd.given) == 1
        Held.released.set()
        await until(game, lambda live: live.step == 2)
    assert len(Odd.given) == 2


async def test_a_takeback_is_granted_even_while_the_computer_thinks(people, engine):
    engine("held")
    ada = people[0]
    game = await against(ada, "pincer")
    async with AtWork() as worker:
        await play(game, ada, "move 1 5 2 5", "move 1 7 2 7")
        await thinks()
        thought = worker._thinking
        await say(game, ada, commands.Takeback("t", "offer"))
        live = await until(game, lambda live: live.takebacks == 1)
        await wait_until(lambda: worker._thinking is None, "the thought ends")
        assert thought.is_dropped
        assert (await game_service().renew(game.slug)).step == live.step == 0


async def test_in_a_placement_game_no_takeback_is_granted(people, engine, monkeypatch):
    engine("quick")
    monkeypatch.setattr("ratings.rules.scale.anchors_of", anchors_with(2026))
    ada = people[0]
    await sync_to_async(append_anchors)(clocks.now())
    game = (await sync_to_async(begin)(ada)).game
    role = await sync_to_async(own_role)(game, ada)
    async with AtWork():
        live = await until(game, lambda live: role in live.waiting)
        action = str(next(iter(live.rules.choices(live.state, role))))
        await play(game, ada, action)
        await say(game, ada, commands.Takeback("t", "offer"))
        await until(game, lambda live: live.offers)
        assert (await until(game, lambda live: not live.offers)).takebacks == 0


async def test_a_short_clock_cuts_the_thought_about_another_game_short(people, engine, monkeypatch):
    monkeypatch.setattr(faulty_engines, "SECONDS", 3 * TIMEOUT_S)
    engine("slow")
    slow = await first(people[0], "amazons")
    async with AtWork():
        await thinks()
        quick = await first(people[1], "pincer", clock=Clock("fischer", 3_000))
        live = await until(quick, lambda live: live.step == 2)
        assert live.ending is None
        await until(slow, lambda live: live.step == 1)


@pytest.mark.parametrize("left", [1_000, 1_500, 4_000])
async def test_its_flag_does_not_fall_because_it_thinks(people, engine, left):
    engine("slow")
    game = await first(people[0], "amazons-8x8", clock=Clock("fischer", left, 1_000))
    async with AtWork():
        live = await until(game, lambda live: live.step == 2)
    assert live.times.left["white"] > 1_000


async def test_the_lobby_of_a_game_that_the_computer_ends_is_open_again(people, engine):
    engine("desperate")
    ada = people[0]
    options = Options("amazons", NO_CLOCK, "black", True)
    game = await told(play_computer, ada, options, 7)
    async with AtWork():
        await until(game, lambda live: live.step == 1)
        live = await game_service().renew(game.slug)
        await play(game, ada, str(next(iter(live.rules.choices(live.state, "black")))))
        await until(game, lambda live: live.ending)
        await asyncio.gather(*rematch.tasks)
    assert (await told(Lobby.objects.get)).status == Lobby.Status.OPEN
    begun = await told(rematch.rematch, game.lobby, ada)
    assert begun.game_id != game.pk


async def test_it_gives_up_after_two_hopeless_turns_at_a_level_that_does_that(people, engine):
    engine("desperate")
    ada = people[0]
    proud, stubborn = await first(ada, "amazons", 7), await first(ada, "amazons", 2)
    async with AtWork():
        for game in (proud, stubborn):
            await until(game, lambda live: live.step == 1)
            live = await game_service().renew(game.slug)
            turn = next(iter(live.rules.choices(live.state, "black")))
            await play(game, ada, str(turn))
        live = await until(proud, lambda live: live.ending)
        assert (live.ending.winner, live.ending.reason, live.step) == ("black", "resigned", 2)
        await until(stubborn, lambda live: live.step == 3)


async def test_it_answers_a_draw_by_what_it_thinks(people):
    game = await first(people[0], "pincer")
    async with AtWork():
        await until(game, lambda live: live.step == 2)
        await say(game, people[0], commands.Draw("d", "offer"))
        live = await until(game, lambda live: not live.offers)
    assert live.ending is None
    entries = Entry.objects.filter(game=game.pk).order_by("rev")
    assert (await told(entries.last)).kind == "draw-decline"


async def test_games_of_people_come_before_exhibitions_and_short_clocks_first(people):
    from bots.scheduler import pending_turns

    bots = [await sync_to_async(computer)(level) for level in (3, 4)]
    pair = dict(zip(("white", "black"), bots, strict=True))
    shown = await sync_to_async(seated_now)(pair, "pincer")
    games = [await first(people[0], "pincer", clock=clock) for clock in CLOCKS]
    lives = [await game_service().find(game.slug) for game in games]
    dues = [*pending_turns(await game_service().find(shown.slug), True)]
    dues += [due for live in lives for due in pending_turns(live)]
    ordered = [due.live.slug for due in sorted(dues, key=lambda due: due.rank)]
    assert ordered == [games[1].slug, games[0].slug, games[2].slug, shown.slug]


CLOCKS = [Clock("fischer", 60_000), Clock("fischer", 20_000), Clock("none")]


async def test_a_worker_that_is_told_to_end_while_numba_is_loaded_ends_without_an_error(
    monkeypatch,
):
    is_loading, may_end = threading.Event(), threading.Event()

    def load() -> None:
        is_loading.set()
        may_end.wait(3 * TIMEOUT_S)

    monkeypatch.setattr("bots.worker.has_numba", lambda: True)
    monkeypatch.setattr("bots.worker.load", load)
    worker = Worker(game_service(), is_exhibiting=False)
    working = asyncio.ensure_future(worker.run())
    assert await asyncio.to_thread(is_loading.wait, TIMEOUT_S)
    worker.end()
    try:
        await asyncio.wait_for(working, TIMEOUT_S)
    finally:
        may_end.set()
