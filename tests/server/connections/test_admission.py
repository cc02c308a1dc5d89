"""Pages that come at once begin in order, some at a time; handshakes of a network have a rate."""

import asyncio

import pytest
from limits import RateLimitItemPerHour

from accounts.limits.networks import of_scope
from play.runtime.runtime import MAX_JOINS
from server.connection_limits import SocketLimitMiddleware
from server.http_limits import RATES
from tests.support.game_page_client import Page
from tests.support.loop_runtime import hub, runtime
from tests.support.waiting import TIMEOUT_S, run_ready


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


async def test_a_network_that_opens_sockets_in_a_loop_is_refused() -> None:
    rate, sent = RateLimitItemPerHour(3, namespace="test"), []

    async def accept(scope, receive, send) -> None:
        await send({"type": "websocket.accept"})

    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    async def send(message) -> None:
        sent.append(message["type"].removeprefix("websocket."))

    bounded = SocketLimitMiddleware(accept, of_scope, 99, rate)
    refused = ["accept", "send", "close"]
    try:
        for address in ["192.0.2.1"] * 4 + ["192.0.2.2", "127.0.0.1"]:
            await bounded({"client": (address, 1)}, receive, send)
        assert sent == ["accept"] * 3 + refused + ["accept"] * 2
    finally:
        RATES.clear(rate, "192.0.2.1")
    await bounded({"client": ("192.0.2.1", 1)}, receive, send)
    assert sent[-1] == "accept"
