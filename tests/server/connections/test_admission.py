"""Pages that come at once begin some at a time, in order, and are let in early at most once."""

import asyncio
from types import SimpleNamespace

import pytest

from play.sockets.consumers import PageTopics
from server import connection_limits
from server.connection_limits import AdmissionGate, bound_handshakes
from tests.support.game_page_client import Page


async def test_pages_begin_in_the_order_in_which_they_came() -> None:
    gate, came = AdmissionGate(2), []

    async def come(number: int):
        leave = await gate.enter()
        came.append(number)
        return leave

    tasks = [asyncio.create_task(come(number)) for number in range(4)]
    await asyncio.sleep(0)
    assert came == [0, 1]
    leave = await tasks[1]
    leave()
    leave()  # a page has one place to give back
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert came == [0, 1, 2]
    (await tasks[0])()
    await tasks[3]
    assert came == [0, 1, 2, 3]


async def test_a_page_that_goes_while_it_waits_takes_no_place() -> None:
    gate = AdmissionGate(1)
    leave = await gate.enter()
    gone, next_one = (asyncio.create_task(gate.enter()) for _ in range(2))
    await asyncio.sleep(0)
    gone.cancel()
    leave()
    (await asyncio.wait_for(next_one, 5))()
    (await asyncio.wait_for(gate.enter(), 5))()


async def test_a_page_that_is_cancelled_with_its_turn_passes_it_on() -> None:
    gate = AdmissionGate(1)
    leave = await gate.enter()
    gone = asyncio.create_task(gate.enter())
    await asyncio.sleep(0)
    leave()
    gone.cancel()
    (await asyncio.wait_for(gate.enter(), 5))()


async def test_a_page_that_subscribes_to_nothing_holds_the_next_one_up_for_a_moment(
    monkeypatch,
) -> None:
    monkeypatch.setattr(connection_limits, "MAX_SERVED_S", 0.01)
    gate = AdmissionGate(1)
    await gate.enter()
    await asyncio.wait_for(gate.enter(), 5)


async def test_a_handshake_gives_its_place_back_when_it_ends(monkeypatch) -> None:
    monkeypatch.setattr(connection_limits, "MAX_SERVED_S", 60.0)

    async def refusing(scope, receive, send) -> None:
        raise ConnectionError

    bounded = bound_handshakes(refusing)
    for _ in range(connection_limits.MAX_SERVED + 1):
        with pytest.raises(ConnectionError):
            await asyncio.wait_for(bounded({"client": ("192.0.2.1", 1)}, None, None), 5)


async def test_a_refused_handshake_is_held_unless_too_many_are(monkeypatch) -> None:
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
    await asyncio.wait(waiting[1:], timeout=0.05)
    assert sent == ["websocket.close"]
    for task in waiting[1:]:
        task.cancel()
    await asyncio.wait(waiting)


@pytest.mark.django_db(transaction=True)
async def test_a_page_is_served_when_all_its_topics_are_answered(table, people) -> None:
    game, calls = await table("pincer"), []
    page = Page(game.slug, people[0])
    page.socket.scope["served"] = lambda: calls.append(len(page.heard))
    async with page:
        await page.until(0)
        await page.say(t="ping", rev=0)
        assert await page.next("pong")
    assert calls
    assert calls[0] <= 1


@pytest.mark.django_db(transaction=True)
async def test_a_page_waits_for_the_last_of_its_topics(at_work) -> None:
    calls: list[None] = []
    scope = {"served": lambda: calls.append(None), "runtime": None}
    topics = PageTopics(scope, SimpleNamespace())
    topics._unanswered |= {"game:x", "mine"}
    topics._note_answered("mine")
    assert not calls
    topics._note_answered("game:x")
    assert calls
