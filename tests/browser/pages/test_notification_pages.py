"""The bell and the settings of notifications in a browser: two tabs, keyboard, time zone."""

import contextlib
import json
import sqlite3
import time

from playwright.async_api import Page, expect

from tests.browser.browser_visitors import Site, Visitor

TIMEOUT_MS = 15_000
TURN = {"rules": "pincer", "opponent": "grace", "deadline": None, "is_first": False}


async def user_of(person: Visitor, site: Site) -> int:
    """Make the visitor a guest by a lobby; return the id of that user."""
    await person.open_lobby("pincer")
    name = (await person.page.text_content("header .menu-name") or "").strip()
    with contextlib.closing(sqlite3.connect(site.database, timeout=20)) as database:
        found = database.execute("SELECT id FROM accounts_user WHERE username = ?", [name])
        return int(found.fetchone()[0])


def tell(site: Site, user: int, subject: str) -> None:
    """Write a notice as another process does: no hint, only a commit."""
    at = int(time.time() * 1000)
    row = (user, "turn", subject, 0, json.dumps(TURN), at, at, False)
    with contextlib.closing(sqlite3.connect(site.database, timeout=20)) as database, database:
        database.execute(
            "INSERT INTO notices_notice"
            " (user_id, kind, subject, serial, data, created, due, is_planned)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            row,
        )
        database.execute(
            "INSERT INTO notices_inbox (user_id, rev) VALUES (?, 1)"
            " ON CONFLICT (user_id) DO UPDATE SET rev = rev + 1",
            [user],
        )


async def says(page: Page, words: str) -> None:
    await expect(page.locator("#bell a").first).to_have_attribute(
        "aria-label", words, timeout=TIMEOUT_MS
    )


async def test_two_tabs_share_numbers_and_read_marks(visit, site):
    ada = await visit("ada")
    user = await user_of(ada, site)
    one, other = ada.page, await ada.page.context.new_page()
    await one.goto(ada.home)
    await other.goto(f"{ada.home}watch/")
    await says(one, "Notifications")
    for count in (1, 2):
        tell(site, user, f"game-{count}")
        for page in (one, other):  # without a reload
            await says(page, f"Notifications ({count})")
    await one.focus("#bell a")
    await one.keyboard.press("Space")
    await expect(one.locator(".bell-row.unread")).to_have_count(2)
    await expect(one.locator(".bell-row").first).to_contain_text("Your turn against grace")
    for page in (one, other):
        await says(page, "Notifications")
        await expect(page.locator(".bell-count")).to_be_hidden()
    await one.keyboard.press("Escape")
    await expect(one.locator("#bell-sheet")).to_be_hidden()
    await expect(one.locator("#bell > a")).to_be_focused()
    await one.click("#bell > a")
    await expect(one.locator(".bell-row")).to_have_count(2)  # still listed, but read
    await expect(one.locator(".bell-row.unread")).to_have_count(0)


async def test_the_page_of_notifications_needs_no_script(visit, site, chromium):
    ada = await visit("ada")
    user = await user_of(ada, site)
    tell(site, user, "game-1")
    state = await ada.page.context.storage_state()
    plain = await chromium.new_context(java_script_enabled=False, storage_state=state)
    page = await plain.new_page()
    await page.goto(ada.home)
    await page.click("#bell a")
    await page.wait_for_url("**/notifications/")
    await expect(page.locator(".notification.unread")).to_have_count(1)
    await page.click("text=Mark all as read")
    await expect(page.locator(".notification")).to_have_count(1)
    await expect(page.locator(".notification.unread")).to_have_count(0)
    await plain.close()


async def test_the_time_zone_of_the_browser_is_offered_and_kept(visit, site):
    ada = await visit("ada")
    await user_of(ada, site)
    await ada.page.goto(f"{ada.home}settings/notifications/")
    zone = await ada.page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    if zone == "UTC":
        await ada.page.select_option("#notify_time_zone", "Asia/Kathmandu")
    await ada.page.click("#zone-use")
    await expect(ada.page.locator("#zone-offer")).to_be_hidden()
    await ada.page.uncheck("[name=ended][value=push]")
    await ada.page.fill("[name=quiet_from]", "22:30")
    await ada.page.fill("[name=quiet_until]", "07:00")
    await ada.page.click("text=Save")
    await expect(ada.page.locator(".account-messages")).to_contain_text("saved")
    await expect(ada.page.locator("#notify_time_zone")).to_have_value(zone)
    await expect(ada.page.locator("[name=ended][value=push]")).not_to_be_checked()
    await expect(ada.page.locator("[name=quiet_from]")).to_have_value("22:30")
