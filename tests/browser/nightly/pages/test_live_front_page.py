"""The front page as a stranger meets it: two taps to a game, and a board that moves."""

import asyncio
import re
from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from tests.browser.prepared.short_games import AMAZONS_8X8
from tests.browser.visitors.browser_visitors import Site, Visitor, begin_game
from tests.support.servers.server_process import Server, free_port

TIMEOUT_MS = 30_000  # ms
# Keeps each picture that the large board shows, frame by frame.
WATCH_PICTURES = """() => {
    const canvas = document.querySelector("#featured canvas");
    window.pictures = [];
    const look = () => {
        const picture = canvas.toDataURL();
        if (picture !== window.pictures.at(-1)) window.pictures.push(picture);
        requestAnimationFrame(look);
    };
    look();
}"""
SHIFTS = """() => new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(sum), 1500);
})"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site of its own: games of other tests would come first on the large board."""
    server = Server(tmp_path_factory.mktemp("front"))
    asyncio.run(server.start())
    yield Site(server.port, free_port(), server.database)
    assert asyncio.run(server.stop()) == 0
    assert "Traceback" not in server.log_path.read_text()


async def turn(person: Visitor, text: str) -> None:
    """Types a turn."""
    await person.page.wait_for_selector("#game[data-turn=yours]", timeout=TIMEOUT_MS)
    await person.page.fill("#type", text)
    await person.page.press("#type", "Enter")
    await person.page.wait_for_selector("#game:not([data-turn=yours])", timeout=TIMEOUT_MS)


async def progress_is(watcher: Visitor, words: str) -> None:
    progress = watcher.page.locator("#featured [data-text=progress]")
    await expect(progress).to_have_text(words, timeout=TIMEOUT_MS)


async def test_a_stranger_on_a_phone_is_in_a_game_with_two_taps(visit) -> None:
    eve = await visit("eve", width=390, height=844, touch=True, ratio=3)
    await eve.go_home()
    ways = eve.page.locator(".ways a")
    assert await ways.all_inner_texts() == ["Play online", "Play a friend", "Play the computer"]
    for way in await ways.all():
        box = await way.bounding_box()
        assert box["height"] >= 44 and box["y"] + box["height"] <= 740
    await ways.nth(2).tap()
    first = eve.page.locator('button[name=level]:has-text("Start here")')
    await expect(first).to_be_in_viewport(ratio=1)
    await first.tap()
    await eve.wait_for_game()
    assert "Amazons 8×8" in await eve.page.title()
    snapshot = await eve.page.evaluate(
        "JSON.parse(document.getElementById('snapshot').textContent)"
    )
    assert snapshot["public"] is False


async def test_the_live_board_moves_with_each_turn_but_for_those_who_want_no_motion(visit) -> None:
    ada, bob = await visit("ada"), await visit("bob")
    slug = await begin_game(ada, bob, "amazons-8x8")
    await turn(ada, AMAZONS_8X8[0])
    moving, still = await visit("eve", motion="no-preference"), await visit("cy", motion="reduce")
    for watcher in (moving, still):
        await watcher.go_home()
        await progress_is(watcher, "move 1")
        link = watcher.page.locator("#featured .featured-watch")
        await expect(link).to_have_attribute("href", re.compile(f"/g/{slug}/"))
        await watcher.page.wait_for_timeout(1500)  # the other small boards are drawn
        await watcher.page.evaluate(WATCH_PICTURES)
    await turn(bob, AMAZONS_8X8[1])
    for watcher in (moving, still):
        await progress_is(watcher, "move 2")
        await watcher.page.wait_for_timeout(1500)
    assert len(await moving.page.evaluate("pictures")) > 4
    assert len(await still.page.evaluate("pictures")) == 2  # before and after
    await moving.page.click(".featured-pause")
    await turn(ada, AMAZONS_8X8[2])
    await progress_is(still, "move 3")
    await progress_is(moving, "move 2")
    await moving.page.click(".featured-pause")
    await progress_is(moving, "move 3")


async def test_nothing_shifts_while_the_front_page_loads(visit) -> None:
    for width, height in ((360, 740), (1280, 800)):
        eve = await visit(f"eve {width}", width=width, height=height)
        await eve.go_home()
        assert await eve.page.evaluate(SHIFTS) < 0.02


async def test_the_dot_beside_your_turn_is_round_on_the_front_page(visit) -> None:
    eve = await visit("eve", width=390, height=844, touch=True)
    await eve.page.goto(f"{eve.home}computer/")
    await eve.page.locator("button.level").first.click()
    await eve.wait_for_game()
    await eve.go_home()
    dot = await eve.page.locator(".header-end .dot").first.bounding_box()
    assert dot and abs(dot["width"] - dot["height"]) < 1
