"""Notes, undo, threats and territory on the analysis board in a browser, and engines that fail."""

import re

import pytest
from playwright.async_api import expect

from tests.browser.prepared.analysis_boards import MINUTE, play_typed
from tests.browser.probes.axe_objections import objections
from tests.browser.visitors.browser_visitors import begin_game
from tests.browser.visitors.site_pages import FIRST, SEND_SCRIPT

OPENING = "#1;-1:move.3.1.3.5,fire.5.5;0:move.3.8.3.6,fire.4.6"
MARKUP = "<img src=x onerror=alert(1)> & ş"
# A worker that ends itself, and what leaves the site's worker without memory.
ENDED = "self.onmessage = () => self.close();"
NO_MEMORY = """
self.WebAssembly.Memory = class { constructor() { throw new RangeError("out of memory"); } };
"""
# The page waits for a silent worker for a second, not for twenty.
IMPATIENT = """
const wait = setTimeout;
globalThis.setTimeout = (task, ms, ...rest) => wait(task, ms === 20_000 ? 1_000 : ms, ...rest);
"""


async def test_notes_and_variations_are_edited_by_keys_undone_and_shared(typist, visit) -> None:
    ada = await typist("ada")
    page = ada.page
    await page.goto(f"{ada.home}analysis/amazons-8x8/{OPENING}")
    await expect(page.locator("#moves button")).to_have_count(2)
    await page.keyboard.press("ArrowLeft")
    await play_typed(page, "c8-c7/c6")
    await expect(page.locator("#notes-head")).to_have_text("Notes on c8-c7/c6")
    await page.locator("#mark-choice button").nth(1).focus()
    await page.keyboard.press("Enter")
    await page.focus("#comment")
    await page.keyboard.insert_text(MARKUP)
    await expect(page.locator(".move-comment")).to_have_text(MARKUP)
    await expect(page.locator("#moves img")).to_have_count(0)
    button = page.locator("#moves button[aria-current]")
    await expect(button).to_have_accessible_name("2. c8-c7/c6 good move")
    await expect(button).to_have_accessible_description(MARKUP)
    await page.locator("#line-promote").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("#moves > li > button").nth(1)).to_contain_text("c8-c7/c6")
    await page.locator("#line-remove").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("#moves button")).to_have_count(2)
    await expect(page.locator("#notes-say")).to_have_text("1 move deleted. Undo brings it back.")
    await page.keyboard.press("Control+z")
    await expect(page.locator("#notes-say")).to_have_text("Undone: deletion.")
    await expect(page.locator(".move-comment")).to_have_text(MARKUP)
    found = await objections(ada, "analysis with notes")
    assert not found, "\n".join(found)
    await expect(page).to_have_url(re.compile("img_src"))
    bob = await visit("bob", width=390, height=844)
    await bob.page.goto(page.url)
    await expect(bob.page.locator(".move-comment")).to_have_text(MARKUP)
    await expect(bob.page.locator("#sentence")).to_contain_text("After c8-c7/c6")
    assert await bob.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for _ in range(5):
        await page.keyboard.press("Control+z")
    await expect(page.locator("#notes-say")).to_have_text("Nothing to undo.")
    await expect(page.locator("#moves button")).to_have_count(2)
    for _ in range(4):
        await page.keyboard.press("Control+Shift+z")
    await expect(page.locator("#moves button")).to_have_count(3)
    await expect(page.locator(".move-comment")).to_have_text(MARKUP)


async def test_a_tree_that_is_too_long_for_a_link_says_so(visit) -> None:
    ada = await visit("ada")
    page = ada.page
    await page.goto(f"{ada.home}analysis/amazons-8x8/{OPENING}")
    await page.fill("#comment", "ş" * 400)
    await expect(page.locator("#too-long")).to_be_visible()
    await page.click("#copy-link")
    await expect(page.locator("#copy-say")).to_contain_text("too many variations")
    await page.click("#edit-undo")
    await expect(page.locator("#too-long")).to_be_hidden()


@pytest.mark.parametrize("tail", ["1:0:%E4", "n9", ";" + "0:move.3.1.3.5;" * 70_000])
async def test_a_link_that_is_cut_off_or_far_too_long_says_so(visit, tail) -> None:
    ada = await visit("ada")
    await ada.page.goto(f"{ada.home}analysis/amazons-8x8/{OPENING};{tail}")
    await expect(ada.page.locator("#verdict")).to_contain_text("cut off or damaged")
    await play_typed(ada.page, "c1-c5/e5")


