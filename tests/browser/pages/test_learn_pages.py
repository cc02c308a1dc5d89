"""Learn pages in a browser: a position by keyboard, and a sealed round."""

from playwright.async_api import expect

from tests.browser.visitors.course_steps import open_course, verdict


async def walk(page, square):
    """Goes to a square with the arrow keys, and chooses it with Enter."""
    for _ in range(40):
        here = await page.evaluate("document.activeElement.dataset.square")
        if here == square:
            await page.keyboard.press("Enter")
            return
        across = ord(square[0]) - ord(here[0])
        up = int(square[1:]) - int(here[1:])
        key = ("ArrowRight" if across > 0 else "ArrowLeft") if across else ""
        await page.keyboard.press(key or ("ArrowUp" if up > 0 else "ArrowDown"))
    raise AssertionError(f"{square} was not reached")


async def focus_board(page):
    """Tabs to the board."""
    for _ in range(60):
        await page.keyboard.press("Tab")
        if await page.evaluate("'square' in document.activeElement.dataset"):
            return
    raise AssertionError("Tab does not lead to the board")


async def test_a_position_is_missed_then_solved_by_keyboard_alone(visit):
    ada = await open_course(visit, "amazons-8x8")
    page = ada.page
    await focus_board(page)
    for square in ("b2", "b4", "b6"):
        await walk(page, square)
    words = await verdict(page, "missed")
    assert "Legal, but not the task" in words
    assert "White: b2 to b4, burned b6." in words
    await page.keyboard.press("Tab")
    await page.click("#lesson-show")
    await expect(page.locator("#verdict")).to_contain_text("One solution: b2-b6/e6")
    await page.focus("#lesson-again")
    await page.keyboard.press("Enter")
    await expect(page.locator("#verdict")).to_be_empty()
    await page.focus(".grid button[tabindex='0']")
    for square in ("b2", "b6", "e6"):
        await walk(page, square)
    assert "Solved" in await verdict(page, "solved")
    await page.focus("#lesson-next")
    await page.keyboard.press("Enter")
    assert page.url.endswith("#back")
    await expect(page.locator("#lesson-title")).to_have_text("Over the square just left")
    assert await page.evaluate("document.activeElement.id") == "lesson-title"


async def test_a_round_is_sealed_and_the_other_orders_are_revealed(visit):
    ada = await open_course(visit, "blotto", width=390, height=780, touch=True)
    page = ada.page
    for field, count in enumerate((0, 5, 5)):
        for _ in range(count):
            await page.tap(f'button[data-field="{field}"][data-do="plus"]')
    await page.tap("#seal")
    words = await verdict(page, "solved")
    assert "Hill: You 0, Fletcher 4" in words
    await page.tap("#lesson-again")
    assert await page.get_attribute("#troops", "data-mode") == "compose"
    await expect(page.locator("#in-hand")).to_have_text("10")
