"""Boards under mouse and touch: the square drawn is the square hit."""

import pytest

from tests.browser.visitors.browser_visitors import Visitor
from tests.browser.visitors.pointer_actions import (
    MOUSE,
    Finger,
    chosen,
    click,
    hand_is,
    label,
    prefer,
    sit_down,
    step_is,
    tap,
)

REACH = 22  # CSS pixels from a target's centre
SIZES = [(360, 640), (640, 360), (768, 1024)]
RATIOS = [1, 2, 3]


async def side_of(person: Visitor) -> float:
    """The side of a square on the page."""
    box = await person.page.locator('.grid [data-square="a1"]').bounding_box()
    assert box
    return float(box["width"])


async def test_steps_are_taken_back_until_the_turn_is_sent(visit):
    ada, bob = await sit_down(visit, "pincer", first=MOUSE)
    await click(ada, "a5", "b5")
    assert await ada.page.locator("#undo").is_visible()
    await ada.page.keyboard.press("Escape")
    await click(ada, "g3", "f3")
    await ada.page.click("#undo")
    await click(ada, "a5", "b5", "a7", "a6")
    for person in (ada, bob):
        await step_is(person, 2)
    moves = await ada.page.inner_text("#moves")
    assert "a5-b5" in moves
    assert "a7-a6" in moves


async def test_the_arrow_of_the_free_game_can_be_kept_by_its_button(visit):
    ada, bob = await sit_down(visit, "amazons", first=MOUSE)
    await click(ada, "d1", "d5")
    await ada.page.click('button:has-text("Don’t shoot")')
    for person in (ada, bob):
        await step_is(person, 1)
    assert (await ada.page.inner_text("#moves")).split()[:2] == ["1", "d1-d5"]


async def same_person_on(person: Visitor, ratio: int) -> Visitor:
    """The same person at the same game, on a touch screen of another pixel ratio."""
    context = person.page.context
    assert context.browser
    other = await context.browser.new_context(
        storage_state=await context.storage_state(),
        device_scale_factor=ratio,
        has_touch=True,
        reduced_motion="reduce",
    )
    page = await other.new_page()
    await page.goto(person.page.url)
    return Visitor(person.name, page, person.home, person.errors)


async def step_screen(person: Visitor, width: int, height: int, ratio: int) -> None:
    """Gives the page another size, and waits until the board has its pixels."""
    await person.page.set_viewport_size({"width": width, "height": height})
    await person.page.wait_for_function(
        """([wide, ratio]) => {
            const canvas = document.querySelector("#board canvas");
            const { width } = canvas.getBoundingClientRect();
            return innerWidth === wide && Math.abs(canvas.width - width * ratio) <= 1;
        }""",
        arg=[width, ratio],
    )


@pytest.mark.timeout(300)
async def test_a_tap_takes_the_nearest_target_on_every_screen(visit):
    ada, _ = await sit_down(visit, "amazons-10x10")
    await prefer(ada, "send", "button")
    for ratio in RATIOS:
        finger = await same_person_on(ada, ratio)
        for width, height in SIZES:
            await step_screen(finger, width, height, ratio)
            await every_corner_of_a_square_is_hit(finger)
            await a_near_miss_is_a_hit_and_a_far_one_is_none(finger)
        await finger.page.context.close()


async def every_corner_of_a_square_is_hit(ada: Visitor) -> None:
    """The whole square counts, up to its edges; its neighbours are not taken for it."""
    off = 0.42 * await side_of(ada)
    for dx, dy in ((off, off), (-off, off), (off, -off), (-off, -off)):
        await tap(ada, "d1", dx, dy)
        await tap(ada, "d5", dx, dy)
        await tap(ada, "d7", dx, dy)
        await hand_is(ada, "ready")
        assert await chosen(ada) == ["d1", "d5", "d7"], (dx, dy)
        await ada.page.keyboard.press("Escape")
        await hand_is(ada, "empty")


async def a_near_miss_is_a_hit_and_a_far_one_is_none(ada: Visitor) -> None:
    """Beside the only amazons on the first rows no square is a target."""
    side = await side_of(ada)
    beside = side / 2 + 2  # on the next square, just past the edge
    if beside < REACH:
        await tap(ada, "d1", dx=-beside)
        assert await chosen(ada) == ["d1"]
        await ada.page.keyboard.press("Escape")
    await tap(ada, "d1", dx=-max(REACH + 3, beside))
    assert await chosen(ada) == []


async def test_a_finger_that_is_down_sees_what_it_would_do(visit):
    """The hint of a capture is there while the finger is down, and gone when it has left."""
    phone = {"width": 360, "height": 740, "touch": True, "ratio": 2}
    ada, _ = await sit_down(visit, "amazons-8x8", first=phone)
    finger = await Finger.of(ada)
    await tap(ada, "c1")
    before = await ada.page.locator("#board").screenshot()
    await finger.slide("e4", "c5")
    during = await ada.page.locator("#board").screenshot()
    assert during != before
    await finger.slide("c5", "e6", steps=2)
    await finger.do("Cancel")
    assert await chosen(ada) == ["c1"]
    assert await label(ada, "c5") == "c5, empty, target"
