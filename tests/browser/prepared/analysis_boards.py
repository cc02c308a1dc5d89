"""Turns that are typed on an analysis board, games to analyse, and studies of them."""

import re

from playwright.async_api import expect

from tests.browser.prepared.sent_turns import send, send_actions
from tests.browser.visitors.browser_visitors import game_of, post
from tests.browser.visitors.site_pages import FIRST, PASSWORD

MINUTE = 60_000
SAVED = re.compile("^Saved$")


async def ended_game(ada, bob) -> str:
    """A game of Pincer of one turn that bob gives up; the address of its analysis."""
    game = await game_of(ada, bob, "pincer")
    await send_actions(ada, game, 0, FIRST["pincer"])
    await send(bob, game, {"t": "resign"})
    return f"{ada.home}{game}analysis/"


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
