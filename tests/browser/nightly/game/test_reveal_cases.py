"""Reveal of a round of Blotto: no part of the page tells its result before the last field opens."""

import pytest
from playwright.async_api import expect

from tests.browser.probes.reveal_frames import (
    REVEAL_MS,
    SPLITS,
    begin_watched,
    check_no_frame_tells,
    play_round,
)

# Notes how many fields are open while envelopes are seen, and when points begin to fly.
WATCH_MOTIONS = """() => {
    window.motions = { seals: [], points: [], told: [] };
    const opened = () => [...document.querySelectorAll(".verdict-words")]
        .filter(each => each.textContent).length;
    new MutationObserver(changes => {
        for (const { addedNodes } of changes) for (const node of addedNodes)
            if (node.className?.includes?.("flying-points")) {
                window.motions.points.push(node.textContent);
                window.motions.told.push(opened());
            }
    }).observe(document.body, { childList: true });
    const note = () => {
        const seals = document.querySelector(".headline-seals");
        if (seals?.checkVisibility()) window.motions.seals.push(opened());
        requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
async def test_no_frame_tells_a_result_before_the_third_field_is_open(visit, motion):
    await check_no_frame_tells(visit, motion, 5)


@pytest.mark.parametrize("how", ["click", "key"])
async def test_a_click_or_a_key_shows_the_result_at_once(visit, how):
    ada, bob = await begin_watched(visit, "no-preference")
    await ada.seal(SPLITS[0])
    await bob.seal(SPLITS[1])
    await ada.page.wait_for_selector("#troops[data-mode=reveal]")
    await expect(ada.page.locator("#headline-what")).to_have_text("Round 1")
    if how == "click":
        await ada.page.click('[data-plot="1"] .ground')
    else:
        await ada.page.keyboard.press("Escape")
    frames = await ada.page.evaluate("window.frames_.filter(each => each.mode === 'reveal')")
    await expect(ada.page.locator("#headline-what")).to_contain_text("Round 1: ", timeout=400)
    assert frames[-1]["at"] - frames[0]["at"] < REVEAL_MS
    assert await ada.page.get_attribute("#troops", "data-mode") == "reveal"


async def test_on_narrow_phones_the_words_on_the_sides_are_whole(visit):
    ada, bob = await begin_watched(visit, "reduce", width=360, height=740)
    await ada.seal(SPLITS[0])
    await bob.seal(SPLITS[1])
    await expect(ada.page.locator("#headline-what")).to_contain_text("Round 1: ")
    words = ada.page.locator("#headline-who")
    await expect(words).to_have_text("You below, opponent above")
    assert await words.evaluate("words => words.scrollWidth <= words.clientWidth")


async def test_the_fields_stay_where_they_are(visit):
    for width, height in ((1280, 800), (390, 844), (360, 640), (800, 500)):
        ada, bob = await begin_watched(visit, "reduce", width=width, height=height)
        await ada.page.wait_for_timeout(100)
        await ada.seal(SPLITS[0])
        await bob.seal(SPLITS[1])
        await ada.page.wait_for_selector("#troops[data-mode=reveal]")
        await ada.page.wait_for_timeout(200)
        frames = await ada.page.evaluate("window.frames_")
        tops = {frame["top"] for frame in frames}
        assert len(tops) == 1, (width, height, tops)


async def test_envelopes_break_open_first_and_points_fly_when_the_result_is_told(visit):
    ada, bob = await begin_watched(visit, "no-preference")
    await ada.page.evaluate(WATCH_MOTIONS)
    await play_round(ada, bob)
    seen = await ada.page.evaluate("window.motions")
    assert seen["seals"] and max(seen["seals"]) == 0, "an envelope was there after a field opened"
    assert seen["points"] == ["+2"] * 3
    assert min(seen["told"]) == 3
    await expect(ada.page.locator(".flying-points")).to_have_count(0)


async def test_with_reduced_motion_nothing_breaks_and_nothing_flies(visit):
    ada, bob = await begin_watched(visit, "reduce")
    await ada.page.evaluate(WATCH_MOTIONS)
    await play_round(ada, bob)
    assert await ada.page.evaluate("window.motions") == {"seals": [], "points": [], "told": []}
