"""A whole Chromium that keeps pages in memory when its user leaves them."""

import shutil
from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from tests.browser.chromium.chromium_program import BROWSERS, FLAGS
from tests.browser.visitors.browser_visitors import Visitor

# Undefined while a page is not shown.
NOTE = """
    addEventListener("pageshow", event => { window.came_back = event.persisted; });
    addEventListener("pagehide", () => { window.came_back = undefined; });
"""
CAME_BACK = "() => window.came_back === true"
# The shell of Chromium keeps no pages.
WHOLE = next(filter(None, map(shutil.which, BROWSERS[1:])), None)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def keeping_browser() -> AsyncIterator[Browser]:
    """A browser that keeps pages in memory; Playwright's own flags forbid it."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=WHOLE,
            args=FLAGS,
            ignore_default_args=["--disable-back-forward-cache"],
        )
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def ada(site, keeping_browser) -> AsyncIterator[Visitor]:
    """Somebody with such a browser."""
    page = await keeping_browser.new_page()
    await page.add_init_script(NOTE)
    yield Visitor("ada", page, f"http://localhost:{site.port}/", [])
    await page.close()


async def go_back(person: Visitor) -> None:
    """Goes back; Playwright's own `go_back` waits for a page to be loaded, and none is."""
    await person.page.evaluate(
        "() => { window.came_back = undefined; setTimeout(() => history.back()); }"
    )
    await person.page.wait_for_function("() => window.came_back !== undefined")
