"""Turns that are typed on an analysis board, games to analyse, and studies of them."""

import re

from playwright.async_api import expect

from tests.browser.visitors.browser_visitors import begin_game, post
from tests.browser.visitors.site_pages import PASSWORD, SEND_SCRIPT

MINUTE = 60_000
SAVED = re.compile("^Saved$")


async def ended_game(ada, bob) -> str:
    """A game of Pincer of two turns that bob gives up; the address of its analysis."""
    slug = await begin_game(ada, bob, "pincer")
    for person, turn in ((ada, ["move 1 5 2 5", "move 7 3 6 3"]), (bob, None)):
        if turn:
            step = await person.page.get_attribute("#game", "data-step")
            message = {"t": "act", "step": int(step or 0), "actions": turn}
            await person.page.evaluate(SEND_SCRIPT, message)
    await bob.page.evaluate(SEND_SCRIPT, {"t": "resign"})
    return f"{ada.home}g/{slug}/analysis/"


async def play_typed(page, turn: str) -> None:
    """Types a turn once the board takes one, and plays it by the button where that is asked for."""
    await expect(page.locator("#hint")).not_to_have_text("")
    before = await page.locator("#moves button").count()
    await page.fill("#type", turn)
    await page.press("#type", "Enter")
    if await page.locator("#play").is_visible():
        await page.click("#play")
    await expect(page.locator("#moves button")).to_have_count(before + 1)


async def sign_up(person, name: str) -> None:
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    await post(person, "sign-up/", "sign-up/", **form)


async def start_study(person) -> str:
    """Makes a study of one move from the analysis board; returns its address."""
    page = person.page
    await page.goto(f"{person.home}analysis/pincer/")
    await play_typed(page, "a5-b5 a7-b7")
    await page.click("#save-study")
    await page.wait_for_url("**/study/*/**")
    await expect(page.locator("#moves button")).to_have_count(1)
    await expect(page.locator("#sentence")).to_contain_text("After a5-b5")  # as on the board
    return page.url.partition("#")[0]
