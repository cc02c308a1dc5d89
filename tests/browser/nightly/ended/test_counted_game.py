"""A game with the free arrow that ends by a count: its button, its texts, and the proof."""

import asyncio

import pytest
from playwright.async_api import expect

from tests.browser.prepared.short_games import squares
from tests.browser.visitors.browser_visitors import TIMEOUT_MS, begin_game
from tests.support.walled_games import WHITE_AHEAD_TURNS

pytestmark = pytest.mark.timeout(240)
PRESS = """squares => {
    for (const square of squares)
        document.querySelector(`.grid button[data-square="${square}"]`).click();
}"""


async def play(people, turns) -> None:
    """Both play turns on the hidden grid, white first."""
    for number, turn in enumerate(turns):
        mover = people[number % 2]
        await mover.page.wait_for_selector("#game[data-turn=yours]", timeout=TIMEOUT_MS)
        await mover.page.evaluate(PRESS, squares(turn))
        for each in people:
            step = f'#game[data-step="{number + 1}"]'
            await each.page.wait_for_selector(step, timeout=TIMEOUT_MS)


def count_button(person):
    return person.page.locator("#count-now")


async def open_actions(person) -> None:
    """Brings the tab with the side actions to the front where the page is narrow."""
    if not await count_button(person).is_visible():
        await person.page.click('[data-tab="more"]')


async def test_a_parted_game_is_counted_by_the_player_who_waits(visit):
    ada, bob = await visit("ada"), await visit("bob", width=390, height=780)
    await begin_game(ada, bob, "amazons")
    await play((ada, bob), WHITE_AHEAD_TURNS[:-1])
    for each in (ada, bob):
        await open_actions(each)
        button = count_button(each)
        await expect(button).to_have_attribute("aria-disabled", "true")
        await expect(button).to_have_attribute(
            "title", "You can count once no square can be reached by both sides."
        )
    last = squares(WHITE_AHEAD_TURNS[-1])
    await bob.page.wait_for_selector("#game[data-turn=yours]", timeout=TIMEOUT_MS)
    await bob.page.evaluate(PRESS, last)
    sheets = [each.page.locator('.ask-sheet[data-thing="parted"]') for each in (ada, bob)]
    await expect(sheets[0]).to_contain_text("You win, 46–36 squares.")
    await expect(sheets[1]).to_contain_text("You lose, 36–46 squares.")
    await expect(ada.page.locator("#speech")).to_contain_text("The sides are apart.")
    # It is white's turn, and black may count as well; the page asks first.
    await open_actions(bob)
    await expect(count_button(bob)).to_have_attribute("aria-disabled", "false")
    await count_button(bob).click()
    question = bob.page.locator('.ask-sheet[data-thing="ask-count"]')
    await expect(question).to_contain_text("You lose, 36–46 squares.")
    await question.get_by_role("button", name="Keep playing").click()
    await expect(question.get_by_role("button", name="Yes, count")).to_be_hidden()
    assert not await bob.is_over()
    await sheets[0].get_by_role("button", name="Count now").click()
    for each in (ada, bob):
        await each.page.wait_for_selector("#game[data-status=over]", timeout=TIMEOUT_MS)
        await expect(each.page.locator("#result-reason")).to_contain_text("46–36 squares")
        await expect(each.page.locator("#balance .end.white")).to_have_text("46")
        await expect(each.page.locator("#balance .end.black")).to_have_text("36")
    await expect(ada.page.locator("#result-title")).to_have_text("You win")
    await expect(count_button(ada)).to_be_hidden()
    slug = ada.page.url.rstrip("/").rsplit("/", 1)[1]
    record = await (await ada.page.context.request.get(f"{ada.home}g/{slug}/record.json")).json()
    assert record["counted"] is True and record["result"]["reason"] == "counted"
    await ada.page.goto(f"{ada.home}g/{slug}/ledger/")
    await expect(ada.page.locator("main")).to_contain_text("has the squares counted.")
    await expect(ada.page.locator("main")).to_contain_text("46–36 squares.")


async def test_two_tabs_of_a_player_show_the_same_end(visit):
    ada, bob = await visit("ada"), await visit("bob")
    slug = await begin_game(ada, bob, "amazons")
    await play((ada, bob), WHITE_AHEAD_TURNS)
    second = await ada.page.context.new_page()
    await second.goto(f"{ada.home}g/{slug}/")
    tabs = (ada.page, second)
    buttons = [
        tab.locator('.ask-sheet[data-thing="parted"]').get_by_role("button", name="Count now")
        for tab in tabs
    ]
    for button in buttons:
        await expect(button).to_be_enabled()
        await expect(button).to_have_attribute("aria-disabled", "false")
    # Pressed on the elements: the first count may take the other tab's button away meanwhile.
    handles = [await button.element_handle() for button in buttons]
    await asyncio.gather(*(handle.evaluate("button => button.click()") for handle in handles))
    for tab in tabs:
        await tab.wait_for_selector("#game[data-status=over]", timeout=TIMEOUT_MS)
        await expect(tab.locator("#result-reason")).to_contain_text("46–36 squares")
    assert await bob.is_over()


async def test_a_lobby_without_counting_says_so_and_its_game_has_no_button(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await ada.page.goto(f"{ada.home}new/?game=amazons")
    await ada.page.click('label:has-text("No clock")')
    await ada.page.click("details.more-options summary")
    await ada.page.click('label[for="counted-no"]')
    await ada.page.click('button:has-text("Create game")')
    await ada.page.wait_for_url("**/l/*/")
    row = ada.page.locator('[data-option="counted"]')
    await expect(row.locator('button[aria-pressed="true"]')).to_have_text("Draw instead")
    await ada.page.locator('[data-option="game"] button[value="pincer"]').click()
    await expect(row).to_be_hidden()
    await ada.page.locator('[data-option="game"] button[value="amazons"]').click()
    await expect(row).to_be_visible()
    code = ada.page.url.rstrip("/").rsplit("/", 1)[1]
    await bob.page.goto(f"{bob.home}l/{code}/")
    await expect(bob.page.locator("main")).to_contain_text("Squares aren’t counted.")
    await bob.page.get_by_role("button", name="Play").first.click()
    await asyncio.gather(ada.wait_for_game(), bob.wait_for_game())
    await expect(count_button(ada)).to_be_hidden()
