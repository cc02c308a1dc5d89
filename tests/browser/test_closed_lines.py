"""A line that the server closes, with the code that says why; and a server that restarts."""

import asyncio
import json
import re

import pytest
from hands import WAIT, sit_down, turn_is
from playwright.async_api import WebSocketRoute, expect
from real_server import Server
from visitors import Visitor

GAMES = re.compile("/ws/game/")
COMES_BACK = 15_000  # ms, longer than the longest wait


class Relay:
    """Carries a page's game socket, and closes it as a server would."""

    def __init__(self) -> None:
        self.line: WebSocketRoute | None = None
        self.closes_at: str | None = None  # the kind of message that is swallowed and closes it
        self.code = 1012
        self.swallowed: list[str] = []  # ids
        self.closing: asyncio.Future[None] | None = None

    async def __call__(self, line: WebSocketRoute) -> None:
        """Carries one more socket."""
        server = line.connect_to_server()
        self.line = line

        def hear(text: str) -> None:
            message = json.loads(text)
            if message["t"] != self.closes_at:
                server.send(text)
                return
            self.closes_at = None
            self.swallowed.append(message["id"])
            self.closing = asyncio.ensure_future(line.close(code=self.code))

        line.on_message(hear)


async def over_a_relay(person: Visitor) -> Relay:
    """Loads the person's page again, with its game socket over a relay."""
    relay = Relay()
    await person.page.route_web_socket(GAMES, relay)
    await person.page.reload()
    await person.page.wait_for_selector("#game")
    return relay


@pytest.mark.parametrize("code", [1012, 4009, 1011])
async def test_a_go_that_was_on_its_way_is_sent_again_when_the_line_is_back(visit, code):
    ada, bob = await sit_down(visit, "blotto")
    relay = await over_a_relay(ada)
    relay.code, relay.closes_at = code, "act"
    await ada.seal((5, 4, 1))
    await expect(bob.page.locator("#far")).to_contain_text("sealed ·", timeout=COMES_BACK)
    await bob.seal((3, 3, 4))
    await turn_is(ada, 1)
    assert len(relay.swallowed) == 1


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (1012, "The server restarts."),
        (1008, "This page has sent too much at once."),
        (4404, "This game is no longer there."),
    ],
)
async def test_why_the_line_was_closed_is_said_over_a_veiled_board(visit, code, said):
    ada, _ = await sit_down(visit, "blotto")
    relay = await over_a_relay(ada)
    await ada.page.wait_for_selector("#game[data-go=yours]")
    await relay.line.close(code=code)
    await expect(ada.page.locator("#notices")).to_contain_text(said, timeout=WAIT)
    await expect(ada.page.locator("#troops")).to_have_class(re.compile("veiled"))
    if code != 4404:
        notice = ada.page.locator("[data-kind=line]")
        await expect(notice).to_have_count(0, timeout=COMES_BACK)


async def test_a_page_whose_session_has_ended_becomes_that_of_a_spectator(visit):
    ada, bob = await sit_down(visit, "blotto")
    relay = await over_a_relay(ada)
    await ada.page.wait_for_selector("#game[data-go=yours]")
    await ada.page.context.clear_cookies()
    await relay.line.close(code=4401)
    await ada.page.wait_for_selector("#game[data-go=waits]", timeout=COMES_BACK)
    await expect(ada.page.locator("#hint")).to_contain_text("You are watching", timeout=WAIT)
    await bob.page.wait_for_selector("#game[data-go=yours]")


@pytest.mark.timeout(120)
async def test_what_the_server_was_away_is_given_back_told_once_and_stands_in_the_ledger(
    chromium, tmp_path
):
    server = Server(tmp_path)
    await server.start()
    try:
        ada, bob = [await arrive(chromium, name, server.port) for name in ("ada", "bob")]
        await open_timed_game(ada, bob)
        await server.stop()
        await expect(ada.page.locator("#notices")).to_contain_text("The server restarts.")
        await asyncio.sleep(3.5)  # shorter ones are not said to be down
        await server.start()
        for person in (ada, bob):
            notice = person.page.locator("[data-kind=away]")
            await expect(notice).to_contain_text("The server was away for", timeout=COMES_BACK)
            await expect(notice).to_contain_text("No clock paid for it.")
        await ada.page.goto(f"{ada.page.url}ledger/")
        await expect(ada.page.locator(".entry").last).to_contain_text("The server was away for")
    finally:
        server.kill()


async def arrive(chromium, name: str, port: int) -> Visitor:
    """Somebody with a browser of his own, at a site of the test's own."""
    page = await (await chromium.new_context(reduced_motion="reduce")).new_page()
    return Visitor(name, page, f"http://localhost:{port}/", [])


async def open_timed_game(ada: Visitor, bob: Visitor) -> None:
    """A game with a clock that runs."""
    await ada.page.goto(f"{ada.home}new/?game=pincer")
    await ada.page.click('label:has-text("10 + ")')
    await ada.page.click('button:has-text("Open the lobby")')
    await ada.page.wait_for_url("**/l/*/")
    await bob.join_from_home(ada.page.url.rstrip("/").rsplit("/", 1)[1])
    for person in (ada, bob):
        await person.wait_for_game()
        await person.page.wait_for_selector(".clock.running")
