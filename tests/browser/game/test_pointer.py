"""Boards under mouse and touch: clicks, taps and drags."""

from playwright.async_api import expect

from tests.browser.prepared.sent_turns import begin_alone
from tests.browser.visitors.pointer_actions import (
    MOUSE,
    Finger,
    chosen,
    click,
    drag,
    sit_down,
    step_is,
    tap,
)


async def test_clicks_and_drags_of_a_mouse_and_taps_of_a_finger(visit):
    phone = {"width": 390, "height": 780, "touch": True}
    ada, bob = await sit_down(visit, "amazons-8x8", first=MOUSE, second=phone)
    await click(ada, "c1", "c5", "e5")
    await step_is(bob, 2)
    for square in ("a6", "a4", "b4"):
        await tap(bob, square)
    await step_is(ada, 4)
    await drag(ada, "f1", "f4")
    await click(ada, "f5")
    await step_is(bob, 6)


async def test_a_finger_drags_a_piece_and_the_page_stays_where_it_is(visit):
    phone = {"width": 360, "height": 640, "touch": True, "ratio": 2}
    ada = await visit("ada", **phone)
    await begin_alone(ada, await visit("bob"), "amazons-8x8")
    finger = await Finger.of(ada)
    await finger.slide("c1", "c5")
    await finger.lift()
    assert await chosen(ada) == ["c1", "c5"]
    await finger.slide("c5", "e5")
    await finger.lift()
    await step_is(ada, 2)
    where = "[scrollX, scrollY, visualViewport.scale, visualViewport.offsetTop]"
    assert await ada.page.evaluate(where) == [0, 0, 1, 0]


async def test_a_block_is_dragged_from_the_tray_by_a_finger(visit):
    phone = {"width": 360, "height": 740, "touch": True, "ratio": 2}
    ada = await visit("ada", **phone)
    await begin_alone(ada, await visit("bob"), "blotto")
    finger = await Finger.of(ada)
    place = await ada.page.locator("#places").bounding_box()
    ground = await ada.page.locator(".plot .ground").nth(1).bounding_box()
    start = (place["x"] + place["width"] / 20, place["y"] + place["height"] / 2)
    end = (ground["x"] + ground["width"] / 2, ground["y"] + ground["height"] - 12)
    await finger.do("Start", start)
    await finger.do("Move", ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
    await finger.do("Move", end)
    await finger.lift()
    await expect(ada.page.get_by_role("spinbutton", name="Ford")).to_have_text("1")
    assert await ada.page.evaluate("scrollY") == 0
