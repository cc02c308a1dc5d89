"""The analysis board in a browser: review, a better turn, variations, and links to them."""

import re

from playwright.async_api import expect

from tests.browser.prepared.analysis_boards import MINUTE, ended_game, play_typed
from tests.browser.probes.axe_objections import objections


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
