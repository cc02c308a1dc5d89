"""Game page at each size of the window: the size of the board, and that nothing is covered."""

import pytest
from playwright.async_api import expect

from tests.browser.chromium.system_fonts import with_each_font
from tests.browser.probes.layout_probes import (
    OVERFLOW,
    both_have_played,
    check_no_buttons_meet,
    check_nothing_is_covered,
    resize,
    settle,
)
from tests.browser.visitors.browser_visitors import begin_game

SIZES = [(360, 740), (390, 844), (768, 1024), (1280, 800), (1920, 1080)]
TINY_SIZES = [(320, 256), (427, 267)]
COLUMNS = {"amazons-10x10": 10, "pincer": 7}
LEAST_SQUARE_PX = 28
BOX = "element => { const { x, y, width, height } = element.getBoundingClientRect();"
BOX += " return { x, y, width, height }; }"
# Overlap of the hint with the buttons that follow it (px).
HINT_OVER_BUTTONS = """() => {
    const hint = document.querySelector(".hint-line").getBoundingClientRect();
    const acts = document.querySelector("#acts").getBoundingClientRect();
    const isSeen = hint.height > 0 && acts.height > 0 && acts.left < hint.right;
    return isSeen && acts.bottom > hint.top ? Math.max(0, hint.bottom - acts.top) : 0;
}"""
# The distance between the handle and the nearest number of the bar (px).
HANDLE_TO_NUMBER = """() => {
    const handle = document.querySelector("#resize").getBoundingClientRect();
    const number = [...document.querySelectorAll(".meter .end")].at(-1).getBoundingClientRect();
    return Math.max(number.left - handle.right, handle.top - number.bottom);
}"""
# The room between the words of the reader's strip and the pieces beside them (px); null where these
# are out of sight.
WORDS_TO_SLOTS = """() => {
    const state = document.querySelector("#near .state");
    const slots = document.querySelector("#near .slots");
    const words = document.createRange();
    words.selectNodeContents(state);
    const first = slots.firstElementChild;
    if (getComputedStyle(first).visibility === "hidden") return null;
    return first.getBoundingClientRect().left - words.getBoundingClientRect().right;
}"""


async def box_of(person, selector):
    return await person.page.eval_on_selector(selector, BOX)


@with_each_font
@pytest.mark.parametrize("key", ["amazons-10x10", "pincer", "blotto"])
async def test_no_offer_or_notice_covers_anything_at_any_size(visit, proxy, key):
    await check_nothing_is_covered(visit, proxy, key, SIZES)


@pytest.mark.parametrize("key", ["amazons-10x10", "pincer"])
async def test_the_hint_does_not_reach_into_the_buttons(visit, key):
    ada, bob = await visit("ada"), await visit("bob")
    await begin_game(ada, bob, key)
    for person in (ada, bob):
        for width, height in SIZES:
            await resize(person, width, height)
            assert await person.page.evaluate(HINT_OVER_BUTTONS) <= 1, (width, height)


@with_each_font
@pytest.mark.parametrize("key", ["amazons", "pincer", "blotto"])
async def test_no_two_buttons_meet_while_a_turn_is_composed(visit, key):
    await check_no_buttons_meet(visit, key)


