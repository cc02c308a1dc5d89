"""A review is published in one browser, seen in another, and spot-checked by a worker."""

import asyncio
import contextlib
import json
import os
import re
import sqlite3
from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from tests.browser.prepared.analysis_boards import MINUTE, ended_game, play_typed
from tests.browser.probes.axe_objections import objections
from tests.browser.visitors.account_people import sign_up
from tests.browser.visitors.browser_visitors import Site, Visitor
from tests.support.servers.server_process import Server, free_port

pytest.importorskip("numba")  # the worker checks natively
NOT_CHECKED = "Review by {name}, 10,000 positions a move. Not spot-checked yet."
CHECKED = "Review by {name}, 10,000 positions a move. Spot-checked 2 of 2."
PICTURES = os.environ.get("QUIVER_TEST_PICTURES")  # a folder for screenshots; for people


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with a worker, which checks what is published."""
    server = Server(tmp_path_factory.mktemp("reviews"), bots=1)
    asyncio.run(server.start())
    yield Site(server.port, free_port(), server.database)
    assert asyncio.run(server.stop()) == 0
    assert "Traceback" not in server.log_path.read_text()


async def picture(person: Visitor, name: str) -> None:
    """Draws the page light and dark where somebody wants to look at it."""
    for scheme in ("light", "dark") if PICTURES else ():
        await person.page.emulate_media(color_scheme=scheme)
        await person.page.screenshot(path=f"{PICTURES}/{name}-{scheme}.png", full_page=True)


def stored_values(site: Site) -> list[tuple[str, str]]:
    with contextlib.closing(sqlite3.connect(site.database, timeout=20)) as base:
        return base.execute('SELECT "values", checked FROM analysis_review').fetchall()


@pytest.mark.timeout(600)
async def test_a_published_review_is_seen_by_a_stranger_and_checked(visit, site) -> None:
    ada, bob, cy = await visit("ada"), await visit("bob"), await visit("cy", width=390, height=844)
    name = await sign_up(ada, "reviewer")
    address = await ended_game(ada, bob)
    page = ada.page
    await page.goto(address)
    await expect(page.locator("#moves button")).to_have_count(1)
    publish = page.locator("#review-publish")
    await expect(publish).to_be_hidden()
    await page.click("#review-start")
    await expect(page.locator("#review-say")).to_have_text(
        re.compile("Reviewed with 10,000 positions"), timeout=2 * MINUTE
    )
    await expect(publish).to_be_visible()
    await picture(ada, "review-offered")
    await publish.press("Enter")
    await expect(page.locator("#publish-say")).to_contain_text("Published.")
    await expect(publish).to_be_hidden()
    losses = await page.inner_text("#review-counts")

    await cy.page.goto(address)
    assert await cy.page.locator("#review-publish").count() == 0  # a guest
    await expect(cy.page.locator("#review-counts")).to_have_text(losses)
    say = cy.page.locator("#review-say")
    assert await say.inner_text() in (
        NOT_CHECKED.format(name=name), CHECKED.format(name=name)
    )  # fmt: skip
    assert await cy.page.evaluate(
        "performance.getEntriesByType('resource').every(({ name }) => !name.endsWith('.wasm'))"
    )
    for _ in range(240):  # the worker compiles first, on a new machine
        ((values, checked),) = stored_values(site)
        if checked:
            break
        await asyncio.sleep(1)
    assert len(checked.split()) == len(json.loads(values)) == 2  # equal to the bit
    await cy.page.reload()
    await expect(say).to_have_text(CHECKED.format(name=name))
    await picture(cy, "review-published")
    await expect(cy.page.locator("#review-start")).to_have_text("Review it yourself")
    found = await objections(cy, "published review")
    assert not found, "\n".join(found)
    await page.reload()
    await picture(ada, "review-own")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.timeout(600)
async def test_a_position_is_played_on_by_keyboard_against_a_level(visit) -> None:
    ada = await visit("ada")
    page = ada.page
    await page.goto(f"{ada.home}analysis/pincer/")
    await expect(page.locator("#play-on")).to_be_hidden()  # at the start
    await play_typed(page, "a5-b5 a7-b7")
    await expect(page.locator("#play-on")).to_be_visible()
    await picture(ada, "play-on")
    await page.select_option("#play-on-level", "1")
    await page.press("#play-on-start", "Enter")
    await page.wait_for_selector("#game[data-turn=yours]", timeout=MINUTE)
    await page.fill("#type", "a3-b3 a1-b1")
    await page.press("#type", "Enter")
    answered = "() => Number(document.getElementById('game').dataset.step) >= 6"
    await page.wait_for_function(answered, timeout=4 * MINUTE)
    await page.goto(page.url.partition("#")[0].rstrip("/") + "/ledger/")
    await expect(page.locator("main")).to_contain_text("The game begins after 1 given move.")
