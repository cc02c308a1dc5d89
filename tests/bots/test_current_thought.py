"""A thought gives way to other games, and ends with its own clock."""

import asyncio
from dataclasses import replace

import pytest
from asgiref.sync import sync_to_async
from msgspec import structs

from bots import worker_registry
from bots.scheduler import GRACE_MS, PendingTurn, Scheduler
from bots.thinking import current_thought
from bots.thinking.current_thought import CurrentThought
from play.domain import clocks
from play.domain.clocks import Clock
from tests.support.bot_workers import AtWork, first, play, until
from tests.support.faulty_engines import Odd
from tests.support.loop_runtime import game_service
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def due(people, at_work):
    """The turn of the computer, which is white, in a new game."""

    async def due(key: str = "pincer", clock: Clock | None = None, before_ms: int = 1_000):
        game = await first(people[0], key, clock=clock)
        live = await game_service().find(game.slug)
        return PendingTurn(live, "white", "turn", clocks.now() - before_ms)

    return due


class Queue(Scheduler):
    """A scheduler that holds what a test puts into it."""

    def __init__(self, *turns: PendingTurn) -> None:
        super().__init__(game_service(), print, print)
        self._turns = {each.key: each for each in turns}


async def test_a_thought_gives_way_to_a_turn_that_waits(due, monkeypatch):
    monkeypatch.setattr(current_thought, "WATCH_INTERVAL_S", 0.01)
    thought, other = CurrentThought(await due()), await due()
    queue = Queue(thought.due, other)
    task = asyncio.create_task(thought.watch_queue(game_service(), queue, "this"))
    await wait_until(lambda: not thought.may_go_on(), "the thought gives way")
    task.cancel()
    assert not thought.is_over()  # the nodes of its level are examined all the same


async def test_a_thought_goes_on_while_another_worker_has_the_turn_that_waits(due):
    thought, other = CurrentThought(await due()), await due()
    claim = sync_to_async(worker_registry.claim)
    assert await claim(other.live.id, "white", "that", clocks.now()) == 0
    await thought.check_queue(game_service(), Queue(other), "this")
    assert thought.may_go_on()
    await sync_to_async(worker_registry.give_back)(other.live.id, "white", "that")
    await thought.check_queue(game_service(), Queue(other), "this")
    assert not thought.may_go_on()


async def test_exhibitions_and_turns_of_this_moment_make_nobody_give_way(due):
    thought = CurrentThought(await due())
    shown = replace(await due(), is_exhibition=True)
    recent = await due(before_ms=GRACE_MS // 2)
    assert Queue(thought.due, shown, recent).list_waiting(thought.due.key) == []


async def test_a_turn_at_a_fast_clock_that_waits_ends_the_thought(due):
    thought = CurrentThought(await due())
    late = await due(clock=Clock("fischer", 10_000))
    times = structs.replace(late.live.times, since=clocks.now() - 5_000)
    thought.give_way_to([replace(late, live=structs.replace(late.live, times=times))])
    assert thought.is_over()


async def test_a_clock_that_changes_meanwhile_moves_the_end_of_the_thought(due):
    turn = await due(clock=Clock("fischer", 60_000))
    thought = CurrentThought(turn)
    assert not thought.is_over()
    times = turn.live.times
    short = structs.replace(times, left={**times.left, "white": 0})
    thought.note_clock(structs.replace(turn.live, times=short))
    assert thought.is_over() and not thought.is_dropped
    thought.note_clock(turn.live)
    assert not thought.is_over()


@pytest.mark.slow
async def test_a_turn_in_the_middle_of_which_the_computer_has_to_act_is_finished(
    people, at_work, engine
):
    engine("quick")
    game = await first(people[0], "amazons-10x10", clock=Clock("fischer", 60_000))
    live = await game_service().find(game.slug)
    bot = live.people["white"].user
    from accounts.models import User

    user = await sync_to_async(User.objects.get)(pk=bot)
    await play(game, user, str(next(iter(live.rules.choices(live.state, "white")))))
    async with AtWork():
        await until(game, lambda live: live.step == 2)
    assert len(Odd.given) == 1
