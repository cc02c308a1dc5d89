"""Frames of all sockets of a network have one budget; those of other networks have theirs."""

import asyncio
import json
from types import SimpleNamespace

import pytest
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser

from play.routing import websocket_urlpatterns
from play.sockets.messages import MAX_TOPICS
from play.sockets.send_queue import Bucket, bucket_of_network
from tests.support.loop_runtime import is_silent, runtime
from tests.support.waiting import turn_loop_clock

FLOODING, OTHER = "203.0.113.77", "198.51.100.77"
SOCKETS = 300  # of one network at most
MINUTE_S = 60.0


async def opened(network: str) -> WebsocketCommunicator:
    """A socket of a page on a network."""
    socket = WebsocketCommunicator(URLRouter(websocket_urlpatterns), "/ws/")
    session = SimpleNamespace(digest=None)
    socket.scope |= {"runtime": runtime(), "user": AnonymousUser(), "session": session}
    socket.scope["client"] = [network, 4711]
    assert (await socket.connect(timeout=5))[0]
    return socket


async def pinged(socket: WebsocketCommunicator) -> str:
    """The kind of the answer to a ping."""
    await socket.send_to(text_data='{"t":"ping"}')
    return await kind_of_answer(socket)


async def kind_of_answer(socket: WebsocketCommunicator) -> str:
    """The kind of the next frame."""
    return str(json.loads(await socket.receive_from(timeout=5))["t"])


@pytest.mark.django_db
async def test_sockets_of_a_network_that_floods_wait_and_those_of_others_do_not(at_work) -> None:
    flood = [await opened(FLOODING) for _ in range(2)]
    other = await opened(OTHER)
    bucket = bucket_of_network(FLOODING)
    bucket.at, bucket.tokens = asyncio.get_running_loop().time(), -MINUTE_S * bucket.rate
    assert [await pinged(socket) for socket in flood] == ["pong", "pong"]  # these were read
    for socket in flood:
        await socket.send_to(text_data='{"t":"ping"}')
    assert [await pinged(other) for _ in range(3)] == ["pong"] * 3
    assert [await is_silent(socket) for socket in flood] == [True, True]
    await turn_loop_clock(MINUTE_S)
    assert [await kind_of_answer(socket) for socket in flood] == ["pong", "pong"]
    for socket in (*flood, other):
        await socket.disconnect()


def test_a_network_whose_pages_all_come_back_waits_for_nothing_and_a_flood_for_its_rate() -> None:
    bucket, back = Bucket(200.0, 3000.0, 3000.0), SOCKETS * MAX_TOPICS
    assert {bucket.take_on_credit(0.0) for _ in range(back)} == {0.0}
    waits = [bucket.take_on_credit(0.0) for _ in range(1000)]
    assert waits[-1] == pytest.approx((back + 1000 - 3000) / 200.0)
    assert bucket.take_on_credit(waits[-1] + 1.0) == 0.0
