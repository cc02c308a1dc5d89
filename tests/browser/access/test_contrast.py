"""Forced colours and more contrast: edges and system colours tell what a fill tells."""

import pytest
from playwright.async_api import expect

from tests.browser.browser_visitors import Visitor, begin_game
from tests.browser.game.test_game_layout import both_have_played

# Borders, outline and fill of an element, without the colour of its text.
LOOK = """selector => {
    const element = [...document.querySelectorAll(selector)].find(each => each.checkVisibility());
    if (!element) return null;
    const style = getComputedStyle(element);
    const sides = ["top", "right", "bottom", "left"].map(side => [
        style.getPropertyValue(`border-${side}-width`),
        style.getPropertyValue(`border-${side}-style`),
        style.getPropertyValue(`border-${side}-color`),
    ].join(" "));
    const outline = style.outlineStyle === "none" ? "none"
        : `${style.outlineWidth} ${style.outlineColor}`;
    return [...sides, `outline ${outline}`, `fill ${style.backgroundColor}`];
}"""
# Visible texts in the colour of the fill behind them.
UNREADABLE = """() => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Set();
    while (walk.nextNode()) {
        const element = walk.currentNode.parentElement;
        if (!walk.currentNode.data.trim() || !element.checkVisibility()) continue;
        let under = element;
        const fillOf = each => getComputedStyle(each).backgroundColor;
        while (under.parentElement && /, 0\\)$|transparent/.test(fillOf(under))) {
            under = under.parentElement;
        }
        if (fillOf(under) === getComputedStyle(element).color) {
            found.add(`${element.className}: ${walk.currentNode.data.trim()}`);
        }
    }
    return [...found];
}"""


async def look(person: Visitor, selector: str) -> list[str]:
    """The borders, outline and fill of the first visible element that matches a selector."""
    found = await person.page.evaluate(LOOK, selector)
    assert found is not None, f"nothing seen is {selector}"
    return found


async def assert_told_apart(person: Visitor, one: str, other: str) -> None:
    """Fails unless the two differ in an edge or in their fill."""
    assert await look(person, one) != await look(person, other), (one, other)


async def force_colours(*people: Visitor) -> None:
    for person in people:
        await person.page.emulate_media(forced_colors="active", reduced_motion="reduce")


async def test_states_of_a_game_have_edges_where_colours_are_forced(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await force_colours(ada, bob)
    await begin_game(ada, bob, "amazons-10x10", clock="fischer:300:3")
    await both_have_played(ada, bob, "amazons-10x10")
    await ada.page.wait_for_selector("#game[data-turn=yours]")
    await assert_told_apart(ada, ".strip.mine", ".strip:not(.mine)")
    await assert_told_apart(ada, ".clock.running", ".clock:not(.running)")
    await assert_told_apart(ada, ".step.now", ".step.later")
    await assert_told_apart(ada, ".tab[aria-pressed=true]", ".tab[aria-pressed=false]")
    await assert_told_apart(ada, ".moves .newest", ".moves .cell:not(.newest)")
    whose = [await look(person, ".whose") for person in (ada, bob)]
    assert whose[0] != whose[1], "one's own turn looks like the opponent's"
    await ada.page.click("#open-setup")
    await ada.page.wait_for_selector("#setup[open]")
    await assert_told_apart(
        ada, ".segments input:checked + label", ".segments input:not(:checked) + label"
    )
    assert await ada.page.evaluate(UNREADABLE) == []
    await ada.page.click("#close-setup")
    await ada.page.set_viewport_size({"width": 390, "height": 844})
    await assert_told_apart(ada, ".tab[aria-pressed=true]", ".tab[aria-pressed=false]")


async def test_the_end_and_the_sides_have_edges_where_colours_are_forced(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await force_colours(ada, bob)
    await begin_game(ada, bob, "blotto")
    await both_have_played(ada, bob, "blotto")
    await expect(ada.page.locator("#headline-what")).to_contain_text("Round 1: ", timeout=10_000)
    await assert_told_apart(ada, "#score .white", "#score .black")
    await bob.page.click("#resign")
    await bob.page.click(".ask-sheet .button >> nth=0")
    await expect(ada.page.locator("#result")).to_be_visible(timeout=10_000)
    await assert_told_apart(ada, ".strip.won .points", ".strip:not(.won) .points")
    await assert_told_apart(ada, ".button.primary", ".button.plain")
    assert await ada.page.evaluate(UNREADABLE) == []


async def test_links_and_choices_of_other_pages_have_edges_where_colours_are_forced(visit):
    ada = await visit("ada")
    await force_colours(ada)
    await ada.page.goto(f"{ada.home}watch/")
    await assert_told_apart(ada, ".nav a[aria-current]", ".nav a:not([aria-current])")
    await ada.page.goto(f"{ada.home}new/")
    await assert_told_apart(
        ada, ".game-choice a[aria-current]", ".game-choice a:not([aria-current])"
    )
    await assert_told_apart(
        ada, ".segments input:checked + label", ".segments input:not(:checked) + label"
    )
    await ada.page.goto(f"{ada.home}learn/amazons/")
    await assert_told_apart(ada, ".lessons [aria-current]", ".lessons button:not([aria-current])")
    assert await ada.page.evaluate(UNREADABLE) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_more_contrast_gives_weak_texts_and_edges_the_colour_of_the_strong(visit, theme):
    ada = await visit("ada")
    await ada.page.emulate_media(color_scheme=theme)
    await ada.page.goto(f"{ada.home}learn/amazons/")
    ink = "() => getComputedStyle(document.querySelector('main .small, main .note')).color"
    body = await ada.page.evaluate("() => getComputedStyle(document.body).color")
    assert await ada.page.evaluate(ink) != body
    plain = await look(ada, ".button.plain, .field")
    await ada.page.emulate_media(color_scheme=theme, contrast="more")
    assert await ada.page.evaluate(ink) == body
    assert await look(ada, ".button.plain, .field") != plain
