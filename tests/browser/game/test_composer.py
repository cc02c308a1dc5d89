"""Composing a turn: a second tap that sends it, and premoves."""

from playwright.async_api import expect

from tests.browser.prepared.sent_turns import begin_alone, send_turn
from tests.browser.visitors.browser_visitors import game_of
from tests.browser.visitors.pointer_actions import (
    click,
    hand_is,
    label,
    plans,
    prefer,
    sit_down,
    step_is,
)


async def test_a_second_tap_on_the_last_square_sends_a_turn_that_waits(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await begin_alone(ada, bob, "amazons-8x8")
    await prefer(ada, "send", "tap")
    await click(ada, "c1", "c5", "e5")
    await hand_is(ada, "ready")
    assert await ada.page.get_attribute("#game", "data-step") == "0"
    assert await label(ada, "e5") == "e5, empty, chosen"
    await click(ada, "e5")
    await step_is(ada, 2)


async def test_a_planned_turn_is_sent_when_its_time_comes(visit):
    ada, bob = await sit_down(visit, "amazons-8x8")
    await click(bob, "a6", "a4", "b4")
    await hand_is(bob, "planned")
    assert await label(bob, "b4") == "b4, empty, premove"
    assert await label(bob, "a4") == "a4, black amazon, premove"
    await bob.page.reload()
    await hand_is(bob, "planned")
    await click(ada, "c1", "c5", "e5")
    await step_is(ada, 4)
    await step_is(bob, 4)
    assert await plans(bob) == []
    await expect(bob.page.locator("#moves")).to_contain_text("a6-a4/b4")


async def test_a_plan_that_is_no_longer_legal_is_dropped_and_the_page_says_so(visit):
    ada, bob = await visit("ada"), await visit("bob")
    game = await game_of(ada, bob, "amazons-8x8")
    await bob.page.goto(f"{bob.home}{game}")
    await bob.page.wait_for_selector("#game[data-turn=waits]")
    await click(bob, "c8", "c5", "c4")
    await hand_is(bob, "planned")
    await send_turn(ada, game, 0, "c1-c5/e5")
    await step_is(bob, 2)
    await hand_is(bob, "empty")
    assert await bob.page.get_attribute("#game", "data-turn") == "yours"
    await expect(bob.page.locator("#notices")).to_contain_text("Premove cancelled.")
    assert await plans(bob) == []