async def test_the_handle_keeps_away_from_the_number_of_the_bar(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await begin_game(ada, bob, "pincer")
    await expect(ada.page.locator(".meter")).to_be_visible()
    for size in ((1280, 800), (1920, 1080)):
        await resize(ada, *size)
        assert await ada.page.evaluate(HANDLE_TO_NUMBER) >= 12, size


@with_each_font
async def test_the_words_of_a_strip_keep_away_from_its_pieces(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await begin_game(ada, bob, "pincer", "fischer:180:2")
    await expect(ada.page.locator("#near .state")).to_contain_text("first move")
    for width, height in ((1280, 800), (1920, 1080), (768, 1024), (390, 844)):
        await resize(ada, width, height)
        room = await ada.page.evaluate(WORDS_TO_SLOTS)
        assert room is None or room >= 4, (width, height)


@with_each_font
@pytest.mark.parametrize("key", COLUMNS)
async def test_the_board_takes_the_window(visit, key):
    ada, bob = await visit("ada"), await visit("bob")
    await begin_game(ada, bob, key)
    least = {
        (360, 740): 360,
        (390, 844): 390,
        (768, 1024): 690,
        (1280, 800): 700,
        (1920, 1080): 960,
    }
    for (width, height), side in least.items():
        await resize(ada, width, height)
        box = await box_of(ada, ".board")
        assert side <= box["width"] == box["height"], (width, height, box)
        assert await ada.page.evaluate(OVERFLOW) == [0, 0], (width, height)
    await resize(ada, 1280, 800)
    mark, board = await box_of(ada, ".mark"), await box_of(ada, ".board")
    assert mark["x"] == pytest.approx(board["x"], abs=1)
    for width, height in TINY_SIZES:
        await resize(ada, width, height)
        square = await box_of(ada, ".grid button")
        assert square["width"] >= LEAST_SQUARE_PX - 0.01, (width, height, square)
        across, down = await ada.page.evaluate(OVERFLOW)
        assert across == 0, (width, height)
        assert down > 0, (width, height)


async def test_a_wide_window_has_a_third_column_with_the_chat_always_open(visit):
    ada, bob = await visit("ada", width=1920, height=1080), await visit("bob")
    slug = await begin_game(ada, bob, "amazons-10x10")
    eve = await visit("eve")
    await eve.open_lobby("pincer")  # makes her a guest with a name
    name = await eve.page.inner_text("summary .menu-name")
    await eve.page.goto(f"{eve.home}g/{slug}/")
    await expect(ada.page.locator("#watching-count")).to_have_text("1")
    await expect(ada.page.locator("#watching-names")).to_have_text(name)
    await eve.page.evaluate(
        "localStorage.setItem('quiver-settings', JSON.stringify({ watch: 'unseen' }))"
    )
    await eve.page.reload()
    await expect(ada.page.locator("#watching-names")).to_be_empty()
    await expect(ada.page.locator("#watching-count")).to_have_text("1")
    await expect(ada.page.locator("#beside #chat .chat-scroll")).to_be_visible()
    await expect(ada.page.locator("#about-clock")).not_to_be_empty()
    await expect(ada.page.locator("#about-started")).not_to_be_empty()
    assert await ada.page.is_hidden(".tab[data-tab=chat]")
    rules = await ada.page.get_attribute(".about-links a", "href")
    assert rules == "/learn/amazons-10x10/"
    assert (await ada.page.context.request.get(f"{ada.home}{rules[1:]}")).ok
    board = await box_of(ada, ".board")
    await resize(ada, 1280, 800)
    assert await ada.page.is_hidden("#beside")
    assert await ada.page.locator("#inner > #chat").count() == 1
    await ada.page.click(".tab[data-tab=chat]")
    await expect(ada.page.locator("#chat .chat-scroll")).to_be_visible()
    await resize(ada, 1920, 1080)
    assert await box_of(ada, ".board") == board
    await expect(ada.page.locator("#log")).to_be_visible()


async def test_beside_the_board_the_field_of_the_chat_holds_its_hint(visit):
    ada, bob = await visit("ada", width=1920, height=1080), await visit("bob")
    await begin_game(ada, bob, "pincer", "fischer:90:30")
    field = ada.page.locator(".chat-beside .chat-form .field")
    await expect(field).to_be_visible()
    hint = await field.evaluate(
        """field => {
            const pen = document.createElement("canvas").getContext("2d");
            const { fontSize, fontFamily } = getComputedStyle(field);
            pen.font = `${fontSize} ${fontFamily}`;
            return pen.measureText(field.placeholder).width;
        }"""
    )
    assert (await field.bounding_box())["width"] > hint + 26  # padding and border


async def test_the_handle_resizes_the_board_and_this_device_keeps_it(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await begin_game(ada, bob, "amazons-10x10")
    full = (await box_of(ada, ".board"))["width"]
    handle = await box_of(ada, "#resize")
    x, y = handle["x"] + 8, handle["y"] + 10
    await ada.page.mouse.move(x, y)
    await ada.page.mouse.down()
    await ada.page.mouse.move(x - 150, y - 150, steps=5)
    await ada.page.mouse.up()
    dragged = (await box_of(ada, ".board"))["width"]
    assert dragged == pytest.approx(full - 150, abs=full / 50)
    await ada.page.focus("#resize")
    await ada.page.keyboard.press("ArrowRight")
    grown = (await box_of(ada, ".board"))["width"]
    assert grown == pytest.approx(dragged + full / 50, abs=1)
    percent = await ada.page.get_attribute("#resize", "aria-valuenow")
    await ada.page.reload()
    assert await ada.page.get_attribute("#resize", "aria-valuenow") == percent
    assert (await box_of(ada, ".board"))["width"] == pytest.approx(grown, abs=1)
    await ada.page.dblclick("#resize")
    assert (await box_of(ada, ".board"))["width"] == full


async def test_before_the_first_move_the_goal_is_in_sight(visit):
    ada, bob = await visit("ada", width=768, height=1024), await visit("bob")
    await begin_game(ada, bob, "pincer")
    await settle(ada)
    note = ada.page.locator(".goal-note")
    await expect(note).to_contain_text("Take your opponent’s pieces")
    assert await note.evaluate("note => note.parentElement.scrollTop") == 0


async def test_before_the_first_move_there_is_nothing_to_look_back_with(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await begin_game(ada, bob, "pincer")
    await expect(ada.page.locator("#slider")).to_be_hidden()
    await both_have_played(ada, bob, "pincer")
    await expect(ada.page.locator("#slider")).to_be_visible()
    borders = await ada.page.eval_on_selector_all(
        "#acts .act:not([hidden])", "all => all.map(each => getComputedStyle(each).borderStyle)"
    )
    assert set(borders) == {"solid"}
