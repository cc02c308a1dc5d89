"""The Blotto lab in a browser: a game's rounds from either side, and the trainer."""

import re

from playwright.async_api import expect

from tests.browser.visitors.browser_visitors import begin_game
from tests.browser.visitors.site_pages import SEND_SCRIPT


async def test_the_trainer_takes_ten_troops_and_adds_up(visit) -> None:
    ada = await visit("ada", width=360)
    await ada.page.goto(f"{ada.home}blotto-lab/")
    play, rows = ada.page.get_by_role("button", name="Play the round"), ada.page.locator("tbody tr")
    fields = [ada.page.get_by_label(f"Field {number}") for number in (1, 2, 3)]
    for field, troops in zip(fields, ("6", "4", "1"), strict=True):
        await field.fill(troops)
    await expect(play).to_be_disabled()
    await expect(ada.page.locator("#trainer-left")).to_have_text("1 troop too many.")
    await fields[2].fill("0")
    for count in (1, 2):
        await play.click()
        await expect(rows).to_have_count(count)
    await expect(ada.page.locator("#trainer-say")).to_have_text(
        re.compile(r"\d+ points in 2 rounds; your splits were worth 6.00, even is 6.")
    )


async def test_an_ended_game_leads_to_its_rounds_from_either_side(visit) -> None:
    ada, bob = await visit("ada"), await visit("bob")
    slug = await begin_game(ada, bob, "blotto")
    address = f"{ada.home}g/{slug}/lab/"
    await ada.seal((6, 4, 0))
    await bob.seal((5, 3, 2))
    await ada.says("Round 2")
    answer = await ada.page.request.get(address)
    assert answer.status == 404  # while the game runs
    await bob.page.evaluate(SEND_SCRIPT, {"t": "resign"})
    page = ada.page
    await page.click("#close-result")
    await page.get_by_role("link", name="Blotto lab").click()
    await page.wait_for_url(address)
    cells = page.locator("#rounds tr > *")
    await expect(cells).to_have_text(["6-4-0", "5-3-2", "4", "3"])
    await page.locator("#sides button").nth(1).click()
    await expect(cells).to_have_text(["5-3-2", "6-4-0", "2", "3"])
