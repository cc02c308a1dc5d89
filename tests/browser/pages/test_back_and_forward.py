"""Back shows pages out of the browser's memory, up to date and never of another session."""

import shutil
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import async_playwright, expect

from tests.browser.browser_visitors import Visitor
from tests.browser.conftest import BROWSERS, FLAGS

NOTE = "addEventListener('pageshow', event => { window.came_back = event.persisted; })"
COUNT_SOCKETS = """window.sockets = [];
window.WebSocket = class extends WebSocket {
    constructor(...told) { super(...told); window.sockets.push(this); }
};"""
IS_FOLLOWED_AGAIN = (
    "() => sockets.length === 2 && sockets[0].readyState > 1 && sockets[1].readyState === 1"
)
CAME_BACK = "() => window.came_back === true"
KEPT = ["", "watch/", "learn/", "learn/pincer/", "about/", "privacy/", "u/Wren/"]
PASSWORD = "seven-loud-archers-4"
# The shell of Chromium keeps no pages.
WHOLE = next(filter(None, map(shutil.which, BROWSERS[1:])), None)
pytestmark = pytest.mark.skipif(
    WHOLE is None, reason="needs a whole Chromium (apt install chromium)"
)


@pytest_asyncio.fixture(loop_scope="session")
async def ada(site) -> AsyncIterator[Visitor]:
    """Somebody whose browser keeps pages in memory; Playwright's own flags forbid it."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=WHOLE,
            args=FLAGS,
            ignore_default_args=["--disable-back-forward-cache"],
        )
        page = await browser.new_page()
        await page.add_init_script(NOTE)
        yield Visitor("ada", page, f"http://localhost:{site.port}/", [])
        await browser.close()


async def go_back(person: Visitor) -> None:
    """Goes back; Playwright's own `go_back` waits for a page to be loaded, and none is."""
    await person.page.evaluate("() => void setTimeout(() => history.back())")
    await person.page.wait_for_timeout(300)


async def test_pages_without_secrets_come_back_at_once(ada):
    for address in KEPT:
        await ada.page.goto(ada.home + address)
        await ada.page.goto(f"{ada.home}terms/")
        await go_back(ada)
        assert ada.page.url == ada.home + address
        await ada.page.wait_for_function(CAME_BACK, timeout=5_000)


async def test_a_list_that_came_back_follows_the_server_again(ada):
    page = ada.page
    await page.add_init_script(COUNT_SOCKETS)
    await page.goto(f"{ada.home}watch/")
    await page.wait_for_function("() => sockets[0]?.readyState === 1")
    await page.goto(f"{ada.home}terms/")
    await go_back(ada)
    await page.wait_for_function(CAME_BACK, timeout=5_000)
    await page.wait_for_function(IS_FOLLOWED_AGAIN, timeout=5_000)


async def test_settings_are_fetched_again(ada):
    await ada.page.goto(f"{ada.home}settings/")
    await ada.page.goto(f"{ada.home}terms/")
    await go_back(ada)
    await ada.page.wait_for_selector("h1:has-text('Settings')")
    assert await ada.page.evaluate("window.came_back") is False


async def test_after_logging_out_back_shows_nothing_of_the_former_user(ada):
    page = ada.page
    await page.goto(f"{ada.home}sign-up/")
    await page.fill("[name=username]", "back-walker")
    await page.fill("[name=password1]", PASSWORD)
    await page.fill("[name=password2]", PASSWORD)
    await page.press("[name=password2]", "Enter")
    await page.wait_for_url(ada.home)
    await page.goto(f"{ada.home}learn/")
    name = page.locator(".header .menu-name").first
    await expect(name).to_have_text("back-walker")
    await page.goto(ada.home)
    await page.click(".header summary:visible")
    await page.click("form[action='/log-out/'] button:visible")
    await page.wait_for_selector(".header a:has-text('Sign in'):visible")
    for _ in range(2):
        await go_back(ada)
        await page.wait_for_selector(".header a:has-text('Sign in'):visible")
        assert "back-walker" not in await page.content()


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
