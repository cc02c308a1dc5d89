"""Pages that come at once begin in order, some at a time; handshakes are bounded by network."""

import asyncio

import pytest

from play.runtime.runtime import MAX_JOINS
from server import connection_limits
from server.connection_limits import bound_handshakes
from tests.support.game_page_client import Page
from tests.support.loop_runtime import hub, runtime
from tests.support.waiting import TIMEOUT_S, run_ready, turn_loop_clock

DENIAL = {"websocket.http.response": {}}


@pytest.mark.django_db
async def test_a_page_that_waits_has_its_pings_answered_and_is_served_in_its_turn(
    table, people
) -> None:
    game, joins = await table("pincer"), runtime().joins
    for _ in range(MAX_JOINS):
        await joins.acquire()
    async with Page(game.slug, people[0]) as page:
        await page.say(t="ping", rev=0)
        assert (await page.next("pong"))["revs"] == {}
        assert hub().rev(("game", game.slug)) is None
        later = asyncio.create_task(joins.acquire())
        await run_ready()
        joins.release()
        await page.until(0)
        await asyncio.wait_for(later, TIMEOUT_S)  # the page has given its place to the next one


async def test_a_refused_handshake_is_held(monkeypatch) -> None:
    """Its page comes again as soon as it is refused: browsers do not tell it when to."""
    monkeypatch.setattr(connection_limits, "HOLD_S", (60.0, 60.0))
    monkeypatch.setattr(connection_limits, "MAX_HELD", 2)
    sent: list[str] = []

    async def send(message) -> None:
        sent.append(message["type"])

    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    bounded = bound_handshakes(None, most=0)

    def come(number: int) -> asyncio.Task[None]:
        scope = {"client": (f"192.0.2.{number}", 1)}
        return asyncio.create_task(bounded(scope, receive, send))

    waiting = [come(number) for number in range(2)]
    await asyncio.wait_for(come(2), 5)
    assert sent == ["websocket.close"]
    assert not any(task.done() for task in waiting)
    waiting[0].cancel()
    await asyncio.wait(waiting[:1])
    waiting.append(come(3))  # takes the place of the one that has gone
    await run_ready()
    assert not any(task.done() for task in waiting[1:])
    assert sent == ["websocket.close"]
    for task in waiting[1:]:
        task.cancel()
    await asyncio.wait(waiting)


async def test_a_network_that_opens_sockets_in_a_loop_is_refused(monkeypatch) -> None:
    monkeypatch.setattr(connection_limits, "HOLD_S", (0.0, 0.0))
    monkeypatch.setattr(connection_limits, "MAX_RECENT_PER_NETWORK", 3)
    monkeypatch.setattr(connection_limits, "RECENT_S", 120.0)  # longer than this test
    sent: list[int] = []

    async def accept(scope, receive, send) -> None:
        await send({"type": "websocket.accept"})

    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    async def send(message) -> None:
        if message["type"] != "websocket.http.response.body":
            sent.append(message.get("status", 101))

    bounded = bound_handshakes(accept)

    async def come(address: str) -> None:
        scope = {"client": (address, 1), "extensions": DENIAL}
        await bounded(scope, receive, send)

    for address in ["192.0.2.1"] * 4 + ["192.0.2.2", "127.0.0.1"]:
        await come(address)
    assert sent == [101, 101, 101, 503, 101, 101]
    await turn_loop_clock(60)
    await come("192.0.2.1")
    assert sent[-1] == 503
    await turn_loop_clock(60)
    await come("192.0.2.1")
    assert sent[-1] == 101
