"""Zoomed pages, and a font size set in the browser: text grows, and nothing is lost."""

import pytest

from tests.browser.browser_visitors import Visitor, game_of
from tests.browser.pages.test_turkish_pages import CUT, GAME_NAME
from tests.browser.system_fonts import LARGE_TEXT_PX, with_large_text
from tests.support.untranslated_text import GUEST

PAGES = [
    "", "watch/", "learn/", "learn/amazons/", "learn/blotto/", "new/", "settings/", "sign-up/",
    "privacy/", "how-it-works/", "contact/", "nowhere/",
]  # fmt: skip
FAMILIES = ["amazons-10x10", "pincer", "blotto"]
BODY_REM = 15 / 16
LEAST_SQUARE_PX = 28
WINDOWS = [(768, 1024), (1280, 800), (1920, 1080)]
ZOOMED = {200: (640, 400), 300: (427, 267), 400: (320, 256)}  # percent of a window of 1280 × 800
# Parts needed to play, and a script that finds those which scrolling cannot reach.
PARTS = ["#sentence", "#far", "#near", ".table", ".tab[data-tab=chat]"]
UNREACHED = """parts => parts.filter(part => {
    const element = document.querySelector(part);
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const { scrollWidth, scrollHeight } = document.documentElement;
    const seen = element.checkVisibility() && right > left && bottom > top;
    return !(seen && left + scrollX >= -1 && right + scrollX <= scrollWidth + 1
        && top + scrollY >= -1 && bottom + scrollY <= scrollHeight + 1);
})"""
SQUARE = "() => document.querySelector('.grid button').getBoundingClientRect().width"
# A game on the large board of the front page, whether or not one is played in other tests.
FEATURE = """() => {
    const texts = { label: "Live", white: "Guest bramble48153", black: "Falcon (level 5)",
        name: "Amazons 10×10", progress: "move 143" };
    const featured = document.getElementById("featured");
    if (featured) delete featured.dataset.empty;
    for (const [name, text] of Object.entries(texts)) {
        const part = featured?.querySelector(`[data-text=${name}]`);
        if (part) part.textContent = text;
    }
}"""
TYPE_PX = "selector => parseFloat(getComputedStyle(document.querySelector(selector)).fontSize)"


async def lost(person: Visitor, where: str) -> list[str]:
    """Texts that are cut on the current page, and its overflow."""
    await person.page.wait_for_timeout(150)
    cut = await person.page.evaluate(CUT)
    return [f"{where}: {text}" for text in cut if not GUEST.search(text) and GAME_NAME not in text]


async def lost_in_game(person: Visitor, where: str, key: str) -> list[str]:
    """Parts of a game that are cut, unreachable or too small, on each of its tabs."""
    if await person.page.is_visible(".tab[data-tab=turn]"):
        await person.page.click(".tab[data-tab=turn]")
    found = [f"{where}: no {part}" for part in await person.page.evaluate(UNREACHED, PARTS)]
    if key != "blotto":
        square = await person.page.evaluate(SQUARE)
        if square < LEAST_SQUARE_PX - 0.01:
            found.append(f"{where}: squares of {square} px")
    for tab in ("turn", "moves", "chat", "more"):
        button = person.page.locator(f".tab[data-tab={tab}]")
        if await button.is_visible():
            await button.click()
            found += await lost(person, f"{where}, tab {tab}")
    return found


async def begin(visit, key: str) -> Visitor:
    ada, bob = await visit("ada"), await visit("bob")
    await ada.page.goto(ada.home + await game_of(ada, bob, key))
    await ada.page.wait_for_selector("#game[data-turn=yours]")
    return ada


@with_large_text
async def test_with_a_greater_font_size_pages_grow_and_nothing_is_cut(visit):
    ada = await visit("ada")
    found = []
    for address in PAGES:
        await ada.page.goto(f"{ada.home}{address}")
        size = await ada.page.evaluate(TYPE_PX, "body")
        assert size == pytest.approx(BODY_REM * LARGE_TEXT_PX), address
        for width, height in WINDOWS:
            await ada.page.set_viewport_size({"width": width, "height": height})
            await ada.page.evaluate(FEATURE)
            found += await lost(ada, f"/{address}, {width}")
    ada.errors.clear()  # the browser complains of the page that is not there
    assert not found, "\n".join(found)


@with_large_text
@pytest.mark.parametrize("key", FAMILIES)
async def test_with_a_greater_font_size_a_game_grows_and_nothing_is_cut(visit, key):
    ada = await begin(visit, key)
    assert await ada.page.evaluate(TYPE_PX, "#sentence") >= LARGE_TEXT_PX
    found = []
    for width, height in WINDOWS:
        await ada.page.set_viewport_size({"width": width, "height": height})
        found += await lost_in_game(ada, f"{width}x{height}", key)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("key", FAMILIES)
async def test_a_game_that_is_zoomed_scrolls_and_loses_nothing(visit, key):
    ada = await begin(visit, key)
    found = []
    for percent, (width, height) in ZOOMED.items():
        await ada.page.set_viewport_size({"width": width, "height": height})
        found += await lost_in_game(ada, f"{percent} %", key)
        scrolls = "() => document.documentElement.scrollHeight > innerHeight"
        assert await ada.page.evaluate(scrolls) or percent < 300, percent
    assert not found, "\n".join(found)


async def test_other_pages_that_are_zoomed_lose_nothing(visit):
    ada = await visit("ada")
    found = []
    for address in PAGES:
        await ada.page.goto(f"{ada.home}{address}")
        for percent, (width, height) in ZOOMED.items():
            await ada.page.set_viewport_size({"width": width, "height": height})
            found += await lost(ada, f"/{address}, {percent} %")
            if not await ada.page.locator("footer a[href='/privacy/']").is_visible():
                found.append(f"/{address}, {percent} %: no footer")
    ada.errors.clear()  # the browser complains of the page that is not there
    assert not found, "\n".join(found)


@pytest.mark.parametrize("address", ["learn/", "learn/amazons/", "learn/pincer/"])
async def test_the_board_of_a_lesson_that_is_zoomed_can_be_played_on(visit, address):
    ada = await visit("ada")
    await ada.page.goto(f"{ada.home}{address}")
    await ada.page.wait_for_selector("#lessons [aria-current=step]")
    for width, height in ZOOMED.values():
        await ada.page.set_viewport_size({"width": width, "height": height})
        await ada.page.wait_for_timeout(150)
        assert await ada.page.evaluate(SQUARE) >= LEAST_SQUARE_PX - 1, (address, width)
