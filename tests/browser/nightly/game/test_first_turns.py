"""First turns on the page: their limit, the abort, the next search, and the begin of Blotto."""

import asyncio
import re

from playwright.async_api import expect

from tests.browser.visitors.browser_visitors import Visitor, begin_game, game_of

ABORT_TIMEOUT_MS = 60_000  # ms: the limit of 30 s, and what a slow machine adds
FIVE_MINUTES = "fischer:300:3"
MINUTE_A_ROUND = "limit:60"

# Keeps what the hint has said, from the lock-in on.
NOTE_HINTS = """() => {
    window.hints = [];
    const place = document.getElementById("hint");
    new MutationObserver(() => {
        const text = place.textContent.trim();
        if (window.hints.length > 0 || /Lock|starts in/.test(text)) window.hints.push(text);
    }).observe(place, {childList: true, subtree: true, characterData: true});
}"""


async def search(ada: Visitor, bob: Visitor, key: str) -> tuple[Visitor, Visitor]:
    """Brings both together by a search; returns the player to move first, then the other."""
    for person in (ada, bob):
        await person.search(key)
    await asyncio.gather(ada.wait_for_game(), bob.wait_for_game())
    return (ada, bob) if await ada.may_act() else (bob, ada)


async def test_who_makes_no_first_move_loses_the_draft_and_the_other_looks_for_a_new_game(visit):
    first, second = await search(await visit("ada"), await visit("bob"), "pincer")
    near, far = first.page.locator("#near"), second.page.locator("#far")
    for strip in (near, far):
        await expect(strip).to_contain_text(re.compile(r"first move: 0:\d\d"))
    clock = await near.locator(".clock").inner_text()
    await first.page.click('.grid button[data-square="a1"]', force=True)
    await expect(first.page.locator("#game")).to_have_attribute(
        "data-status", "over", timeout=ABORT_TIMEOUT_MS
    )
    assert await near.locator(".clock").inner_text() == clock  # it has not run
    await first.says("Game aborted. You didn’t make your first move.")
    assert await first.page.locator(".grid button[data-target]").count() == 0
    await expect(second.page.locator("#again-say")).to_contain_text("Looking for a new one")
    await second.page.wait_for_url("**/play/online/")
    await expect(second.page.locator("#looking")).to_contain_text("3 + 2")
    await expect(first.page.locator("#again-say")).not_to_contain_text("Looking")


async def test_after_the_first_turns_the_clock_of_each_runs(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await begin_game(ada, bob, "amazons-8x8", FIVE_MINUTES)
    near = ada.page.locator("#near")
    await expect(near.locator(".clock")).to_have_text("5:00")
    for player, turn in ((ada, "c1-c5/e5"), (bob, "c8-c6/e6")):
        await expect(player.page.locator("#game")).to_have_attribute("data-turn", "yours")
        await player.page.keyboard.press("/")
        await player.page.fill("#type", turn)
        await player.page.keyboard.press("Enter")
    await expect(near).not_to_contain_text("first move")
    await expect(near.locator(".clock")).to_have_text(re.compile("^4:5[0-9]$"), timeout=15_000)


async def test_blotto_begins_when_the_second_page_is_shown(visit):
    ada, bob = await visit("ada"), await visit("bob")
    game = await game_of(ada, bob, "blotto", MINUTE_A_ROUND)
    await ada.page.goto(f"{ada.home}{game}")
    await expect(ada.page.locator("#hint")).to_contain_text("starts when you’re both here")
    await expect(ada.page.locator("#near")).not_to_contain_text("first move")
    await bob.page.goto(f"{bob.home}{game}")
    for page in (ada.page, bob.page):
        await expect(page.locator("#near")).to_contain_text("first move: 0:")
        await expect(page.locator("#hint")).not_to_contain_text("starts when you’re both here")
    for page in (ada.page, bob.page):
        await page.evaluate(NOTE_HINTS)
    await asyncio.gather(ada.seal((4, 3, 3)), bob.seal((10, 0, 0)))
    for page in (ada.page, bob.page):
        await expect(page.locator("#game")).to_have_attribute("data-step", "1", timeout=15_000)
        await expect(page.locator("#hint")).to_contain_text("Drag blocks", timeout=15_000)
        waits = [hint for hint in await page.evaluate("hints") if "starts in" in hint]
        assert waits
        assert all(re.fullmatch(r"Round 2 starts in [1-5] s\.", hint) for hint in waits)
