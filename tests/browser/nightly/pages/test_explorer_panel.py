"""The opening explorer on the analysis board: the table follows the board, and plays its turns."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

from playwright.async_api import expect

from tests.browser.probes.axe_objections import objections

ROOT = Path(__file__).parents[4]
# The games of other tests on this site count no more.
FORGET = """
from analysis.explorer.opening_check import count_all
from analysis.explorer.models import OpeningTurn

count_all()
print(OpeningTurn.objects.all().delete()[0])
"""
# Three games that begin alike, of which the first is won by white; prints the newest one's slug.
GAMES = """
from accounts.models import User
from analysis.explorer.opening_check import count_all
from lobby.lobby_options import NO_CLOCK
from tests.support.notice_games import TimedGame

people = [User.objects.create(username=name) for name in ("cy", "dee")]
for loser in ("black", "white", "white"):
    game = TimedGame(*people, "amazons-8x8", NO_CLOCK, True)
    for turn in range(4):
        game.turn(("white", "black")[turn % 2], seed=turn)
    game.resign(loser)
count_all()
print(game.slug)
"""


def run_beside(site, code: str) -> str:
    """Run code on the database of the running site; return what it prints last."""
    environment = {**os.environ, "QUIVER_DATA": str(site.database.parent), "DATABASE_URL": ""}
    command = [sys.executable, "manage.py", "shell", "-v", "0", "-c", code]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()[-1]


async def test_the_table_follows_the_board_and_plays_a_turn_by_the_keyboard(site, visit) -> None:
    ada = await visit("ada", width=390, height=844)
    page = ada.page
    await asyncio.to_thread(run_beside, site, FORGET)
    await page.goto(f"{ada.home}analysis/amazons/")
    await expect(page.locator("#explorer-say")).to_have_text(
        "No public game has gone on from here yet."
    )
    slug = await asyncio.to_thread(run_beside, site, GAMES)
    await page.goto(f"{ada.home}analysis/amazons-8x8/")
    rows = page.locator("#explorer-turns tr")
    await expect(rows).to_have_count(1)
    await expect(page.locator("#explorer-say")).to_have_text("3 public games.")
    await expect(rows.first).to_contain_text("33% – 0% – 67%")
    await expect(page.locator("#explorer-games a")).to_have_attribute("href", f"/g/{slug}/")
    first = await rows.first.locator("button").inner_text()
    await rows.first.locator("button").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("#moves button")).to_contain_text([first])
    await expect(rows.first.locator("button")).not_to_have_text(first)
    await expect(rows.first.locator("button")).to_be_focused()
    await page.select_option("#explorer-group", "level-1")
    await expect(page.locator("#explorer-table")).to_be_hidden()
    await page.select_option("#explorer-group", "unrated")
    await expect(page.locator("#explorer-table")).to_be_visible()
    for count in (2, 3, 4):
        turn = await rows.first.locator("button").inner_text()
        await rows.first.locator("button").click()
        await expect(page.locator("#moves button")).to_have_count(count)
        await expect(page.locator("#place")).to_have_text(f"{count} of {count}")
        if count < 4:  # the table of the next position has come
            await expect(rows.first.locator("button")).not_to_have_text(turn)
    await expect(page.locator("#explorer-table")).to_be_hidden()
    await page.click("#look-first")
    await expect(rows.first.locator("button")).to_have_text(first)
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = await objections(ada, "explorer")
    assert not found, "\n".join(found)


async def test_a_table_that_cannot_be_loaded_says_so(visit) -> None:
    ada = await visit("ada")
    await ada.page.route("**/explorer/**", lambda route: route.abort())
    await ada.page.goto(f"{ada.home}analysis/pincer/")
    await expect(ada.page.locator("#explorer-say")).to_have_text(
        "The games can’t be loaded right now."
    )
