"""Arrows and circles that people draw for themselves: never sent, never in the draft."""

import json

import pytest
from playwright.async_api import expect

from tests.browser.visitors.browser_visitors import Visitor, begin_game
from tests.browser.visitors.pointer_actions import (
    Finger,
    centre,
    click,
    hand_is,
    prefer,
    sit_down,
    step_is,
)

PHONE = {"width": 390, "height": 844, "touch": True}
HEARTBEAT = {"ping"}


async def drawn(person: Visitor, *annotations: str) -> None:
    """Waits until these annotations are on the board."""
    await expect(person.page.locator("#board")).to_have_attribute(
        "data-annotations", " ".join(annotations)
    )


async def none_drawn(person: Visitor) -> None:
    """Nothing is drawn; nothing was, or it is gone."""
    assert not await person.page.get_attribute("#board", "data-annotations")


async def right_drag(person: Visitor, start: str, end: str) -> None:
    """Draws with the right button of the mouse."""
    mouse = person.page.mouse
    await mouse.move(*await centre(person, start))
    await mouse.down(button="right")
    await mouse.move(*await centre(person, end), steps=5)
    await mouse.up(button="right")


def frames_of(person: Visitor) -> list[str]:
    """The kinds of the messages that his pages send from now on, without heartbeats."""
    kinds: list[str] = []

    def note(text: str) -> None:
        kind = json.loads(text).get("t", "")
        if kind not in HEARTBEAT:
            kinds.append(text)

    person.page.on("websocket", lambda line: line.on("framesent", note))
    return kinds


async def watch(visit, slug: str) -> Visitor:
    cy = await visit("cy")
    cy.sent = frames_of(cy)
    await cy.page.goto(f"{cy.home}g/{slug}/")
    await cy.page.wait_for_load_state("networkidle")
    return cy


def told(frames: list[str]) -> list[str]:
    """Return the frames without those that name a topic which the page follows from now on."""
    return [each for each in frames if json.loads(each)["t"] != "subscribe"]


async def test_a_player_and_a_spectator_draw_and_nothing_is_sent(visit) -> None:
    ada, bob = await visit("ada"), await visit("bob")
    sent = frames_of(ada)
    cy = await watch(visit, await begin_game(ada, bob, "amazons-8x8"))
    await ada.page.wait_for_function("() => document.querySelector('#near .dot.here')")
    assert sent
    assert cy.sent
    before = (told(sent), told(cy.sent))
    for person in (ada, cy):
        await right_drag(person, "b2", "b6")
        await drawn(person, "b2-b6")
        await right_drag(person, "e4", "e4")
        await drawn(person, "b2-b6", "e4")
        await right_drag(person, "b2", "b6")
        await drawn(person, "e4")
    await ada.page.wait_for_timeout(300)
    assert (told(sent), told(cy.sent)) == before
    await none_drawn(bob)
    await hand_is(ada, "empty")


async def test_a_left_click_clears_and_so_does_the_next_move(visit) -> None:
    ada, bob = await sit_down(visit, "amazons-8x8")
    await right_drag(bob, "d4", "d5")
    await drawn(bob, "d4-d5")
    await right_drag(ada, "d4", "d5")
    await drawn(ada, "d4-d5")
    await click(ada, "c1")
    await drawn(ada, "")
    await hand_is(ada, "open")
    await click(ada, "c5", "e5")
    await step_is(bob, 2)
    await drawn(bob, "")


async def test_arrows_can_be_drawn_in_the_past_and_go_with_the_position(visit) -> None:
    ada, bob = await sit_down(visit, "amazons-8x8")
    await click(ada, "c1", "c5", "e5")
    await step_is(bob, 2)
    await bob.page.keyboard.press("Home")
    await expect(bob.page.locator("#place")).to_have_text("0 of 1")
    await right_drag(bob, "c1", "c5")
    await drawn(bob, "c1-c5")
    await bob.page.keyboard.press("End")
    await drawn(bob, "")


async def test_the_right_button_changes_no_draft_and_opens_no_menu(visit) -> None:
    ada, _ = await sit_down(visit, "amazons-8x8")
    await ada.page.evaluate(
        """addEventListener("contextmenu", event => {
            const isOnBoard = event.target.closest("#board") !== null;
            (window.menus ??= []).push([event.defaultPrevented, isOnBoard]);
        })"""
    )
    await click(ada, "c1")
    await hand_is(ada, "open")
    await right_drag(ada, "c5", "c5")  # a target of the piece in the hand
    await drawn(ada, "c5")
    await hand_is(ada, "open")
    await ada.page.locator("#far .name").click(button="right")
    assert await ada.page.evaluate("menus") == [[True, True], [False, False]]
    chosen = ".grid [data-chosen]"
    assert await ada.page.eval_on_selector_all(
        chosen, "all => all.map(cell => cell.dataset.square)"
    ) == ["c1"]


@pytest.mark.parametrize("ground", ["paper", "contrast"])
async def test_an_arrow_has_a_colour_of_its_own_also_in_forced_colours(visit, ground) -> None:
    ada, _ = await sit_down(visit, "amazons-8x8")
    await prefer(ada, "ground", ground)
    await ada.page.emulate_media(forced_colors="active", color_scheme="light")
    await right_drag(ada, "c4", "f4")
    await drawn(ada, "c4-f4")
    colour = {"paper": (116, 38, 181), "contrast": (106, 0, 200)}[ground]
    await ada.page.wait_for_function(
        """([red, green, blue]) => {
            const canvas = document.querySelector("#board canvas");
            const { width, height } = canvas;
            const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
            let near = 0;
            for (let at = 0; at < data.length; at += 4) {
                const far = [data[at] - red, data[at + 1] - green, data[at + 2] - blue];
                near += Math.hypot(...far) < 48 ? 1 : 0;
            }
            return near > 500;
        }""",
        arg=colour,
    )


async def test_a_long_press_on_an_empty_square_draws(visit) -> None:
    ada, bob = await sit_down(visit, "amazons-8x8", second=PHONE)
    finger = await Finger.of(bob)
    await finger.do("Start", await centre(bob, "d4"))
    await expect(bob.page.locator("#board")).to_have_attribute("data-annotating", "d4")
    await finger.do("Move", await centre(bob, "f4"))
    await expect(bob.page.locator("#board")).to_have_attribute("data-annotating", "d4-f4")
    await finger.lift()
    await drawn(bob, "d4-f4")
    await hand_is(bob, "empty")
    await bob.page.touchscreen.tap(*await centre(bob, "d5"))
    await drawn(bob, "")
    await click(ada, "c1", "c5", "e5")  # taps work as before
    await step_is(bob, 2)
    for square in ("a6", "a4", "b4"):
        await bob.page.touchscreen.tap(*await centre(bob, square))
    await step_is(ada, 4)


async def test_a_long_press_on_a_piece_or_on_a_target_is_for_the_game(visit) -> None:
    ada, bob = await sit_down(visit, "amazons-8x8", first=PHONE)
    finger = await Finger.of(ada)
    await finger.do("Start", await centre(ada, "c1"))
    await ada.page.wait_for_timeout(900)
    await finger.do("Move", await centre(ada, "c3"))
    await finger.do("Move", await centre(ada, "c5"))
    await finger.lift()  # dragged there
    await hand_is(ada, "open")
    await finger.do("Start", await centre(ada, "e5"))
    await ada.page.wait_for_timeout(900)
    await none_drawn(ada)
    await finger.lift()
    await step_is(bob, 2)
    await none_drawn(ada)
