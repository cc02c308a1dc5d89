"""The analysis board in a browser: review, a better turn, variations, and links to them."""

import re

from playwright.async_api import expect

from tests.browser.browser_visitors import begin_game
from tests.browser.pages.test_axe import SEND_SCRIPT, objections

MINUTE = 60_000


async def ended_game(ada, bob) -> str:
    """A game of Pincer of two turns that bob gives up; the address of its analysis."""
    slug = await begin_game(ada, bob, "pincer")
    for person, turn in ((ada, ["move 1 5 2 5", "move 7 3 6 3"]), (bob, None)):
        if turn:
            step = await person.page.get_attribute("#game", "data-step")
            message = {"t": "act", "step": int(step or 0), "actions": turn}
            await person.page.evaluate(SEND_SCRIPT, message)
    await bob.page.evaluate(SEND_SCRIPT, {"t": "resign"})
    return f"{ada.home}g/{slug}/analysis/"


async def play_typed(page, turn: str) -> None:
    """Types a turn once the board takes one, and plays it by the button where that is asked for."""
    await expect(page.locator("#hint")).not_to_have_text("")
    before = await page.locator("#moves button").count()
    await page.fill("#type", turn)
    await page.press("#type", "Enter")
    if await page.locator("#play").is_visible():
        await page.click("#play")
    await expect(page.locator("#moves button")).to_have_count(before + 1)


async def test_a_review_marks_turns_and_a_better_one_is_found_and_shared(visit) -> None:
    ada, bob, cy = await visit("ada"), await visit("bob"), await visit("cy", width=390, height=844)
    address = await ended_game(ada, bob)
    page = ada.page
    await page.goto(address)
    await expect(page.locator("#moves button")).to_have_count(1)
    await page.click("#review-start")
    await expect(page.locator("#review-say")).to_have_text(
        re.compile("Reviewed with 10,000 positions"), timeout=2 * MINUTE
    )
    assert await page.evaluate("scrollY") == 0  # the list of moves scrolls, the page does not
    await expect(page.locator("#verdict")).not_to_have_text("")
    await page.keyboard.press("Home")
    await expect(page.locator("#sentence")).to_contain_text("to move.")
    await play_typed(page, "a5-b5 a7-b7")
    await page.click("#engine-toggle")
    await expect(page.locator(".engine-line").first).to_be_visible(timeout=MINUTE)
    await page.locator(".engine-turn").first.click()
    await expect(page.locator("#moves button")).to_have_count(3)
    found = await objections(ada, "analysis")
    assert not found, "\n".join(found)
    await cy.page.goto(page.url)
    await expect(cy.page.locator("#moves button")).to_have_count(3)
    here = await page.inner_text("#sentence")
    await expect(cy.page.locator("#sentence")).to_have_text(here)


async def test_an_empty_board_is_played_on_for_both_sides(visit) -> None:
    ada = await visit("ada", width=360, height=740)
    page = ada.page
    await page.goto(f"{ada.home}analysis/amazons-8x8/")
    await expect(page.locator("#no-moves")).to_be_visible()
    for turn in ("c1-c5/e5", "c8-c6/d6"):
        await play_typed(page, turn)
    await page.click("#look-back")
    await expect(page.locator("#place")).to_have_text("1 of 2")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_a_link_with_turns_that_cannot_be_played_shows_the_board_without_them(visit) -> None:
    ada = await visit("ada")
    await ada.page.goto(f"{ada.home}analysis/pincer/#0;-1:move.1.1.7.7,move.1.2.1.3")
    await expect(ada.page.locator("#verdict")).to_have_text(
        "The variations in this link aren’t legal here."
    )
    await expect(ada.page.locator("#no-moves")).to_be_visible()


async def test_without_webassembly_the_page_says_so_and_works_on(visit) -> None:
    ada = await visit("ada")
    await ada.page.add_init_script("delete globalThis.WebAssembly")
    await ada.page.goto(f"{ada.home}analysis/pincer/")
    await ada.page.click("#engine-toggle")
    await expect(ada.page.locator("#engine-say")).to_contain_text("can’t run in this browser")
    await play_typed(ada.page, "a5-b5 a7-b7")
