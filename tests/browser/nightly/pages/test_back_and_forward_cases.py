"""Back shows pages out of the browser's memory, up to date and never of another session."""

import pytest
from playwright.async_api import expect

from tests.browser.chromium import kept_pages
from tests.browser.chromium.kept_pages import CAME_BACK, WHOLE, go_back

ada, keeping_browser = kept_pages.ada, kept_pages.keeping_browser
KEPT = ["", "watch/", "learn/", "learn/pincer/", "about/", "privacy/", "u/Wren/"]
pytestmark = pytest.mark.skipif(
    WHOLE is None, reason="needs a whole Chromium (apt install chromium)"
)


async def test_pages_without_secrets_come_back_at_once(ada):
    for address in KEPT:
        await ada.page.goto(ada.home + address)
        await ada.page.goto(f"{ada.home}terms/")
        await go_back(ada)
        assert ada.page.url == ada.home + address
        await ada.page.wait_for_function(CAME_BACK, timeout=5_000)


async def test_settings_are_fetched_again(ada):
    await ada.page.goto(f"{ada.home}settings/")
    await ada.page.goto(f"{ada.home}terms/")
    await go_back(ada)
    await ada.page.wait_for_selector("h1:has-text('Settings')")
    assert await ada.page.evaluate("window.came_back") is False


async def test_a_theme_chosen_on_a_later_page_is_that_of_an_earlier_one(ada):
    page = ada.page
    await page.emulate_media(color_scheme="light")
    await page.goto(f"{ada.home}about/")
    await page.goto(f"{ada.home}terms/")
    await page.click("label[for=footer-theme-dark]")
    await go_back(ada)
    await page.wait_for_function(CAME_BACK, timeout=5_000)
    assert await page.evaluate("document.documentElement.dataset.theme") == "dark"
    await expect(page.locator("#footer-theme-dark")).to_be_checked()
