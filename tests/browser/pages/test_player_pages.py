"""People who find, challenge and write to each other, each in a browser."""

from playwright.async_api import expect

from tests.browser.visitors.account_people import open_chat, sign_up
from tests.browser.visitors.browser_visitors import TIMEOUT_MS


async def test_somebody_is_found_challenged_and_accepts_and_the_two_write_freely(visit):
    ada, bob = await visit("ada"), await visit("bob", width=360, height=740)
    await sign_up(ada, "hostess")
    name = await sign_up(bob, "rival")
    await bob.go_home()  # and waits there, without a game or lobby of his own
    await ada.page.goto(f"{ada.home}players/")
    await ada.page.get_by_label("Player’s name").fill(name.upper())
    await ada.page.get_by_role("button", name="Search").click()
    await ada.page.get_by_role("link", name=name, exact=True).click()
    await ada.page.locator("main").get_by_role("button", name="Follow").click()
    await expect(ada.page.locator("main")).to_contain_text(f"You follow {name}.")
    await ada.page.get_by_role("link", name="Challenge", exact=True).click()
    await ada.page.get_by_role("link", name="Pincer").click()
    await ada.page.click('label:has-text("No clock")')
    await ada.page.get_by_role("button", name="Send challenge").click()
    await ada.page.wait_for_url("**/l/*/")
    await expect(ada.page.locator("main")).to_contain_text(f"Waiting for {name} to accept")
    await expect(bob.page.locator("#turn")).to_contain_text("Challenges (1)", timeout=TIMEOUT_MS)
    await bob.page.click("#turn")
    await bob.page.wait_for_url("**/l/*/")
    assert await bob.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await bob.page.click('form[action$="/sit/"] button >> visible=true')
    await ada.wait_for_game()
    await bob.wait_for_game()
    for person, words in ((ada, "you came!"), (bob, "of course I did")):
        await open_chat(person)
        await person.page.fill(".chat-form input", words)
        await person.page.press(".chat-form input", "Enter")
    for person in (ada, bob):
        await expect(person.page.locator(".chat-text")).to_have_text(
            ["you came!", "of course I did"], timeout=TIMEOUT_MS
        )
