"""Signing up during a game, and settings of a device."""

import itertools

from playwright.async_api import expect

from tests.browser.visitors.browser_visitors import Visitor

PASSWORD = "seven dull archers"
numbers = itertools.count(1)


async def sign_up(person: Visitor, page, name: str) -> None:
    """Follows the header's link and fills in the form with the keyboard alone."""
    await page.goto(person.home)
    await page.locator("header details.only-wide summary").focus()
    await page.keyboard.press("Enter")
    await page.get_by_role("link", name="Sign up to keep your games").focus()
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/sign-up/**")
    await page.get_by_label("Name", exact=True).focus()
    for text in (name, PASSWORD, PASSWORD, ""):
        await page.keyboard.type(text)
        await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.wait_for_url(person.home)


async def test_a_guest_signs_up_while_the_game_is_open_and_plays_on(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await bob.join_from_home(await ada.open_lobby("pincer"))
    await ada.wait_for_game()
    await bob.wait_for_game()
    name = f"magnus-{next(numbers)}"
    await sign_up(ada, await ada.page.context.new_page(), name)
    for person in (ada, bob):  # nobody has loaded anything anew
        await expect(person.page.locator("#game")).to_contain_text(name, timeout=10_000)
    await ada.page.wait_for_selector("#game[data-turn=yours]")
    for square in ("a5", "b5", "a7", "a6"):
        await ada.page.click(f'.grid button[data-square="{square}"]', force=True)
    await bob.page.wait_for_selector("#game[data-step='2']", timeout=10_000)
    await ada.page.reload()
    await expect(ada.page.locator("header .menu-name").first).to_have_text(name)
    await ada.page.wait_for_selector("#game[data-step='2']")


async def test_errors_of_a_form_are_focused_and_announced(visit):
    ada = await visit("ada", width=360, height=640)
    page = ada.page
    await page.goto(f"{ada.home}sign-up/")
    await page.get_by_label("Name", exact=True).fill("a b")
    await page.get_by_label("Password", exact=True).fill("seven dull archers")
    await page.get_by_label("Repeat password").fill("seven sharp archers")
    await page.get_by_role("button", name="Sign up").click()
    name = page.get_by_label("Name", exact=True)
    await expect(name).to_be_focused()
    described = (await name.get_attribute("aria-describedby")).split()
    texts = [await page.locator(f"#{id}").text_content() for id in described]
    assert any("3 to 20 letters" in text for text in texts)
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_the_settings_of_a_device_work_at_once_and_stay(visit):
    ada = await visit("ada")
    page = ada.page
    await page.goto(f"{ada.home}settings/")
    theme = page.get_by_role("group", name="Theme")
    await theme.get_by_role("radio", name="System").focus()
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")  # light, then dark
    assert await page.get_attribute("html", "data-theme") == "dark"
    await expect(page.locator("#kept")).to_have_text("Saved on this device.")
    await page.click("label[for=send-button]")
    await page.click("label[for=coordinates-off]")
    other = await page.context.new_page()
    await other.goto(f"{ada.home}settings/")
    assert await other.get_attribute("html", "data-theme") == "dark"
    for id in ("theme-dark", "send-button", "coordinates-off", "sounds-off"):
        await expect(other.locator(f"#{id}")).to_be_checked()
    await other.click("label[for=theme-system]")
    await expect(page.locator("#theme-system")).to_be_checked()  # the other tab follows
    await other.click("label[for=send-tap]")
    await expect(page.locator("#send-tap")).to_be_checked()
