"""Open games that outlive the page: left open, joined by another, found by the owner again."""

from playwright.async_api import expect

from tests.browser.prepared.joined_games import join_from_home, leave_open, name_of
from tests.browser.probes.axe_objections import ALL_LOOKS, objections
from tests.browser.visitors.browser_visitors import TIMEOUT_MS, lobby_of


async def test_an_owner_on_the_page_of_open_games_hears_at_once_of_a_game_that_starts(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await leave_open(ada, "amazons-8x8")
    await join_from_home(bob, await name_of(ada))
    await expect(ada.page.locator("#turn")).to_be_visible(timeout=TIMEOUT_MS)
    await expect(ada.page.locator("#turn")).to_have_attribute("aria-label", "Your turn (1)")


async def test_the_stepper_and_remove_work_by_keyboard_and_on_a_phone(visit):
    ada = await visit("ada", width=360, height=740)
    page = ada.page
    await leave_open(ada, "pincer")
    await page.get_by_role("button", name="One more").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".stepper-count")).to_have_text("2")
    await expect(page.locator(".offer")).to_contain_text("2 open")
    for button in await page.locator(".offer button").all():
        box = await button.bounding_box()
        assert box["height"] >= 44
        assert box["width"] >= 44
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.get_by_role("button", name="Remove Pincer").press("Enter")
    await expect(page.locator(".offer")).to_have_count(0)


async def test_the_page_has_no_barriers(visit):
    ada = await visit("ada")
    await leave_open(ada, "pincer")
    found = await objections(ada, "/open-games/ with an offer", ALL_LOOKS)
    assert not found, "\n".join(found)


async def test_a_live_lobby_leaves_the_list_seconds_after_its_host_has_closed_the_page(visit):
    ada, bob = await visit("ada"), await visit("bob")
    lobby = await lobby_of(ada, "pincer", "fischer:180:2")
    await ada.page.goto(f"{ada.home}{lobby}")
    await expect(ada.page.get_by_text("ready", exact=True).first).to_be_visible()
    await bob.go_home()
    row = bob.page.locator(f'li[data-key="{lobby.strip("/").split("/")[-1]}"]')
    await expect(row).to_have_count(1)
    await ada.page.goto("about:blank")
    await expect(row).to_have_count(0, timeout=15_000)
