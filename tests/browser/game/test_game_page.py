"""Game page: it fits its window; takebacks, draws and resigning."""

from playwright.async_api import expect

from tests.browser.prepared.sent_turns import play_first_turns
from tests.browser.prepared.typed_games import (
    both_act,
    check_one_screen,
    is_over,
    sit_down,
    step_is,
    type_turn,
)

# Presses the button for half a second, leaves it, and looks whether it filled and emptied.
HOLD_AND_LEAVE = """async () => {
    const button = document.querySelector("#resign");
    const send = kind => button.dispatchEvent(new PointerEvent(kind, { bubbles: true, button: 0 }));
    const wait = ms => new Promise(done => setTimeout(done, ms));
    send("pointerdown");
    await wait(400);
    const filled = button.classList.contains("held");
    send("pointerleave");
    await wait(900);
    return [filled, button.classList.contains("held")];
}"""


async def test_all_of_it_is_on_one_screen_on_a_phone_and_on_a_desktop(visit):
    await check_one_screen(visit, "pincer", [(360, 640), (1280, 800)])


async def test_resigning_takes_a_hold_of_a_second_and_leaving_the_button_ends_it(visit):
    ada, bob = await visit("ada"), await visit("bob")
    game = await play_first_turns(ada, bob, "pincer")
    await ada.page.goto(f"{ada.home}{game}")
    await expect(ada.page.get_by_role("button", name="Resign", exact=True)).to_be_visible()
    await expect(ada.page.locator("#resign")).to_have_attribute("aria-disabled", "false")
    assert await ada.page.evaluate(HOLD_AND_LEAVE) == [True, False]
    assert not await ada.is_over()
    assert await ada.page.locator(".ask-sheet").count() == 0
    mouse = ada.page.mouse
    await ada.page.hover("#resign")
    await mouse.down()
    await is_over(ada)
    await mouse.up()
    await ada.says("resigned")


async def test_a_draw_is_offered_seen_with_its_age_declined_and_agreed(visit):
    ada, bob = await sit_down(visit, "amazons-8x8")
    await type_turn(ada, "c1-c5/e5")
    await step_is(bob, 2)
    await ada.offer_draw()
    sheet = bob.page.locator(".ask-sheet")
    await expect(sheet).to_contain_text("offers a draw")
    await expect(sheet).to_contain_text("Asked just now")
    accept = sheet.get_by_role("button", name="Accept")
    await accept.dispatch_event("click")
    assert not await ada.is_over()
    await expect(accept).to_have_attribute("aria-disabled", "false", timeout=2_000)
    await sheet.get_by_role("button", name="Decline").click()
    await expect(ada.page.locator("#notices")).to_contain_text("declined the draw")
    await type_turn(bob, "c8-c7/b7")
    await step_is(ada, 4)
    await type_turn(bob, "draw")
    await expect(ada.page.locator(".ask-sheet")).to_be_visible()
    await type_turn(ada, "draw")
    await is_over(ada, bob)
    await ada.says("Draw. By agreement.")


async def test_a_takeback_is_asked_for_and_the_pages_follow_it(visit):
    ada, bob = await sit_down(visit, "pincer")
    await both_act(ada, bob)
    await bob.page.click("#takeback")
    await bob.page.click("[data-command=askBack]")
    sheet = ada.page.locator(".ask-sheet")
    await expect(sheet).to_contain_text("asks to take back g5-f5 g7-g6")
    accept = sheet.get_by_role("button", name="Accept")
    await expect(accept).to_have_attribute("aria-disabled", "false", timeout=2_000)
    await accept.click()
    for person in (ada, bob):
        await step_is(person, 2)
        await expect(person.page.locator("#moves")).not_to_contain_text("g5-f5")
    await type_turn(bob, "g5-g4 g7-f7")
    await step_is(ada, 4)
    moves = ada.page.locator("#moves")
    await expect(moves).to_contain_text("g5-g4")  # fetched anew after a takeback
    await expect(moves).to_contain_text("a5-b5")
    await ada.page.keyboard.press("ArrowLeft")
    await expect(ada.page.locator("#chip")).to_contain_text("Move 1 of 2")
