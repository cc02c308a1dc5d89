"""Forced colours: edges and system colours tell what a fill tells."""

from tests.browser.probes.contrast_looks import UNREADABLE, assert_told_apart, force_colours, look
from tests.browser.probes.layout_probes import both_have_played
from tests.browser.visitors.browser_visitors import begin_game


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
