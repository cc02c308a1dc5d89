"""The bell in two tabs."""

from playwright.async_api import Page, expect

from tests.browser.prepared.notice_rows import tell, user_of

TIMEOUT_MS = 15_000


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
