"""Pages for playing the computer when no worker runs."""

import pytest
from playwright.async_api import expect

from tests.browser.chromium.system_fonts import with_each_font
from tests.browser.probes.axe_objections import ALL_LOOKS, objections

TIMEOUT_MS = 15_000  # ms
NOBODY = "The computer isn’t available right now."


async def test_a_stranger_is_in_a_game_after_two_clicks_and_told_that_nobody_answers(visit):
    ada = await visit("ada")
    await ada.play_computer(5, "pincer")
    assert await ada.page.text_content("#far .name") == "Kestrel"
    expected = "computer, level 5 · to move"
    await expect(ada.page.locator("#far .doing")).to_have_text(expected, timeout=TIMEOUT_MS)
    assert await ada.page.get_attribute("#far .name a", "href") == "/u/Kestrel/"
    await expect(ada.page.locator("#far .dot")).to_be_hidden()
    notice = ada.page.locator('#notices [data-kind="computer"]')
    await expect(notice).to_contain_text(NOBODY, timeout=TIMEOUT_MS)
    await ada.page.evaluate("document.querySelector('#resign').focus()")
    await ada.page.keyboard.press("Enter")
    await ada.page.click('[data-command="abort"]')
    await expect(ada.page.locator("#game")).to_have_attribute(
        "data-status", "over", timeout=TIMEOUT_MS
    )
    await expect(notice).to_have_count(0)


async def test_nothing_is_said_while_the_person_is_to_move(visit):
    ada = await visit("ada")
    await ada.play_computer(1, "amazons-8x8")
    await ada.page.wait_for_selector("#game[data-turn=yours]")
    await ada.page.wait_for_timeout(3_000)
    await expect(ada.page.locator("#notices .notice")).to_have_count(0)


async def test_the_page_says_that_nobody_is_there_and_keeps_what_was_chosen_last(visit):
    ada = await visit("ada")
    await ada.page.goto(f"{ada.home}computer/?game=blotto")
    await expect(ada.page.locator(".notice")).to_contain_text(
        "The computer isn’t available right now."
    )
    await ada.page.click("label:has-text('Dark')")
    await ada.page.click("label:has-text('1 min')")
    await ada.page.click("button[name=level][value='2']")
    await ada.wait_for_game()
    assert await ada.page.get_attribute("#near", "data-role") == "black"
    await ada.page.goto(f"{ada.home}computer/")
    assert await ada.page.is_checked("#side-black")
    assert await ada.page.is_checked("input[value='limit:60']")
    await expect(ada.page.locator("button[value='2'] .level-name")).to_have_text(
        "Finch · last time"
    )


async def test_the_enter_key_on_a_choice_begins_no_game(visit):
    ada = await visit("ada")
    await ada.page.goto(f"{ada.home}computer/?game=pincer")
    await ada.page.focus("#side-black")
    await ada.page.keyboard.press("Enter")
    await expect(ada.page.locator(".notice")).to_contain_text("Pick a level to start.")
    ada.errors.clear()  # the browser complains of the answer 400
    assert await ada.page.is_checked("#side-black")
    await ada.page.focus("button[name=level][value='1']")
    await ada.page.keyboard.press("Enter")
    await ada.wait_for_game()


@with_each_font
@pytest.mark.parametrize("key", ["pincer", "blotto"])
async def test_on_the_narrowest_phone_nothing_is_cut_off_and_everything_can_be_hit(visit, key):
    ada = await visit("ada", width=360, height=740, touch=True)
    await ada.page.goto(f"{ada.home}computer/?game={key}")
    assert await ada.page.evaluate("document.documentElement.scrollWidth") == 360
    small = """() => [...document.querySelectorAll("main a, main label, main button:not([hidden])")]
        .map(part => part.getBoundingClientRect())
        .filter(({ width, height }) => height < 44 || width < 44).length"""
    assert await ada.page.evaluate(small) == 0
    await ada.page.tap("button[name=level][value='1']")
    await ada.wait_for_game()


async def test_without_scripts_it_begins_as_well(site, chromium):
    context = await chromium.new_context(java_script_enabled=False)
    page = await context.new_page()
    await page.goto(f"http://localhost:{site.port}/computer/?game=pincer")
    await page.click("button[name=level][value='1']")
    await page.wait_for_url("**/g/*/")
    await context.close()


async def test_the_host_seats_the_computer_on_the_page_of_a_lobby(visit):
    ada, bob = await visit("ada"), await visit("bob")
    code = await ada.open_lobby("pincer")
    await bob.page.goto(f"{ada.home}l/{code}/")
    await expect(bob.page.locator(".seat-computer:visible")).to_have_count(0)
    page = ada.page
    await page.click("button:has-text('I’m not ready')")
    await expect(page.locator("#start")).to_have_text("I’m ready")
    await page.select_option(".seat-computer:visible select", "6")
    await page.click("button:has-text('Add computer')")
    seat = page.locator("[data-seat='1']")
    await expect(seat.locator(".seat-ready")).to_have_text("computer, level 6")
    await expect(bob.page.locator("[data-seat='1'] .seat-name")).to_have_text("Harrier")
    assert await seat.locator("select").input_value() == "6"
    await seat.locator("select").select_option("2")
    await seat.locator("button:has-text('Change')").click()
    await expect(seat.locator(".seat-name")).to_have_text("Finch")
    await expect(page.locator("#people")).not_to_contain_text("Finch")
    await seat.locator("button:has-text('Remove')").click()
    await expect(seat.locator(".seat-name")).to_have_text("Free seat")
    await page.click("button:has-text('Add computer')")
    await page.click("#start")
    await ada.wait_for_game()


@pytest.mark.timeout(300)
async def test_axe_objects_to_nothing(visit):
    ada = await visit("ada")
    found = []
    for address in ("computer/?game=blotto&level=8", "u/Eagle/"):
        await ada.page.goto(f"{ada.home}{address}")
        found += await objections(ada, f"/{address}", ALL_LOOKS)
    await ada.open_lobby("pincer")
    found += await objections(ada, "lobby with an offer to seat the computer", ALL_LOOKS)
    await ada.play_computer(3, "pincer")
    await expect(ada.page.locator("#notices")).to_contain_text(NOBODY, timeout=TIMEOUT_MS)
    found += await objections(ada, "nobody answers", ALL_LOOKS)
    assert not found, "\n".join(found)
