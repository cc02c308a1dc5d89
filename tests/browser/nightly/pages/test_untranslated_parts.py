"""Names of people and notation are kept from the browser's own translation."""

import re

import pytest
from playwright.async_api import expect

from tests.browser.prepared.short_games import AMAZONS_10X10, squares
from tests.browser.visitors.browser_visitors import TIMEOUT_MS, begin_game

pytestmark = pytest.mark.timeout(240)
PRESS = """squares => {
    for (const square of squares)
        document.querySelector(`.grid button[data-square="${square}"]`).click();
}"""
# Texts that are a name or notation alone, outside of all parts that are not translated.
TRANSLATED = r"""names => {
    const notation = /^(\d+\. ?)?[a-j]\d+-[a-j]\d+(\/[a-j]\d+)?/;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = node.data.trim(), parent = node.parentElement;
        if (!names.includes(text) && !notation.test(text)) continue;
        if (parent.closest("script, noscript, template, [translate=no]")) continue;
        found.push(`${text} in ${parent.outerHTML.slice(0, 100)}`);
    }
    return found;
}"""


async def test_names_and_notation_stand_in_parts_that_are_not_translated(visit):
    ada, bob = await visit("ada"), await visit("bob")
    lobby = await bob.open_lobby("pincer")
    slug = await begin_game(ada, bob, "amazons-10x10")
    for number, turn in enumerate(AMAZONS_10X10):
        mover = (ada, bob)[number % 2]
        await mover.page.wait_for_selector("#game[data-turn=yours]", timeout=TIMEOUT_MS)
        await mover.page.evaluate(PRESS, squares(turn))
        if number == 1:
            await ada.page.wait_for_selector("#game[data-step='4']", timeout=TIMEOUT_MS)
            names = [
                await ada.page.locator(f"#{place} .name").inner_text() for place in ("near", "far")
            ]
            assert await ada.page.evaluate(TRANSLATED, names) == []
    await expect(ada.page.locator("#result")).to_be_visible(timeout=TIMEOUT_MS)
    await bob.page.click(".tab[data-tab=chat]")
    await bob.page.get_by_role("group", name="Quick chat").get_by_text("Good game").click()
    await expect(ada.page.locator(".chat-text")).to_have_text("Good game")
    assert await ada.page.evaluate(TRANSLATED, names) == []
    pages = {
        "": "body",
        f"l/{lobby}/": ".seat-name",
        "watch/": "body",
        "players/": "body",
        f"g/{slug}/analysis/": "#moves li",
        f"g/{slug}/ledger/": "#entries li",
    }
    for path, part in pages.items():
        await ada.page.goto(f"{ada.home}{path}")
        await ada.page.wait_for_selector(part, state="attached", timeout=TIMEOUT_MS)
        assert re.search("|".join([*names, "[a-j]1"]), await ada.page.inner_text("body")), path
        assert await ada.page.evaluate(TRANSLATED, names) == [], path
