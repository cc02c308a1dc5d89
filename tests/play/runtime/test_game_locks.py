"""Keyed locks: one holder per name in order of arrival; cancellation is harmless."""

import asyncio

from play.runtime.game_cache import GameLocks
from tests.support.waiting import TIMEOUT_S, run_ready


async def pass_through(queues: GameLocks, name: str, who: str, seen: list[str]) -> None:
    await queues.enter(name)
    seen.append(f"{who} in")
    await run_ready()
    seen.append(f"{who} out")
    queues.leave(name)


async def test_the_second_comes_in_when_the_first_has_left():
    queues, seen = GameLocks(), list[str]()
    await asyncio.gather(*(pass_through(queues, "game", who, seen) for who in "abc"))
    assert seen == ["a in", "a out", "b in", "b out", "c in", "c out"]


async def test_nobody_waits_for_another_name():
    queues, seen = GameLocks(), list[str]()
    await asyncio.gather(*(pass_through(queues, who, who, seen) for who in "ab"))
    assert seen == ["a in", "b in", "a out", "b out"]


async def test_a_cancelled_waiter_is_skipped_even_if_it_was_next():
    queues, seen = GameLocks(), list[str]()
    await queues.enter("game")
    quitter, late = (asyncio.ensure_future(queues.enter("game")) for _ in range(2))
    other = asyncio.ensure_future(pass_through(queues, "game", "other", seen))
    await asyncio.sleep(0)
    quitter.cancel()
    queues.leave("game")  # it is the step of the late one
    late.cancel()
    await asyncio.wait_for(other, TIMEOUT_S)
    assert seen == ["other in", "other out"]
    await asyncio.wait_for(queues.enter("game"), TIMEOUT_S)


async def test_the_end_is_when_everybody_has_left():
    queues, seen = GameLocks(), list[str]()
    coming = [asyncio.ensure_future(pass_through(queues, "game", who, seen)) for who in "ab"]
    await asyncio.sleep(0)
    await queues.end()
    assert seen == ["a in", "a out", "b in", "b out"]
    await asyncio.gather(*coming)
