"""Learn pages in a browser: keyboard, touch and stored progress."""

from itertools import pairwise

import pytest
from playwright.async_api import expect

from tests.browser.visitors.course_steps import open_course, verdict

KEYS = ["amazons-8x8", "amazons-10x10", "amazons", "blotto", "pincer"]
SIZES = [(360, 640), (640, 360), (768, 1024), (1280, 800)]
# What a page shows for the screen alone; squares and fields of a board are part of its picture.
PRESSABLE = """() =>
    [...document.querySelectorAll("header, footer, button, input, select, textarea")]
    .filter((each) => each.checkVisibility() && !each.closest(".practice-table, .board"))
    .map((each) => each.localName)"""


async def test_solved_lessons_are_remembered_by_the_device(visit):
    ada = await open_course(visit, "pincer")
    page = ada.page
    for square in ("c5", "c4", "e3", "e4"):
        await page.click(f'.grid button[data-square="{square}"]', force=True)
    await verdict(page, "solved")
    await page.reload()
    await expect(page.locator("#lessons button").first).to_have_class("done")
    assert await page.inner_text("#lesson-title") == "The wall holds as well"
    await page.goto(f"{ada.home}learn/")
    await expect(page.locator('[data-course="pincer"]')).to_have_text("1 of 6 positions solved")
    await expect(page.locator('[data-course="blotto"]')).to_have_text("5 positions to try")


async def test_the_arrow_is_kept_by_its_button_and_a_step_is_taken_back(visit):
    ada = await open_course(visit, "amazons")
    page = ada.page
    await page.goto(f"{ada.home}learn/amazons/#keep")
    for square in ("g3", "g6"):
        await page.click(f'.grid button[data-square="{square}"]', force=True)
    await page.keyboard.press("Escape")
    await page.click('.grid button[data-square="g7"]', force=True)
    await page.click("#lesson-keep")
    assert "Solved" in await verdict(page, "solved")


@pytest.mark.parametrize(
    ("address", "wrong", "turn"),
    [("amazons-8x8/", "b2-c9", "B2-b6/e6"), ("pincer/", "c5", "c5-c4 e3-e4"),
     ("blotto/", "5 5 5", "5 4 1"), ("amazons/#keep", "g3-g3", "g3-g7")],
)  # fmt: skip
async def test_a_turn_can_be_typed_as_it_is_written(visit, address, wrong, turn):
    ada = await visit("ada")
    page = ada.page
    await page.goto(f"{ada.home}learn/{address}")
    await page.fill("#lesson-type", wrong)
    await page.press("#lesson-type", "Enter")
    await expect(page.locator("#lesson-typed-say")).not_to_be_empty()
    await page.fill("#lesson-type", turn)
    await page.press("#lesson-type", "Enter")
    if address == "blotto/":
        await page.click("#seal")
    assert "Solved" in await verdict(page, "solved")


async def test_a_turn_that_waits_is_played_with_the_button(visit):
    ada = await open_course(visit, "amazons-8x8")
    page = ada.page
    await page.evaluate("localStorage.setItem('quiver-settings', '{\"send\":\"button\"}')")
    await page.reload()
    for square in ("b2", "b6", "e6"):
        await page.click(f'.grid button[data-square="{square}"]', force=True)
    assert await page.get_attribute("#verdict", "data-verdict") is None
    await page.click("#lesson-play")
    assert "Solved" in await verdict(page, "solved")