@pytest.mark.parametrize(("key", "side"), [("amazons-8x8", "Black"), ("pincer", "Circles")])
async def test_the_threat_is_said_and_drawn_apart_from_the_best_turn(visit, key, side) -> None:
    ada = await visit("ada")
    page = ada.page
    await page.goto(f"{ada.home}analysis/{key}/")
    await expect(page.locator("#hint")).not_to_have_text("")
    await page.keyboard.press("t")
    say = page.locator("#threat-say")
    await expect(say).to_contain_text(f"Threat: if {side} were to move", timeout=MINUTE)
    assert await page.get_attribute("#board", "data-best") in (None, "")
    await page.click("#engine-toggle")
    pieces = []
    for line in ("best", "threat"):
        await expect(page.locator("#board")).to_have_attribute(
            f"data-{line}", re.compile("."), timeout=30_000
        )
        drawn = await page.get_attribute("#board", f"data-{line}") or ""
        square = page.locator(f'.grid button[data-square="{drawn.split("-")[0]}"]')
        pieces.append((await square.get_attribute("aria-label") or "").split(", ")[1])
    assert pieces[0] != pieces[1], pieces  # one of each side
    await page.keyboard.press("t")
    await expect(say).to_have_text("")
    assert await page.get_attribute("#board", "data-threat") == ""


async def test_territory_is_shown_with_borders_numbers_and_a_sentence(visit) -> None:
    ada = await visit("ada", width=390, height=844)
    page = ada.page
    await page.goto(f"{ada.home}analysis/amazons-8x8/{OPENING}")
    await page.click("#territory-toggle")
    await expect(page.locator("#territory-say")).to_have_text(
        "White: 0 sure moves, 54 at most. Black: 0 sure moves, 54 at most."
    )
    assert await page.get_attribute("#board", "data-regions") == "1"
    await page.click("#look-back")
    await expect(page.locator("#territory-say")).to_contain_text("55 at most")
    found = await objections(ada, "analysis with territory")
    assert not found, "\n".join(found)
    await page.click("#territory-toggle")
    assert await page.get_attribute("#board", "data-regions") == "0"
    await page.goto(f"{ada.home}analysis/pincer/")
    await expect(page.locator("#territory-toggle")).to_have_count(0)


async def test_spectators_have_the_territory_at_once_and_players_after_the_end(visit) -> None:
    ada, bob, cy = await visit("ada"), await visit("bob"), await visit("cy")
    slug = await begin_game(ada, bob, "amazons-8x8")
    await cy.page.goto(f"{cy.home}g/{slug}/")
    await cy.page.click("#territory")
    notice = cy.page.locator('.notice[data-kind="territory"]')
    await expect(notice).to_contain_text("0 sure moves, 56 at most")
    assert await cy.page.get_attribute("#board", "data-regions") == "1"
    await expect(ada.page.locator("#territory")).to_be_hidden()
    first = FIRST["amazons-8x8"]  # a game of no moves shows none after its end
    await ada.page.evaluate(SEND_SCRIPT, {"t": "act", "step": 0, "actions": first})
    await ada.page.wait_for_selector("#game[data-step='2']")
    await bob.page.evaluate(SEND_SCRIPT, {"t": "resign"})
    await expect(ada.page.locator("#territory")).to_be_visible(timeout=MINUTE)
    await cy.page.click("#territory")
    await expect(notice).to_be_hidden()


@pytest.mark.parametrize("fault", ["missing", "blocked", "ended", "no memory"])
async def test_an_engine_that_fails_is_said_and_the_page_works_on(visit, fault) -> None:
    ada = await visit("ada")
    page = ada.page

    async def answer(route) -> None:
        if fault == "missing":
            await route.fulfill(status=404, body="")
        elif fault == "blocked":
            await route.abort()
        else:
            served = await route.fetch()
            body = ENDED if fault == "ended" else await served.text() + NO_MEMORY
            await route.fulfill(response=served, body=body)

    where = "**/*.wasm" if fault == "missing" else "**/engine-worker.js"
    await page.context.route(where, answer)
    await page.add_init_script(IMPATIENT)
    await page.goto(f"{ada.home}analysis/pincer/")
    await page.click("#engine-toggle")
    await expect(page.locator("#engine-say")).to_contain_text("can’t run in this browser")
    await expect(page.locator("#engine-toggle")).to_have_text("Show best moves")
    await play_typed(page, "a5-b5 a7-b7")
    ada.errors.clear()  # the browser tells of what could not be had
