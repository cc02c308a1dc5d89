"""Forced colours and more contrast: edges and system colours tell what a fill tells."""

import pytest
from playwright.async_api import expect

from tests.browser.probes.contrast_looks import UNREADABLE, assert_told_apart, force_colours, look
from tests.browser.probes.layout_probes import both_have_played
from tests.browser.visitors.browser_visitors import begin_game


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
