"""Conditional moves: composed on the board, kept, played ahead, and seen by the opponent then."""

import os

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import expect

from tests.browser.visitors.browser_visitors import TIMEOUT_MS
from tests.browser.visitors.pointer_actions import click, sit_down, step_is

DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844, "touch": True}
SHOTS = os.environ.get("QUIVER_TEST_SHOTS", "")  # a folder for pictures of the pages


async def shoot(person, name: str) -> None:
    if SHOTS:
        await person.page.screenshot(path=f"{SHOTS}/{name}.png")


async def faults(page) -> list[str]:
    await page.evaluate(AXE_SCRIPT)
    found = await page.evaluate("() => axe.run()")
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found["violations"]]


async def says(person, words: str) -> None:
    await expect(person.page.locator("#line-say")).to_contain_text(words, timeout=TIMEOUT_MS)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_a_line_is_composed_on_the_board_and_played_when_it_fits(visit, size):
    ada, bob = await sit_down(visit, "pincer", second=size)
    await bob.page.click("#open-lines", timeout=TIMEOUT_MS)
    await says(bob, "Choose a move for")
    await shoot(bob, f"lines-begin-{size['width']}")
    await click(bob, "a5", "b5", "a7", "a6")
    await says(bob, "Choose your reply")
    await click(bob, "g7", "f7", "g5", "f5")
    await says(bob, "Add this line")
    await expect(bob.page.locator("#line-composed")).to_have_text("a5-b5 a7-a6 → g7-f7 g5-f5")
    await shoot(bob, f"lines-whole-{size['width']}")
    assert await faults(bob.page) == []
    await bob.page.click("#line-add")
    await expect(bob.page.locator("#line-list li")).to_have_count(1)
    await says(bob, "Choose a move for")
    await shoot(bob, f"lines-saved-{size['width']}")
    await bob.page.click("#line-close")
    await expect(bob.page.locator("#open-lines")).to_have_text("Conditional moves (1)")
    await shoot(bob, f"lines-waiting-{size['width']}")
    assert await bob.page.get_attribute("#game", "data-step") == "0"
    await bob.page.reload()
    await expect(bob.page.locator("#open-lines")).to_have_text("Conditional moves (1)")

    await click(ada, "a5", "b5", "a7", "a6")
    await step_is(ada, 4)
    await step_is(bob, 4)
    ahead = ada.page.locator("#moves .ahead")
    await expect(ahead).to_have_count(1)
    await expect(bob.page.locator("#open-lines")).to_have_text("Conditional moves")
    await shoot(ada, "played-ahead")
    await ada.page.goto(f"{ada.page.url}ledger/")
    await expect(ada.page.locator("main")).to_contain_text("(played ahead)")


async def test_a_line_is_composed_by_keyboard_and_removed(visit):
    ada, bob = await sit_down(visit, "pincer")
    page = bob.page
    await expect(page.locator("#open-lines")).to_be_visible()
    await page.focus("#open-lines")
    await page.keyboard.press("Enter")
    await says(bob, "Choose a move for")
    for square in ("a5", "b5", "a7", "a6"):
        await page.focus(f'.grid [data-square="{square}"]')
        await page.keyboard.press("Enter")
    await says(bob, "Choose your reply")
    for square in ("g7", "f7", "g5", "f5"):
        await page.focus(f'.grid [data-square="{square}"]')
        await page.keyboard.press("Enter")
    await says(bob, "Add this line")
    await page.focus("#line-add")
    await page.keyboard.press("Enter")
    remove = page.locator("#line-list button")
    await expect(remove).to_have_attribute(
        "aria-label", "Remove: If a5-b5 a7-a6, then g7-f7 g5-f5."
    )
    await remove.focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("#line-list li")).to_have_count(0)
    await page.keyboard.press("Escape")
    await click(ada, "a5", "b5", "a7", "a6")
    await step_is(bob, 2)


async def test_when_the_game_moves_on_the_board_shows_it(visit):
    ada, bob = await sit_down(visit, "pincer")
    await bob.page.click("#open-lines", timeout=TIMEOUT_MS)
    await says(bob, "Choose a move for")
    await click(bob, "g1", "f1", "g3", "f3")
    await says(bob, "Choose your reply")
    await click(ada, "a5", "b5", "a7", "a6")
    await step_is(bob, 2)
    await expect(bob.page.locator("#lines")).to_be_hidden()
    await click(bob, "g7", "f7", "g5", "f5")
    await step_is(ada, 4)
