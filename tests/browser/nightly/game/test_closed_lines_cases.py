"""Sockets closed by the server with a code, and restarts of the server."""

import asyncio
import json
import re

import pytest
from playwright.async_api import WebSocketRoute, expect

from tests.browser.visitors.browser_visitors import Visitor
from tests.browser.visitors.pointer_actions import TIMEOUT_MS, sit_down, step_is

GAMES = re.compile("/ws/g/")
COMES_BACK = 15_000  # ms, longer than the longest wait


class Relay:
    """Carries a page's game socket, and closes it as a server would."""

    def __init__(self) -> None:
        self.line: WebSocketRoute | None = None
        self.closes_at: str | None = None  # the kind of message that is swallowed and closes it
        self.code = 1012
        self.swallowed: list[str] = []  # ids
        self.ended: set[str] = set()  # topics on which nothing more comes until they are asked for
        self.closing: asyncio.Future[None] | None = None

    async def __call__(self, line: WebSocketRoute) -> None:
        """Carries one more socket."""
        server = line.connect_to_server()
        self.line = line

        def hear(text: str) -> None:
            message = json.loads(text)
            if message["t"] == "subscribe":
                self.ended.discard(message["topic"])
            if message["t"] != self.closes_at:
                server.send(text)
                return
            self.closes_at = None
            self.swallowed.append(message["id"])
            self.closing = asyncio.ensure_future(line.close(code=self.code))

        def tell(text: str) -> None:
            if json.loads(text).get("topic") not in self.ended:
                line.send(text)

        line.on_message(hear)
        server.on_message(tell)

    def end(self, topic: str, reason: str, say: str) -> None:
        """Ends a topic as the server does: nothing more comes on it."""
        self.ended.add(topic)
        self.line.send(json.dumps({"t": "ended", "topic": topic, "reason": reason, "say": say}))


async def over_a_relay(person: Visitor) -> Relay:
    """Loads the person's page again, with its game socket over a relay."""
    relay = Relay()
    await person.page.route_web_socket(GAMES, relay)
    await person.page.reload()
    await person.page.wait_for_selector("#game")
    return relay


async def test_a_turn_that_was_on_its_way_is_sent_again_when_the_line_is_back(visit):
    ada, bob = await sit_down(visit, "blotto")
    relay = await over_a_relay(ada)
    for number, code in enumerate((1012, 4009, 1011)):  # a round each
        one, other = ((5, 4, 1), (3, 3, 4)) if number % 2 == 0 else ((3, 3, 4), (5, 4, 1))
        relay.code, relay.closes_at = code, "act"
        await ada.seal(one)
        await expect(bob.page.locator("#far")).to_contain_text("locked in", timeout=COMES_BACK)
        await bob.seal(other)
        await step_is(ada, number + 1)
        await step_is(bob, number + 1)
        assert len(relay.swallowed) == number + 1


async def test_the_reason_for_a_closed_socket_is_shown_over_the_board(visit):
    ada, _ = await sit_down(visit, "blotto")
    relay = await over_a_relay(ada)
    await ada.page.wait_for_selector("#game[data-turn=yours]")
    for code, said in (
        (1012, "The server is restarting."),
        (1008, "This page sent too many messages."),
    ):
        await relay.line.close(code=code)
        await expect(ada.page.locator("#notices")).to_contain_text(said, timeout=TIMEOUT_MS)
        await expect(ada.page.locator("#troops")).to_have_class(re.compile("veiled"))
        notice = ada.page.locator("[data-kind=line]")
        await expect(notice).to_have_count(0, timeout=COMES_BACK)


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("gone", "This game no longer exists."),
        ("slow_down", "This page sent too many messages."),
    ],
)
async def test_why_a_game_is_sent_no_longer_is_said_and_its_chat_goes_on(visit, reason, said):
    ada, _ = await sit_down(visit, "blotto")
    relay = await over_a_relay(ada)
    await ada.page.wait_for_selector("#game[data-turn=yours]")
    topic = f"game:{await ada.page.locator('#game').get_attribute('data-slug')}"
    relay.end(topic, reason, said)
    await expect(ada.page.locator("#notices")).to_contain_text(said, timeout=TIMEOUT_MS)
    await expect(ada.page.locator("#troops")).to_have_class(re.compile("veiled"))
    assert await ada.page.locator(".chat-note").inner_text() != "Not connected. Reconnecting…"
    if reason != "gone":
        notice = ada.page.locator("[data-kind=line]")
        await expect(notice).to_have_count(0, timeout=COMES_BACK)


async def test_a_page_whose_session_has_ended_becomes_that_of_a_spectator(visit):
    ada, bob = await sit_down(visit, "blotto")
    relay = await over_a_relay(ada)
    await ada.page.wait_for_selector("#game[data-turn=yours]")
    await ada.page.context.clear_cookies()
    await relay.line.close(code=4401)
    await ada.page.wait_for_selector("#game[data-turn=waits]", timeout=COMES_BACK)
    await expect(ada.page.locator("#hint")).to_contain_text("You’re watching", timeout=TIMEOUT_MS)
    await bob.page.wait_for_selector("#game[data-turn=yours]")