async def test_a_broken_line_is_said_and_costs_nothing(visit):
    ada = await open_course(visit, "amazons-8x8")
    page = ada.page
    await page.context.set_offline(True)
    for square in ("b2", "b6", "e6"):
        await page.click(f'.grid button[data-square="{square}"]', force=True)
    assert "Not connected" in await verdict(page, "illegal")
    await page.context.set_offline(False)
    for square in ("b2", "b6", "e6"):
        await page.click(f'.grid button[data-square="{square}"]', force=True)
    assert "Solved" in await verdict(page, "solved")


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_nothing_overflows_and_what_is_pressed_is_large_enough(visit, width, height):
    ada = await visit("ada", width=width, height=height, touch=width < 700)
    page = ada.page
    for address in ("learn/", *(f"learn/{key}/" for key in KEYS)):
        await page.goto(f"{ada.home}{address}")
        wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, address
        if address == "learn/":
            continue
        await page.wait_for_selector("#lessons [aria-current=step]")
        shot = page.locator(".practice-acts button:visible, #lessons button, #troops button")
        for box in [await each.bounding_box() for each in await shot.all()]:
            if box is not None:
                assert box["height"] >= (44 if width < 600 else 40), (address, box)
        top = "document.querySelector('.practice-table > *').getBoundingClientRect()"
        assert (await page.evaluate(f"{top}.height")) <= height, address


async def test_the_index_begins_with_a_lesson_that_is_played_there(visit):
    ada = await visit("ada", width=390, height=844, touch=True)
    page = ada.page
    await page.goto(f"{ada.home}learn/")
    await page.wait_for_selector("#lessons [aria-current=step]")
    box = await page.locator("#board").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 844
    for square in ("b2", "b6", "e6"):
        await page.click(f'.grid button[data-square="{square}"]', force=True)
    assert "Solved" in await verdict(page, "solved")
    progress = page.locator('[data-course="amazons-8x8"]')
    await expect(progress).to_have_text("1 of 5 positions solved")
    await expect(page.locator("#lesson-next")).to_have_class("button soft")
    await page.click("#lesson-next")
    await expect(page.locator("#lesson-next")).to_have_class("button quiet")
    order = "el => [...document.querySelectorAll('main section')].at(-1).contains(el)"
    assert await page.locator(".three").evaluate(order)  # the comparison is last


@pytest.mark.parametrize("key", KEYS)
async def test_the_pictures_of_the_rules_move_until_they_are_paused(visit, key):
    ada = await open_course(visit, key, motion="no-preference")
    page = ada.page
    pictures = page.locator(".frames")
    assert await pictures.count() == 3
    shown = """all => all.map(each => [...each.children].findIndex(
        one => one.checkVisibility({ visibilityProperty: true })))"""
    first = await pictures.evaluate_all(shown)
    assert first[0] in (0, 1, 2) and len(set(first)) == 1
    await page.wait_for_timeout(1_700)
    assert await pictures.evaluate_all(shown) != first
    await page.click("#pause-frames")
    assert await page.get_attribute("#pause-frames", "aria-pressed") == "true"
    paused = await pictures.evaluate_all(shown)
    await page.wait_for_timeout(1_700)
    assert await pictures.evaluate_all(shown) == paused


async def test_where_nothing_moves_all_frames_are_seen_side_by_side(visit):
    ada = await open_course(visit, "amazons-8x8", motion="reduce")
    frames = ada.page.locator(".frames").first.locator("canvas")
    boxes = [await each.bounding_box() for each in await frames.all()]
    assert len(boxes) == 3
    assert all(left["x"] + left["width"] <= right["x"] for left, right in pairwise(boxes))
    assert await ada.page.locator(".frames canvas:visible").count() == 9
    assert await ada.page.locator("#pause-frames").is_hidden()


@pytest.mark.parametrize("path", ["learn/", "learn/amazons/", "learn/blotto/", "analysis/pincer/"])
async def test_a_printed_page_has_its_boards_whole_and_nothing_to_press(visit, path) -> None:
    ada = await visit("ada")
    page = ada.page
    await page.goto(ada.home + path)
    await page.emulate_media(media="print", color_scheme="dark")
    assert await page.evaluate(PRESSABLE) == []
    breaks = await page.evaluate(
        "() => [...document.querySelectorAll('.practice-table, .board, .frames')]"
        ".filter((each) => each.checkVisibility())"
        ".map((each) => getComputedStyle(each).breakInside)"
    )
    assert breaks and set(breaks) == {"avoid"}
    paper = await page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert paper == "rgb(255, 255, 255)"
    await page.emulate_media(media="screen")
    assert "header" in await page.evaluate(PRESSABLE)
