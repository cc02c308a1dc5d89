"""Header and strips of a game's page: nothing of a clock is cut, and nothing touches."""

import pytest

from tests.browser.chromium.system_fonts import with_each_font
from tests.browser.visitors.browser_visitors import Visitor, begin_game

SIZES = [(360, 740), (390, 844), (768, 1024), (1280, 800)]
WIDER_THAN_PHONES = [(640, 900), (768, 1024), (1024, 768), (1280, 800)]
SETTLING_MS = 200
BUTTONS_REST_MS = 600
LONG_NAME = "Wwwwwwwwwwwwwwwwwwwwwwww"
LONG_CLOCK = "1:00:00"
LEAST_GAP_PX = 4
# Clocks, points and the time control in the header that a box clips or the window cuts.
CUT_CLOCKS = """() => [...document.querySelectorAll(".strip .clock, .strip .points, #game-clock")]
    .filter(element => element.textContent !== "" && !element.hidden)
    .filter(element => {
        const range = document.createRange();
        range.selectNodeContents(element);
        const { left, right } = range.getBoundingClientRect();
        let cut = right - left < 1;
        for (let box = element; box !== null; box = box.parentElement) {
            const clips = getComputedStyle(box).overflowX !== "visible";
            const { left: from, right: to } = box.getBoundingClientRect();
            if (clips) cut ||= left < from - 0.5 || right > to + 0.5;
        }
        return cut || left < 0 || right > innerWidth;
    }).map(element => `${element.className || element.id}: ${element.textContent}`)"""
FILL_STRIPS = """([name, clock]) => {
    for (const strip of document.querySelectorAll(".strip")) {
        strip.querySelector(".name").firstElementChild.textContent = name;
        const element = strip.querySelector(".clock");
        element.textContent = clock;
        element.dataset.text = clock;
    }
}"""
SHOW_TURN = """() => {
    const dot = document.createElement("span");
    dot.className = "dot here";
    const parts = [["turn-words", "Your turn (12)"], ["turn-number", "12"]].map(([name, text]) => {
        const part = document.createElement("span");
        part.className = name;
        part.textContent = text;
        return part;
    });
    const link = document.createElement("a");
    link.className = "turn";
    link.append(dot, ...parts);
    document.querySelector("#turn")?.remove();
    document.querySelector(".header-end").prepend(link);
}"""
SHOW_WATCHERS = """() => {
    document.querySelector("#watchers").hidden = false;
    document.querySelector("#watching").textContent = "27";
}"""
# The gap between what of the note is seen and the end of the header (px).
NOTE_GAP = """() => {
    const note = document.querySelector(".header-note").getBoundingClientRect();
    const seen = [...document.querySelectorAll(".header-note > *")]
        .map(each => each.getBoundingClientRect())
        .filter(box => box.width > 0)
        .map(box => Math.min(box.right, note.right));
    const end = document.querySelector(".header-end").getBoundingClientRect();
    return end.left - Math.max(...seen);
}"""


async def resize(person: Visitor, width: int, height: int) -> None:
    await person.page.set_viewport_size({"width": width, "height": height})
    await person.page.wait_for_timeout(SETTLING_MS)


@with_each_font
async def test_no_clock_is_cut_in_a_live_game_or_a_finished_one(visit) -> None:
    ada, bob = await visit("ada"), await visit("bob")
    await begin_game(ada, bob, "amazons", "fischer:90:30")
    for is_over in (False, True):
        if is_over:
            await bob.page.wait_for_timeout(BUTTONS_REST_MS)
            await bob.page.click("#resign")
            await bob.page.wait_for_timeout(BUTTONS_REST_MS)
            await bob.page.click("text=Yes, abort")
            await ada.page.wait_for_selector("#game[data-status=over]")
        await ada.page.evaluate(SHOW_TURN)
        await ada.page.evaluate(SHOW_WATCHERS)
        for width, height in SIZES:
            await resize(ada, width, height)
            await ada.page.evaluate(FILL_STRIPS, [LONG_NAME, LONG_CLOCK])
            assert await ada.page.evaluate(CUT_CLOCKS) == [], (width, height, is_over)
            length = ada.page.locator("#game-clock")
            assert await length.inner_text() == "1:30 + 30", (width, height)
            across = "document.documentElement.scrollWidth - innerWidth"
            assert await ada.page.evaluate(across) == 0, (width, height)


@pytest.mark.parametrize("size", WIDER_THAN_PHONES)
async def test_the_link_to_ones_turn_touches_nothing_of_the_header(visit, size) -> None:
    ada, bob = await visit("ada"), await visit("bob")
    await begin_game(ada, bob, "amazons", "fischer:90:30")
    await ada.page.evaluate(SHOW_TURN)
    await resize(ada, *size)
    assert await ada.page.evaluate(NOTE_GAP) >= LEAST_GAP_PX
