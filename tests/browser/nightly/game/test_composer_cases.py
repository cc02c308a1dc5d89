"""Composing a turn: sending, confirming, premoves, typed notation and replay."""

import asyncio

import pytest
from playwright.async_api import WebSocketRoute, expect

from tests.browser.visitors.pointer_actions import (
    centre,
    click,
    drag,
    hand_is,
    label,
    plans,
    prefer,
    sit_down,
    step_is,
)


async def test_a_turn_that_waits_takes_another_arrow_and_steps_back(visit):
    ada, bob = await sit_down(visit, "amazons-8x8")
    await prefer(ada, "send", "tap")
    await click(ada, "c1", "c5", "e5", "f5")
    await hand_is(ada, "ready")
    assert (await label(ada, "f5")).endswith("chosen")
    assert (await label(ada, "e5")) == "e5, empty"
    await click(ada, "c5")
    await hand_is(ada, "open")
    await ada.page.keyboard.press("Escape")
    await hand_is(ada, "empty")
    await click(ada, "f1", "f4", "f6", "f6")
    await step_is(bob, 2)


async def test_with_the_button_no_tap_sends(visit):
    ada, bob = await sit_down(visit, "pincer")
    await prefer(ada, "send", "button")
    await click(ada, "a5", "b5", "a7", "a6")
    await hand_is(ada, "ready")
    await click(ada, "a6")
    await hand_is(ada, "open")
    await click(ada, "a6")
    await hand_is(ada, "ready")
    assert await bob.page.get_attribute("#game", "data-step") == "0"
    await ada.page.get_by_role("button", name="Send", exact=True).click()
    await step_is(bob, 2)


async def test_a_plan_is_replaced_by_another_and_dropped_by_escape(visit):
    ada, bob = await sit_down(visit, "pincer")
    await click(bob, "a1", "b1", "a3", "a2")
    await hand_is(bob, "planned")
    await click(bob, "b3")
    await hand_is(bob, "planned")
    assert await label(bob, "b3") == "b3, circle, premove"
    await bob.page.keyboard.press("Escape")
    await hand_is(bob, "empty")
    assert await plans(bob) == []
    await click(ada, "a5", "b5", "a7", "a6")
    await step_is(bob, 2)
    await hand_is(bob, "empty")


async def test_half_a_premove_continues_when_the_turn_begins(visit):
    ada, bob = await sit_down(visit, "amazons-8x8")
    await click(bob, "a6", "a4")
    await click(ada, "c1", "c5", "e5")
    await step_is(bob, 2)
    await hand_is(bob, "open")
    await click(bob, "b4")
    await step_is(ada, 4)


async def test_a_turn_is_dragged_and_its_arrow_is_dragged_from_the_archer(visit):
    ada, bob = await sit_down(visit, "amazons-8x8")
    await drag(ada, "c1", "c5")
    await drag(ada, "c5", "e5")
    await step_is(bob, 2)


async def test_escape_during_a_drag_releases_the_piece(visit):
    ada, _ = await sit_down(visit, "amazons-8x8")
    mouse = ada.page.mouse
    await mouse.move(*await centre(ada, "c1"))
    await mouse.down()
    await mouse.move(*await centre(ada, "c5"), steps=4)
    await ada.page.keyboard.press("Escape")
    await mouse.up()
    await hand_is(ada, "empty")


async def test_turns_are_typed_and_errors_are_said(visit):
    ada, bob = await sit_down(visit, "amazons-8x8")
    field, said = ada.page.locator("#type"), ada.page.locator("#typed-say")
    await field.fill("c1-c9/e5")
    await field.press("Enter")
    await expect(said).to_contain_text("There is no square c9.")
    await field.fill("c1-d5")
    await field.press("Enter")
    await expect(said).to_contain_text("c1 can’t move to d5")
    await field.fill("C1 c5 E5")
    await field.press("Enter")
    await step_is(bob, 2)


async def test_the_keyboard_alone_plays_and_keeps_its_place(visit):
    ada, bob = await sit_down(visit, "amazons-8x8")
    page = ada.page
    await page.focus('.grid [tabindex="0"]')
    focused = "() => document.activeElement.dataset.square"
    assert await page.evaluate(focused) == "a8"
    await page.keyboard.press("Control+End")
    assert await page.evaluate(focused) == "h1"
    await page.keyboard.press("Home")
    for key in ("ArrowRight", "ArrowRight"):
        await page.keyboard.press(key)
    assert await label(ada, "c1") == "c1, white amazon, can move"
    await page.keyboard.press("Enter")
    assert await label(ada, "c5") == "c5, empty, target"
    for _ in range(4):
        await page.keyboard.press("ArrowUp")
    await page.keyboard.press("Space")
    assert await label(ada, "c5") == "c5, white amazon, chosen"
    for _ in range(2):
        await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Enter")
    for person in (ada, bob):
        await step_is(person, 2)
    assert await page.evaluate(focused) == "e5"
    assert await label(ada, "e5") == "e5, burnt"


