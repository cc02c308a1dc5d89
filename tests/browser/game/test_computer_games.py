"""A game against the computer, with a worker, and its rematch."""

import pytest
from playwright.async_api import expect

from tests.browser.prepared import computer_opponent
from tests.browser.prepared.computer_opponent import TIMEOUT_MS
from tests.browser.visitors.site_pages import SEND_SCRIPT

site = computer_opponent.site
pytestmark = pytest.mark.timeout(300)


async def test_a_rematch_begins_with_one_press(visit):
    ada = await visit("ada")
    await ada.play_computer(1, "blotto")
    first = ada.page.url
    await ada.seal((4, 3, 3))
    await ada.page.wait_for_selector("#troops[data-mode=reveal]")
    await ada.page.evaluate(SEND_SCRIPT, {"t": "resign"})
    await ada.page.wait_for_selector("#game[data-status=over]")
    await expect(ada.page.locator("#result")).to_be_visible()
    await expect(ada.page.locator("#again-say")).to_have_text("")
    await ada.page.click("#rematch:not([data-inert])", timeout=TIMEOUT_MS)
    await ada.page.wait_for_url(lambda url: "/g/" in url and url != first, timeout=TIMEOUT_MS)
    assert await ada.page.get_attribute("#near", "data-role") == "black"
    await ada.page.goto(first)  # the game before is still there to look at
    await ada.page.click("#show-result")
    await expect(ada.page.locator("#again-say")).to_have_text("The rematch has started.")
    await expect(ada.page.locator("#next-game")).to_be_visible()
    assert ada.page.url == first
