"""Service worker of the installed app: the page that is shown without a connection."""

from playwright.async_api import expect

from tests.browser.chromium.installed_app import (
    STANDALONE,
    expect_only_offline_page_stored,
    worker_ready,
)


async def test_without_a_connection_the_installed_app_says_so_and_comes_back_with_it(visit, proxy):
    ada = await visit("ada", line=proxy)
    page = ada.page
    await page.add_init_script(STANDALONE)
    await page.goto(f"{ada.home}learn/")
    await worker_ready(page)
    proxy.cut()
    await page.goto(f"{ada.home}watch/")
    await expect(page.locator("h1")).to_have_text("You’re offline")
    assert page.url == f"{ada.home}watch/"
    colour = await page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert colour == "rgb(244, 238, 226)"  # the style sheet is there
    await expect_only_offline_page_stored(page)
    assert all("503" in error for error in ada.errors), ada.errors  # the worker's own answer
    ada.errors.clear()
    proxy.mend()
    await page.click("text=Try again")
    await expect(page.locator("h1")).to_have_text("Watch")