async def test_the_grid_is_a_grid_to_those_who_hear_it(visit):
    ada, _ = await sit_down(visit, "amazons-8x8")
    tree = await ada.page.locator("#board").aria_snapshot()
    assert "grid" in tree
    assert tree.count("- row") >= 8
    assert 'gridcell "c1, white amazon, can move"' in tree


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
async def test_a_board_at_rest_asks_for_no_frames(visit, motion):
    device = {"motion": motion}
    ada, bob = await sit_down(visit, "amazons-8x8", first=device, second=device)
    await click(ada, "c1", "c5", "e5")
    await step_is(bob, 2)
    await bob.page.wait_for_timeout(1_800)
    asked = await bob.page.evaluate(
        """async () => {
            let asked = 0;
            const real = window.requestAnimationFrame;
            window.requestAnimationFrame = (then) => { asked += 1; return real(then); };
            await new Promise((done) => setTimeout(done, 500));
            window.requestAnimationFrame = real;
            return asked;
        }"""
    )
    assert asked == 0


async def test_orders_are_composed_by_keys_and_the_rest_is_spoken(visit):
    ada, bob = await sit_down(visit, "blotto")
    hill = ada.page.get_by_role("spinbutton", name="Hill")
    await hill.focus()
    await hill.press("5")
    await expect(hill).to_have_attribute("aria-valuetext", "5 troops")
    await expect(ada.page.locator("#rest-said")).to_have_text("5 to place")
    await ada.page.get_by_role("spinbutton", name="Ford").press("ArrowUp")
    await ada.page.get_by_role("spinbutton", name="Wood").press("9")
    await expect(ada.page.locator("#rest-said")).to_contain_text("All placed")
    await ada.page.locator("#seal").press("Enter")
    field = bob.page.locator("#type")
    await field.fill("5 1 5")
    await field.press("Enter")
    await expect(bob.page.locator("#typed-say")).to_contain_text("That’s 11, not 10")
    for _ in range(2):
        await field.fill("3 3 4")
        await field.press("Enter")
    await step_is(ada, 1)
    await expect(ada.page.locator(".troops .verdict").first).to_contain_text("2 points to you")


async def test_coordinates_go_and_come_without_moving_the_board(visit):
    ada, _ = await sit_down(visit, "amazons-8x8")
    board = ada.page.locator("#board canvas")
    cell = ada.page.locator('.grid [data-square="a1"]')
    before, place = await board.screenshot(), await cell.bounding_box()
    await prefer(ada, "coordinates", "off")
    assert await board.screenshot() != before
    assert await cell.bounding_box() == place
    await prefer(ada, "coordinates", "on")
    assert await board.screenshot() == before


async def test_a_plan_is_sent_while_one_looks_back(visit):
    ada, bob = await sit_down(visit, "amazons-8x8")
    await click(ada, "c1", "c5", "e5")
    await step_is(bob, 2)
    await click(bob, "a6", "a4", "b4")
    await step_is(ada, 4)
    await click(bob, "h6", "h4", "g4")
    await hand_is(bob, "planned")
    await bob.page.get_by_role("button", name="First position").click()
    corner = bob.page.locator('.grid [data-square="c1"]')
    await expect(corner).to_have_attribute("aria-label", "c1, white amazon")
    await click(ada, "f1", "f4", "f5")
    await step_is(ada, 8)
    await expect(corner).to_have_attribute("aria-label", "c1, white amazon")
    assert "h6-h4/g4" in await bob.page.inner_text("#moves")


async def slow_plans(person) -> None:
    """Delays every answer with premoves to this page from here on."""

    def between(page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()

        def passed(message: str | bytes) -> None:
            wait = 0.7 if '"t":"plan"' in str(message) else 0
            asyncio.get_running_loop().call_later(wait, page_side.send, message)

        server_side.on_message(passed)

    await person.page.route_web_socket("**/ws/g/**", between)
    await person.page.reload()
    await person.wait_for_game()


async def test_squares_pressed_before_the_premove_options_arrive_are_applied_when_they_arrive(
    visit,
):
    ada, bob = await sit_down(visit, "amazons-8x8")
    await slow_plans(bob)
    await click(bob, "a6", "a4", "b4")
    await hand_is(bob, "planned")
    await bob.page.keyboard.press("Escape")
    await hand_is(bob, "empty")
    await click(ada, "c1", "c5", "e5")
    await step_is(bob, 2)
    await click(bob, "a6", "a4", "b4")
    await step_is(bob, 4)
    await click(ada, "c5", "c4", "c5")
    await step_is(bob, 6)
    await hand_is(bob, "empty")


async def test_a_drag_that_begins_before_the_premove_options_arrive_continues(visit):
    _, bob = await sit_down(visit, "amazons-8x8")
    await slow_plans(bob)
    mouse = bob.page.mouse
    await mouse.move(*await centre(bob, "a6"))
    await mouse.down()
    await mouse.move(*await centre(bob, "a5"), steps=3)
    await bob.page.wait_for_selector("#board .grid [aria-label='a6, black amazon, chosen']")
    await mouse.move(*await centre(bob, "a4"), steps=3)
    await mouse.up()
    await hand_is(bob, "open")
    await drag(bob, "a4", "b4")
    await hand_is(bob, "planned")
