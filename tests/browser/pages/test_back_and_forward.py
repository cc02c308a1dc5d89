"""Back shows pages out of the browser's memory, up to date and never of another session.

The same story logs in by a password, which no other story of the gate does.
"""

import pytest
from playwright.async_api import expect

from tests.browser.chromium import kept_pages
from tests.browser.chromium.kept_pages import CAME_BACK, WHOLE, go_back
from tests.browser.visitors.browser_visitors import Visitor

ada, keeping_browser = kept_pages.ada, kept_pages.keeping_browser
COUNT_SOCKETS = """window.sockets = [];
window.WebSocket = class extends WebSocket {
    constructor(...told) { super(...told); window.sockets.push(this); }
};"""
IS_FOLLOWED_AGAIN = (
    "() => sockets.length === 2 && sockets[0].readyState > 1 && sockets[1].readyState === 1"
)
PASSWORD = "seven-loud-archers-4"
pytestmark = pytest.mark.skipif(
    WHOLE is None, reason="needs a whole Chromium (apt install chromium)"
)


async def test_a_list_that_came_back_follows_the_server_again(ada):
    page = ada.page
    await page.add_init_script(COUNT_SOCKETS)
    await page.goto(f"{ada.home}watch/")
    await page.wait_for_function("() => sockets[0]?.readyState === 1")
    await page.goto(f"{ada.home}terms/")
    await go_back(ada)
    await page.wait_for_function(CAME_BACK, timeout=5_000)
    await page.wait_for_function(IS_FOLLOWED_AGAIN, timeout=5_000)


async def test_after_logging_out_back_shows_nothing_and_the_password_alone_leads_in_again(ada):
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
    await log_in(ada, PASSWORD.upper())
    await expect(page.locator("main [role=alert]")).to_have_text("Wrong name or password.")
    await log_in(ada, PASSWORD)
    await expect(name).to_have_text("back-walker")


async def log_in(person: Visitor, password: str) -> None:
    """Fills in the form with the keyboard."""
    await person.page.goto(f"{person.home}log-in/")
    await person.page.get_by_label("Name or email", exact=True).fill("back-walker")
    await person.page.get_by_label("Password", exact=True).fill(password)
    await person.page.keyboard.press("Enter")
