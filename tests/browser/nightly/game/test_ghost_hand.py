"""The ghost hand of newcomers: its audience, its target, and its end."""

import pytest
from playwright.async_api import expect

from tests.browser.visitors.pointer_actions import click, sit_down, step_is

MOVING = {"motion": "no-preference"}
# The square or button under the fingertip of the hand.
POINTED_AT = """hand => {
    hand.getAnimations().forEach(animation => animation.cancel());
    const { left, top, width, height } = hand.getBoundingClientRect();
    const [x, y] = [left + width * 10.5 / 24, top + height * 3.5 / 24];
    const holds = box => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    return [...document.querySelectorAll(".grid button, [data-do]")]
        .filter(each => holds(each.getBoundingClientRect()))
        .map(each => each.dataset.square ?? each.dataset.do);
}"""


def hand(person):
    return person.page.locator(".ghost-hand")


@pytest.mark.parametrize(
    ("key", "choices"),
    [
        ("amazons-10x10", {"a4", "d1", "g1", "j4"}),
        ("pincer", {"a7", "a5", "g3", "g1"}),
        ("blotto", {"plus"}),
    ],
)
async def test_the_hand_points_at_a_first_choice_that_is_offered(visit, key, choices):
    ada, _ = await sit_down(visit, key, first=MOVING)
    await expect(hand(ada)).to_have_count(1, timeout=25_000)
    assert await hand(ada).get_attribute("data-kind") == "hand"
    pointed = await hand(ada).evaluate(POINTED_AT)
    assert len(pointed) == 1 and set(pointed) <= choices


async def test_who_waits_sees_no_hand_until_it_is_his_turn(visit):
    ada, bob = await sit_down(visit, "pincer", second=MOVING)
    await expect(hand(ada)).to_have_count(1, timeout=25_000)
    await expect(hand(bob)).to_have_count(0)
    await click(ada, "a7", "b7", "a5", "b5")
    await expect(hand(ada)).to_have_count(0)
    await expect(hand(bob)).to_have_count(1, timeout=25_000)


@pytest.mark.parametrize("by", ["pointer", "key"])
async def test_the_hand_goes_with_the_first_press_and_stays_away_in_this_turn(visit, by):
    ada, bob = await sit_down(visit, "pincer", first=MOVING)
    await expect(hand(ada)).to_have_count(1, timeout=25_000)
    if by == "pointer":
        await click(ada, "a7")
    else:
        await ada.page.keyboard.press("Tab")
    await expect(hand(ada)).to_have_count(0)
    if by == "pointer":
        await click(ada, "a7")  # puts the piece down
        await ada.page.wait_for_selector("#board[data-hand='empty']")
        await expect(hand(ada)).to_have_count(0)
    await click(ada, "a7", "b7", "a5", "b5")
    await click(bob, "g7", "f7", "g5", "f5")
    await step_is(ada, 4)
    await expect(hand(ada)).to_have_count(1, timeout=25_000)  # the next turn is a first one too


async def test_with_reduced_motion_a_ring_stands_still(visit):
    ada, _ = await sit_down(visit, "amazons-8x8")
    await expect(hand(ada)).to_have_attribute("data-kind", "ring", timeout=25_000)
    assert await hand(ada).evaluate("ring => ring.getAnimations().length") == 0
    box = await hand(ada).bounding_box()
    squares = ada.page.locator(".grid button[data-target]")
    boxes = [await each.bounding_box() for each in await squares.all()]
    assert any(all(abs(box[side] - other[side]) < 1 for side in box) for other in boxes)


async def test_spectators_and_those_who_have_played_three_games_see_no_hand(visit):
    ada, _ = await sit_down(visit, "pincer")
    eve = await visit("eve", **MOVING)
    await eve.page.goto(ada.page.url)
    await eve.page.wait_for_selector("#game[data-turn]")
    await ada.page.evaluate("""localStorage.setItem("quiver-first-games", '["a", "b", "c"]')""")
    await ada.page.reload()
    await ada.page.wait_for_selector("#game[data-turn='yours']")
    part = """() => performance.getEntriesByType("resource")
        .some(each => /ghost-hand/.test(each.name))"""
    await ada.page.wait_for_function(part)
    for person in (ada, eve):
        await person.page.wait_for_timeout(300)
        await expect(hand(person)).to_have_count(0)
    assert not await eve.page.evaluate(part)  # it is not even fetched


async def test_the_hand_is_hidden_from_the_screen_reader_and_takes_no_press(visit):
    ada, _ = await sit_down(visit, "pincer", first=MOVING)
    await expect(hand(ada)).to_have_attribute("aria-hidden", "true", timeout=25_000)
    assert await hand(ada).evaluate("each => getComputedStyle(each).pointerEvents") == "none"
