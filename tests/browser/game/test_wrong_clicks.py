"""A click that is no legal choice is answered with a sentence."""

from playwright.async_api import expect

from tests.browser.prepared.sent_turns import begin_alone
from tests.browser.visitors.pointer_actions import click, hand_is, hint_is, step_is


async def test_a_blocked_way_is_named_on_the_page_and_for_the_screen_reader(visit):
    ada = await visit("ada")
    await begin_alone(ada, await visit("bob"), "amazons-10x10")
    await click(ada, "a4", "a8")
    await hint_is(ada, "Blocked by the amazon on a7.")
    await expect(ada.page.locator("#alert")).to_have_text("Blocked by the amazon on a7.")
    await hand_is(ada, "empty")  # an empty square puts the piece down
    await click(ada, "a7")
    await hint_is(ada, "That piece is not yours.")
    await click(ada, "d1", "d5")
    await expect(ada.page.locator("#hint")).to_contain_text("Pick a diamond")
    await click(ada, "e7")
    await hint_is(ada, "d5 to e7 isn’t a straight line.")
    await click(ada, "d9")
    await step_is(ada, 2)
