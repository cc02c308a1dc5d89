"""Boards under a mouse and under a finger: what is drawn is what is hit."""

from visitors import Visitor


async def sit_down(visit, key, **second):
    """Ada opens a lobby with a mouse in her hand, Bob joins."""
    ada, bob = await visit("ada", motion="no-preference"), await visit("bob", **second)
    await bob.join_from_home(await ada.open_lobby(key))
    await ada.wait_for_game()
    await bob.wait_for_game()
    return ada, bob


async def centre(person: Visitor, square: str) -> tuple[float, float]:
    """Where a square is drawn on the page."""
    box = await person.page.locator(f'.grid button[data-square="{square}"]').bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def click(person: Visitor, *squares: str) -> None:
    for square in squares:
        await person.page.mouse.click(*await centre(person, square))


async def drag(person: Visitor, start: str, end: str) -> None:
    mouse = person.page.mouse
    await mouse.move(*await centre(person, start))
    await mouse.down()
    await mouse.move(*await centre(person, end), steps=6)
    await mouse.up()


async def turn_is(person: Visitor, number: int) -> None:
    await person.page.wait_for_selector(f"#game[data-turn='{number}']", timeout=5_000)


async def test_clicks_and_drags_of_a_mouse_and_taps_of_a_finger(visit):
    phone = {"width": 390, "height": 780, "touch": True}
    ada, bob = await sit_down(visit, "amazons-8x8", **phone)
    await click(ada, "c1", "c5", "e5")
    await turn_is(bob, 2)
    for square in ("a6", "a4", "b4"):
        await bob.page.touchscreen.tap(*await centre(bob, square))
    await turn_is(ada, 4)
    await drag(ada, "f1", "f4")
    await click(ada, "f5")
    await turn_is(bob, 6)


async def test_steps_are_taken_back_until_the_go_is_sent(visit):
    ada, bob = await sit_down(visit, "pincer")
    await click(ada, "a5", "b5")
    assert await ada.page.locator("#undo").is_visible()
    await ada.page.keyboard.press("Escape")
    await click(ada, "g3", "f3")
    await ada.page.click("#undo")
    await click(ada, "a5", "b5", "a7", "a6")
    await turn_is(bob, 2)
    moves = await ada.page.inner_text("#moves")
    assert "a5-b5" in moves
    assert "a7-a6" in moves


async def test_the_arrow_of_the_free_game_can_be_kept_by_its_button(visit):
    ada, bob = await sit_down(visit, "amazons")
    await click(ada, "d1", "d5")
    await ada.page.click('button:has-text("Keep the arrow")')
    await turn_is(bob, 1)
    assert (await ada.page.inner_text("#moves")).split()[:2] == ["1", "d1-d5"]
