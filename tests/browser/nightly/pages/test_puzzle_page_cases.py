"""Puzzles and the position of the day in a browser: solved, missed, by keyboard, in another tab."""

import asyncio
import json
import re

import pytest
from playwright.async_api import expect

from games.puzzles.puzzle import Puzzle
from tests.browser.prepared import stored_puzzles
from tests.browser.prepared.stored_puzzles import open_next, squares_of
from tests.browser.probes.axe_objections import objections
from tests.browser.visitors.browser_visitors import Visitor

puzzles = stored_puzzles.puzzles
LINES_OF_EACH = """links => links.map(link => {
    const range = document.createRange();
    range.selectNodeContents(link);
    return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size;
})"""


async def type_turn(person: Visitor, text: str) -> None:
    """Type a move and send it; troops are placed by the first Enter and locked in by the second."""
    await person.page.fill("#puzzle-type", text)
    await person.page.press("#puzzle-type", "Enter")
    if await person.page.locator("#troops").count():
        await person.page.press("#puzzle-type", "Enter")


async def test_the_filter_breaks_no_name_of_a_game_on_phones(visit, puzzles) -> None:
    ada = await visit("ada", width=360, height=740)
    await ada.page.goto(f"{ada.home}puzzles/")
    for width in (320, 360, 390):
        await ada.page.set_viewport_size({"width": width, "height": 740})
        lines = await ada.page.eval_on_selector_all(".filter a", LINES_OF_EACH)
        assert set(lines) == {1}, width


async def test_of_a_row_only_the_name_is_underlined(visit, puzzles) -> None:
    ada = await visit("ada")
    await ada.page.goto(f"{ada.home}puzzles/")
    lines = await ada.page.eval_on_selector(
        ".puzzle-rows a",
        "link => [link, ...link.children].map(each => getComputedStyle(each).textDecorationLine)",
    )
    assert lines == ["none", "underline", "none"]


async def test_three_wrong_tries_show_the_answer(visit, puzzles) -> None:
    ada = await visit("ada", width=390)
    puzzle = await open_next(ada, "blotto", puzzles)
    right = {turn[0] for turn in puzzle.solution}
    wrong = [t for t in ("10 0 0", "0 10 0", "0 0 10", "9 1 0") if f"troops {t}" not in right]
    await type_turn(ada, "9 9 9")  # no try is used
    await expect(ada.page.locator("#puzzle-tries .missed")).to_have_count(0)
    for number, text in enumerate(wrong[:3]):
        await type_turn(ada, text)
        await expect(ada.page.locator("#puzzle-tries .missed")).to_have_count(number + 1)
        await expect(ada.page.locator("#puzzle-earned p")).to_contain_text(f"Your {text} earns")
        if number < 2:
            placed = await ada.page.locator("#plots .troops-count").all_text_contents()
            assert placed == text.split()
            await expect(ada.page.locator("#outcome")).to_be_hidden()
    await expect(ada.page.locator(".verdict-head")).to_have_text("Not solved")
    await expect(ada.page.locator("#puzzle-solution")).to_have_text(puzzle.solution[0][0][7:])
    await expect(ada.page.locator("#puzzle-typed")).to_be_hidden()


async def test_several_solutions_are_told_apart_by_a_word(visit, puzzles) -> None:
    ada = await visit("ada")
    puzzle = await open_next(ada, "pincer", puzzles)
    assert len(puzzle.solution) > 1
    await type_turn(ada, notation_of(puzzle))
    await expect(ada.page.locator(".verdict-head")).to_have_text("Solved")
    await expect(ada.page.locator("#puzzle-solution")).to_contain_text(" or ")


async def test_the_day_is_solved_by_keyboard_and_its_result_copied(visit, puzzles) -> None:
    ada = await visit("ada")
    link = ada.page.get_by_role("link", name="Position of the day")
    async with asyncio.timeout(30):  # the front page may be some seconds older than the puzzles
        while not await link.count():
            await asyncio.sleep(0.5)
            await ada.go_home()
    await link.focus()
    await ada.page.keyboard.press("Enter")
    await ada.page.wait_for_url("**/daily/")
    url = json.loads(await ada.page.locator("#puzzle-data").text_content() or "")["url"]
    puzzle = puzzles[url.split("/")[2]]
    await ada.page.locator("#puzzle-type").focus()
    await ada.page.keyboard.type(notation_of(puzzle))
    await ada.page.keyboard.press("Enter")
    if puzzle.rules == "blotto":  # the first places the troops
        await ada.page.keyboard.press("Enter")
    await expect(ada.page.locator(".verdict-head")).to_have_text("Solved")
    share = ada.page.get_by_role("button", name="Copy result")
    await share.focus()
    await ada.page.keyboard.press("Enter")
    await expect(ada.page.locator("#puzzle-copied")).to_have_text(
        re.compile(r"Copied|Quiver daily \d{4}-\d\d-\d\d: 1 of 3 🟩")
    )


def notation_of(puzzle: Puzzle) -> str:
    """A solution as somebody types it."""
    turn = puzzle.solution[0]
    if puzzle.rules == "blotto":
        return turn[0].removeprefix("troops ")
    ways = [squares_of(action) for action in turn]
    if puzzle.rules == "pincer":
        return " ".join("-".join(way) for way in ways)
    return f"{'-'.join(ways[0])}/{ways[1][0]}"


async def test_a_second_tab_learns_of_the_first(visit, puzzles) -> None:
    ada = await visit("ada")
    puzzle = await open_next(ada, "pincer", puzzles)
    other = await ada.page.context.new_page()
    await other.goto(ada.page.url)
    await type_turn(ada, notation_of(puzzle))
    await expect(ada.page.locator(".verdict-head")).to_have_text("Solved")
    await other.fill("#puzzle-type", notation_of(puzzle))
    await other.press("#puzzle-type", "Enter")
    await expect(other.locator("#puzzle-proof")).to_be_visible()


@pytest.mark.timeout(300)
async def test_axe_finds_nothing(visit, puzzles) -> None:
    ada = await visit("ada")
    found = []
    await open_next(ada, "blotto", puzzles)
    found += await objections(ada, "a puzzle of Blotto")
    puzzle = await open_next(ada, "pincer", puzzles)
    found += await objections(ada, "a puzzle of Pincer")
    await type_turn(ada, notation_of(puzzle))
    await expect(ada.page.locator("#puzzle-proof")).to_be_visible()
    found += await objections(ada, "a solved puzzle")
    for address in ("puzzles/", "daily/", "daily/archive/"):
        await ada.page.goto(f"{ada.home}{address}")
        found += await objections(ada, address)
    assert not found, "\n".join(found)
