"""The sheet with the rules of a game: its place, its contents, and its close."""

import pytest
from playwright.async_api import expect

from tests.browser.visitors.pointer_actions import click, sit_down

KEYS = ["amazons", "amazons-10x10", "amazons-8x8", "blotto", "pincer"]
PAINTED = """canvas => {
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    return new Set(new Uint32Array(data.buffer)).size;
}"""


async def open_sheet(person):
    await person.page.click("#open-rules")
    sheet = person.page.locator("#rules[open]")
    await expect(sheet).to_be_visible()
    return sheet


async def box_of(person, selector):
    box = await person.page.locator(selector).bounding_box()
    assert box
    return box


@pytest.mark.parametrize("key", KEYS)
async def test_the_rules_of_each_game_are_told_with_three_pictures_and_a_lesson(visit, key):
    ada, _ = await sit_down(visit, key)
    sheet = await open_sheet(ada)
    for canvas in await sheet.locator("canvas").all():
        await expect(canvas).to_be_visible()
        await ada.page.wait_for_function(
            f"canvas => ({PAINTED})(canvas) > 3", arg=await canvas.element_handle()
        )
    assert await sheet.locator("canvas").count() == 3
    assert await sheet.locator("li").count() >= 3
    link = sheet.locator("a")
    assert await link.get_attribute("href") == f"/learn/{key}/"


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (1440, 700)])
async def test_on_a_wide_page_the_sheet_lies_in_the_panel_and_never_over_the_board(visit, size):
    width, height = size
    ada, _ = await sit_down(visit, "amazons-10x10", first={"width": width, "height": height})
    await open_sheet(ada)
    sheet, board = await box_of(ada, "#rules"), await box_of(ada, "#board")
    assert sheet["x"] >= board["x"] + board["width"]
    await click(ada, "d1")  # the board can be played on: a press outside closes the sheet
    await expect(ada.page.locator("#rules")).to_be_hidden()
    await ada.page.wait_for_selector("#board[data-hand='open']")


@pytest.mark.parametrize("size", [(390, 844), (360, 740), (768, 1024)])
async def test_on_a_phone_the_sheet_comes_from_the_bottom_edge_and_fits(visit, size):
    width, height = size
    ada, _ = await sit_down(visit, "pincer", first={"width": width, "height": height})
    await open_sheet(ada)
    sheet = await box_of(ada, "#rules")
    assert sheet["y"] + sheet["height"] == pytest.approx(height, abs=1)
    assert sheet["y"] > 40 and sheet["x"] >= 0 and sheet["x"] + sheet["width"] <= width
    await ada.page.mouse.click(width / 2, 20)
    await expect(ada.page.locator("#rules")).to_be_hidden()


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
async def test_escape_closes_the_sheet_and_the_focus_goes_back_to_its_button(visit, size):
    width, height = size
    ada, _ = await sit_down(visit, "pincer", first={"width": width, "height": height})
    button = ada.page.locator("#open-rules")
    await button.focus()
    await ada.page.keyboard.press("Enter")
    await expect(ada.page.locator("#rules[open]")).to_be_visible()
    await expect(button).to_have_attribute("aria-expanded", "true")
    assert await ada.page.evaluate(
        "document.getElementById('rules').contains(document.activeElement)"
    )
    await ada.page.keyboard.press("Escape")
    await expect(ada.page.locator("#rules")).to_be_hidden()
    await expect(button).to_be_focused()
    await expect(button).to_have_attribute("aria-expanded", "false")
    await ada.page.keyboard.press("Enter")
    await expect(ada.page.locator("#rules[open]")).to_be_visible()
    await ada.page.keyboard.press("Enter")  # on the button that closes it
    await expect(ada.page.locator("#rules")).to_be_hidden()
    await expect(button).to_be_focused()


async def test_the_button_closes_the_sheet_that_it_has_opened(visit):
    ada, _ = await sit_down(visit, "pincer")
    await open_sheet(ada)
    await ada.page.click("#open-rules")
    await expect(ada.page.locator("#rules")).to_be_hidden()


async def test_spectators_can_read_the_rules(visit):
    ada, _ = await sit_down(visit, "amazons-8x8")
    eve = await visit("eve")
    await eve.page.goto(ada.page.url)
    await open_sheet(eve)


@pytest.mark.parametrize("key", ["amazons-8x8", "pincer"])
async def test_an_empty_move_list_tells_the_goal_and_leads_to_the_lesson(visit, key):
    ada, bob = await sit_down(visit, key)
    eve = await visit("eve")
    await eve.page.goto(ada.page.url)
    first, sentence = {
        "pincer": (("a7", "b7", "a5", "b5"), "Take your opponent’s pieces"),
        "amazons-8x8": (("c1", "c5", "c6"), "Shut your opponent in"),
    }[key]
    for person in (ada, bob, eve):
        note = person.page.locator("#log .goal-note")
        await expect(note).to_contain_text(sentence)
        assert await note.locator("a").get_attribute("href") == f"/learn/{key}/"
    await click(ada, *first)
    for person in (ada, bob, eve):
        await expect(person.page.locator("#log .goal-note")).to_be_hidden()
