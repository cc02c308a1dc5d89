"""Pointer input on boards: positions of squares, clicks, drags and taps."""

from playwright.async_api import expect

from tests.browser.visitors.browser_visitors import Visitor, begin_game

TIMEOUT_MS = 5_000  # ms
PLAN_KEYS = "() => Object.keys(sessionStorage).filter(key => key.startsWith('quiver-plan'))"
MOUSE = {"motion": "no-preference"}


async def sit_down(visit, key, *, first=None, second=None):
    """Ada and Bob at a new game; each with a device of their own."""
    ada, bob = await visit("ada", **(first or {})), await visit("bob", **(second or {}))
    await begin_game(ada, bob, key)
    return ada, bob


async def prefer(person: Visitor, name: str, value: str) -> None:
    """Chooses a setting in the sheet beside the board, and closes it."""
    page = person.page
    await page.evaluate("document.getElementById('open-setup').click()")
    await page.wait_for_selector("#setup[open]", state="attached")
    await page.evaluate("id => document.getElementById(id).click()", f"{name}-{value}")
    await page.evaluate("document.getElementById('close-setup').click()")


async def centre(person: Visitor, square: str) -> tuple[float, float]:
    """The centre of a square on the page, in pixels."""
    box = await person.page.locator(f'.grid [data-square="{square}"]').bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def click(person: Visitor, *squares: str) -> None:
    """Clicks squares with the mouse, one after the other."""
    for square in squares:
        await person.page.mouse.click(*await centre(person, square))


async def drag(person: Visitor, start: str, end: str) -> None:
    """Drags with the mouse from one square to another."""
    mouse = person.page.mouse
    await mouse.move(*await centre(person, start))
    await mouse.down()
    await mouse.move(*await centre(person, end), steps=6)
    await mouse.up()


async def step_is(person: Visitor, number: int) -> None:
    """Waits until the page shows the game after so many steps."""
    await person.page.wait_for_selector(f"#game[data-step='{number}']", timeout=TIMEOUT_MS)


async def label(person: Visitor, square: str) -> str:
    """The accessible name of a square."""
    found = await person.page.get_attribute(f'.grid [data-square="{square}"]', "aria-label")
    assert found
    return found


async def hand_is(person: Visitor, state: str) -> None:
    """Waits until the hand of the board is empty, open, ready, planned or sent."""
    await person.page.wait_for_selector(f"#board[data-hand='{state}']", timeout=TIMEOUT_MS)


class Finger:
    """A finger that stays down, moves, and is lifted, by events of a touch screen."""

    def __init__(self, person: Visitor, session) -> None:
        self.person, self.session = person, session

    @classmethod
    async def of(cls, person: Visitor) -> "Finger":
        return cls(person, await person.page.context.new_cdp_session(person.page))

    async def do(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        await self.session.send(
            "Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": touches}
        )

    async def slide(self, start: str, end: str, steps: int = 8) -> None:
        """Goes down on one square and moves to another; stays down."""
        (x0, y0), (x1, y1) = await centre(self.person, start), await centre(self.person, end)
        await self.do("Start", (x0, y0))
        for step in range(1, steps + 1):
            share = step / steps
            await self.do("Move", (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share))

    async def lift(self) -> None:
        await self.do("End")


async def plans(person) -> list[str]:
    return await person.page.evaluate(PLAN_KEYS)


async def tap(person: Visitor, square: str, dx: float = 0, dy: float = 0) -> None:
    """Taps with a finger, so far from the centre of a square."""
    x, y = await centre(person, square)
    await person.page.touchscreen.tap(x + dx, y + dy)


async def chosen(person: Visitor) -> list[str]:
    """The squares that are in the hand."""
    found: list[str] = await person.page.eval_on_selector_all(
        ".grid [data-chosen]", "all => all.map(cell => cell.dataset.square)"
    )
    return sorted(found)


async def hint_is(person, sentence):
    await expect(person.page.locator("#hint")).to_have_text(sentence)
