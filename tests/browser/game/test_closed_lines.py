"""A restart of the server under a page of a game."""

import asyncio
import re

import pytest
from playwright.async_api import expect

from tests.browser.probes.layout_probes import both_have_played
from tests.browser.visitors.browser_visitors import Visitor, begin_game
from tests.support.servers.server_process import Server

COMES_BACK = 15_000  # ms, longer than the longest wait
DOWN_TIME_S = 4  # a shorter time is credited without a notice


@pytest.mark.timeout(120)
async def test_down_time_of_the_server_is_credited_announced_once_and_in_the_ledger(
    chromium, tmp_path
):
    server = Server(tmp_path)
    await server.start()
    try:
        ada, bob = [await arrive(chromium, name, server.port) for name in ("ada", "bob")]
        await open_timed_game(ada, bob)
        await server.stop()
        await expect(ada.page.locator("#notices")).to_contain_text("The server is restarting.")
        # The notice goes by itself after six seconds: both pages are watched from before the start.
        await asyncio.gather(
            server.start(ahead=DOWN_TIME_S), *(expect_down_time_notice(each) for each in (ada, bob))
        )
        await ada.page.goto(f"{ada.page.url}ledger/")
        await expect(ada.page.locator(".entry").last).to_contain_text("The server was down for")
    finally:
        server.kill()


async def expect_down_time_notice(person: Visitor) -> None:
    """Wait for the notice about the down-time, which includes the start of the server."""
    await expect(person.page.locator("[data-kind=away]")).to_have_text(
        re.compile(r"The server was down for \d+ s\.\s*No clock lost time\."),
        timeout=60_000 + COMES_BACK,
    )


async def arrive(chromium, name: str, port: int) -> Visitor:
    """Somebody with a browser of his own, at a site of the test's own."""
    page = await (await chromium.new_context(reduced_motion="reduce")).new_page()
    return Visitor(name, page, f"http://localhost:{port}/", [])


async def open_timed_game(ada: Visitor, bob: Visitor) -> None:
    """A game with a clock that runs: both have made their first turns."""
    await begin_game(ada, bob, "pincer", "fischer:600:5")
    await both_have_played(ada, bob, "pincer")
    for person in (ada, bob):
        await person.page.wait_for_selector(".clock.running")
