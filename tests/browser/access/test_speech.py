"""Announcements to screen readers: moves, replies and rounds."""

import re

import pytest
from playwright.async_api import expect

from tests.browser.prepared.sent_turns import begin_alone, send_turn
from tests.browser.visitors.keyboard_user import TIMEOUT_MS, Typist, heard, sit_down

pytestmark = pytest.mark.timeout(300)
# The lines and their regions in the order in which a screen reader gets them.
NOTE_LINES = """() => {
    window.lines = [];
    const note = id => new MutationObserver(changes => {
        for (const { addedNodes } of changes) {
            for (const node of addedNodes) {
                if (node.textContent) window.lines.push([id, node.textContent]);
            }
        }
    }).observe(document.getElementById(id), { childList: true });
    note("speech");
    note("alert");
}"""


async def to_fields(person: Typist) -> None:
    """Goes from the top of a page of Blotto to the first field."""
    await person.enter("a.skip[href='#troops']")
    await person.tab_to("[role=spinbutton]")


async def test_own_move_and_reply_are_told_one_after_the_other_in_one_polite_region(typist):
    ada, bob = await typist("ada"), await typist("bob")
    game = await begin_alone(ada, bob, "amazons-8x8")
    await heard(ada, "Amazons 8 by 8.")
    await ada.page.evaluate(NOTE_LINES)
    await ada.answer("c1-c5/c6")
    await ada.step_is(2)
    await send_turn(bob, game, 2, "c8-c7/d7")
    await heard(ada, re.compile("c8 to c7, burned d7. Your turn"))
    lines = await ada.page.evaluate("window.lines")
    assert {region for region, _ in lines} == {"speech"}
    said = [words for _, words in lines]
    assert said.index("You: c1 to c5, burned c6.") < len(said) - 1
    region = ada.page.locator("#speech")
    await expect(region).to_have_attribute("aria-live", "polite")
    await expect(region).to_have_attribute("aria-atomic", "false")


async def test_blotto_tells_its_round_what_is_placed_and_who_has_locked_in(typist):
    ada, bob = await sit_down(typist, "blotto")
    await heard(ada, "Colonel Blotto. Round 1 of 5. Place your troops.")
    await to_fields(ada)
    await ada.page.keyboard.type("5")
    await ada.press("o")
    await heard(ada, "Hill 5, Ford 0, Wood 0. 5 to place.")
    await ada.press("l")
    await heard(ada, "No move yet.")
    await bob.type_turn("4 3 3")
    await bob.press("/", "Enter")
    await heard(bob, "Locked in.")
    await heard(ada, re.compile(r"^\S+ has locked in\.$"))
    told = await ada.page.inner_text("#speech")
    assert not re.search(r"\b4\b|\b3\b", told), "what is sealed was told"
    await ada.type_turn("5 5 0")
    await ada.press("/", "Enter")
    await ada.page.wait_for_selector("#troops[data-mode=reveal]", timeout=TIMEOUT_MS)
    await heard(ada, re.compile(r"Hill: you 5, \S+ 4, 2 points to you\."))
