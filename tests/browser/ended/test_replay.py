"""Replay of a running game by keys, buttons, slider and list."""

from playwright.async_api import expect

from tests.browser.prepared.sent_turns import send_turn
from tests.browser.prepared.typed_games import TURNS, looks_at, stands
from tests.browser.visitors.browser_visitors import game_of


async def test_keys_buttons_slider_and_list_lead_through_the_game(visit):
    ada, bob = await visit("ada"), await visit("bob")
    game = await game_of(ada, bob, "pincer")
    for number, turn in enumerate(TURNS):
        await send_turn((ada, bob)[number % 2], game, 2 * number, turn)
    await ada.page.goto(f"{ada.home}{game}")
    await looks_at(ada, 4, 4)
    page, slider = ada.page, ada.page.locator("#slider")
    await page.keyboard.press("ArrowLeft")
    await looks_at(ada, 3, 4)
    await expect(slider).to_have_attribute("aria-valuetext", "move 3 of 4: b5-c5 a6-b6")
    assert "circle" in await stands(ada, "g6")
    await page.keyboard.press("Home")
    await looks_at(ada, 0, 4)
    assert "triangle" in await stands(ada, "a5")
    await page.click("#look-forward")
    await looks_at(ada, 1, 4)
    assert "triangle" in await stands(ada, "b5")
    await page.click("#moves button >> text=f5-e5")
    await looks_at(ada, 4, 4)
    await page.click("#moves button >> text=g5-f5")
    await looks_at(ada, 2, 4)
    assert await page.get_attribute("#moves [aria-current]", "data-turns") == "2"
    await slider.focus()
    await page.keyboard.press("ArrowRight")
    await looks_at(ada, 3, 4)
    await page.click("#look-last")
    await looks_at(ada, 4, 4)
    assert "circle" in await stands(ada, "e5")
