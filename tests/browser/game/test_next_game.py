"""After a turn in a slow game, the page leads to the next game that waits."""

import os

from playwright.async_api import expect

from tests.browser.prepared.sent_turns import begin_alone
from tests.browser.visitors.pointer_actions import click, step_is

SHOTS = os.environ.get("QUIVER_TEST_SHOTS", "")  # a folder for pictures of the pages


async def test_the_next_game_that_waits_is_one_key_away(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await begin_alone(ada, bob, "amazons-8x8", "days:2")
    first = ada.page.url
    await begin_alone(ada, bob, "pincer")
    link = ada.page.locator("#next-waiting")
    await expect(link).to_be_hidden()
    await click(ada, "a5", "b5", "a7", "a6")
    await step_is(ada, 2)
    await expect(link).to_have_text("Next game (1)")
    if SHOTS:
        await ada.page.screenshot(path=f"{SHOTS}/next-game.png")
        await ada.page.set_viewport_size({"width": 390, "height": 844})
        await ada.page.screenshot(path=f"{SHOTS}/next-game-390.png")
    await ada.page.locator("body").press("n")
    await ada.page.wait_for_url(first)
    await expect(link).to_be_hidden()
    await click(ada, "c1", "c5", "e5")
    await step_is(ada, 2)
    await expect(link).to_be_hidden()
    if SHOTS:
        await bob.page.goto(f"{bob.home}open-games/")
        await bob.page.screenshot(path=f"{SHOTS}/open-games.png")
