"""People who find, challenge and block each other, each in a browser."""

from playwright.async_api import expect

from tests.browser.visitors.account_people import open_chat, sign_up
from tests.browser.visitors.browser_visitors import TIMEOUT_MS, begin_game, post


async def test_a_challenge_is_declined(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await sign_up(ada, "hostess")
    name = await sign_up(bob, "rival")
    form = {"game": "pincer", "clock": "none", "side": "lot"}
    lobby = await post(ada, f"u/{name}/challenge/", f"u/{name}/challenge/", **form)
    await ada.page.goto(lobby)
    await bob.page.goto(lobby)
    await bob.page.get_by_role("button", name="Decline").click()
    await expect(ada.page.locator("main")).to_contain_text(f"{name} declined", timeout=TIMEOUT_MS)


async def test_a_line_leads_to_a_block_that_closes_the_chat_for_both(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await begin_game(ada, bob, "pincer")
    name = await ada.page.locator(".strip.far .name").inner_text()
    for person in (ada, bob):
        await open_chat(person)
    await bob.page.get_by_role("group", name="Quick chat").get_by_text("Hello", exact=True).click()
    lines = ada.page.locator(".chat-text")
    await expect(lines).to_have_text(["Hello"], timeout=TIMEOUT_MS)
    await ada.page.click(".chat-menu")
    await ada.page.get_by_role("button", name=f"Block {name}").click()
    await expect(ada.page.locator(".chat-chips")).to_contain_text("You won’t be paired")
    await expect(lines).to_have_text(["Hello"])  # nothing has happened yet
    await ada.page.get_by_role("button", name=f"Block {name}").click()
    await expect(lines).to_have_count(0, timeout=TIMEOUT_MS)
    for person in (ada, bob):
        await expect(person.page.locator(".chat-why")).to_have_text("You can’t chat here.")
    await ada.page.goto(f"{ada.home}players/blocked/")
    await ada.page.locator(".player", has_text=name).get_by_role("button").click()
    await expect(ada.page.locator("main")).to_contain_text(f"You unblocked {name}.")
    await expect(bob.page.locator(".chat-why")).to_be_hidden(timeout=TIMEOUT_MS)


async def test_the_sheet_of_a_block_stays_on_a_narrow_screen(visit):
    ada, bob = await visit("ada", width=320, height=640), await visit("bob")
    await sign_up(ada, "hostess")
    name = await sign_up(bob, "a-long-name")
    await ada.page.goto(f"{ada.home}u/{name}/")
    await ada.page.click(".profile-block summary")
    assert await ada.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await ada.page.get_by_role("button", name=f"Block {name}").click()
    await expect(ada.page.locator("main")).to_contain_text(f"You blocked {name}.")
    assert not await ada.page.get_by_role("link", name="Challenge", exact=True).count()
