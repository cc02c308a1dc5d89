"""Complete games of one person against the computer, with a worker."""

import random
import re

import pytest
from playwright.async_api import expect

from tests.browser.chromium.system_fonts import with_each_font
from tests.browser.nightly.pages.test_turkish_pages import faults, in_turkish
from tests.browser.prepared import computer_opponent
from tests.browser.prepared.computer_opponent import TIMEOUT_MS
from tests.browser.probes.axe_objections import objections
from tests.browser.visitors.browser_visitors import Visitor
from tests.browser.visitors.site_pages import SEND_SCRIPT

site = computer_opponent.site
# The own order is in, whether or not the computer's was there before and the round is open.
IS_SEALED = """step => {
    const { turn, step: now } = document.getElementById("game").dataset;
    return turn !== "yours" || now !== step;
}"""
# Pixels between what follows a sentence of three lines and the tabs below it.
GAP_UNDER_A_LONG_SENTENCE = """() => {
    const sentence = document.getElementById("sentence"), said = sentence.textContent;
    sentence.textContent = "plucky-grasshopper-77 wins. Nobody can move, and more pieces win.";
    const place = (name) => document.querySelector(name).getBoundingClientRect();
    const gap = place(".tabs").top - place("#see-thoughts").bottom;
    sentence.textContent = said;
    return gap;
}"""
pytestmark = pytest.mark.timeout(300)


async def play(person: Visitor) -> None:
    """Plays at random until the game is over; in Blotto always the same."""
    rng = random.Random(4)
    while not await person.is_over():
        on = person.page.locator("#onward")
        if await on.count() and await on.is_visible():
            await on.click()
        elif not await person.may_act():
            await person.page.wait_for_timeout(50)
        elif await person.page.locator("#seal").count():
            step = await person.page.get_attribute("#game", "data-step")
            await person.seal((5, 3, 2))
            await person.page.wait_for_function(IS_SEALED, arg=step)
        else:
            await person.play_turn(rng)


async def look_at_thoughts(person: Visitor) -> None:
    """Opens what the computer thought at one of its turns, and at the start."""
    page = person.page
    opener = page.locator("#see-thoughts")
    await expect(page.locator("#result")).to_be_visible(timeout=TIMEOUT_MS)  # after the last motion
    await page.keyboard.press("Escape")
    tab = page.locator(".tab[data-tab=thoughts]")
    await expect(opener.or_(tab).filter(visible=True).first).to_be_visible(timeout=TIMEOUT_MS)
    await (opener if await opener.is_visible() else tab).click()
    say = page.locator(".thought-say")
    await expect(say).not_to_have_text("Loading the computer’s thoughts.", timeout=TIMEOUT_MS)
    if not await page.locator(".thought-gauge").is_visible():
        assert "expected" in (await say.text_content()) or "A person" in (await say.text_content())
        await page.click("#look-back")
    await expect(page.locator(".thought-gauge")).to_be_visible()
    await expect(say).to_contain_text("Wren")
    assert "Seed" not in await page.locator(".thought-facts").text_content()
    await expect(page.locator(".thought-curve polyline")).to_have_count(1)
    await page.click("#look-first")
    await expect(say).to_contain_text("No move yet.")
    await page.click("#look-last")


@pytest.mark.parametrize(("key", "width", "height"), [("pincer", 1280, 800), ("blotto", 360, 740)])
async def test_a_person_alone_plays_a_whole_game_and_sees_what_it_thought(
    visit, key, width, height
):
    ada = await visit("ada", width=width, height=height)
    await ada.play_computer(1, key)
    await play(ada)
    await expect(ada.page.locator("#sentence")).to_contain_text(
        re.compile("You (win|lost)|Draw"), timeout=TIMEOUT_MS
    )
    if width > height:
        assert await ada.page.evaluate(GAP_UNDER_A_LONG_SENTENCE) >= 0
    await look_at_thoughts(ada)
    found = await objections(ada, f"{key}, what the computer thought")
    assert not found, "\n".join(found)


@with_each_font
async def test_in_turkish_nothing_of_it_is_english_or_cut(visit):
    ada = await in_turkish(await visit("ada"))
    await ada.play_computer(1, "pincer")
    await ada.page.wait_for_selector("#game[data-turn=yours]", timeout=TIMEOUT_MS)
    found = await faults(ada, "against the computer")
    await ada.page.evaluate(SEND_SCRIPT, {"t": "resign"})
    await ada.page.wait_for_selector("#game[data-status=over]")
    await ada.page.click("#close-result")
    await ada.page.click("#see-thoughts")
    await expect(ada.page.locator(".thought-gauge")).to_be_visible(timeout=TIMEOUT_MS)
    found += await faults(ada, "what it thought")
    assert not found, "\n".join(found)
