"""Zoomed pages, and a font size set in the browser: text grows, and nothing is lost."""

import pytest

from tests.browser.chromium.system_fonts import LARGE_TEXT_PX, with_large_text
from tests.browser.probes.cut_texts import (
    LEAST_SQUARE_PX,
    SQUARE,
    ZOOMED,
    begin,
    check_zoomed_game,
    lost,
    lost_in_game,
)

PAGES = [
    "", "watch/", "learn/", "learn/amazons/", "learn/blotto/", "new/", "settings/", "sign-up/",
    "privacy/", "how-it-works/", "contact/", "nowhere/",
]  # fmt: skip
FAMILIES = ["amazons-10x10", "pincer", "blotto"]
BODY_REM = 15 / 16
WINDOWS = [(768, 1024), (1280, 800), (1920, 1080)]
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
    await check_zoomed_game(visit, key)


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
