"""Keyboard users: Tab, arrows and Enter, with checks that focus is never lost."""

import re
from dataclasses import dataclass

from playwright.async_api import expect

from tests.browser.prepared.short_games import squares
from tests.browser.visitors.browser_visitors import Visitor, begin_game

TIMEOUT_MS = 40_000  # ms
MAX_TAB_PRESSES = 140
# Notes what had the focus whenever it falls to nothing; a page begins with nothing.
WATCH_FOCUS = """
    window.lost = [];
    window.looks = 0;
    let held = null;
    setInterval(() => {
        window.looks += 1;
        const now = document.activeElement;
        if (now !== null && now !== document.body) held = now;
        else if (held !== null) {
            window.lost.push(held.outerHTML.slice(0, 160));
            held = null;
        }
    }, 30);
"""
# Whether the element that has the focus is the wanted one; else which way it lies.
WAY_TO = """selector => {
    const now = document.activeElement;
    if (now.matches(selector)) return "here";
    const seen = { visibilityProperty: true };
    const all = [...document.querySelectorAll(selector)];
    const wanted = all.find(each => each.checkVisibility(seen));
    if (!wanted) return "nowhere";
    const before = now.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_PRECEDING;
    return before && now !== document.body ? "Shift+Tab" : "Tab";
}"""
FOCUSED = "() => document.activeElement.outerHTML.slice(0, 200)"
SQUARE = "() => document.activeElement.dataset.square"
IS_FLIPPED = "() => !document.querySelector('.grid button').dataset.square.startsWith('a')"
# Clicks of the second person where a test looks only at the first one's keyboard.
CHOOSE = """squares => {
    for (const square of squares) document.querySelector(`.grid [data-square="${square}"]`).click();
}"""


@dataclass
class Typist(Visitor):
    """Somebody who has a keyboard and nothing else."""

    async def press(self, *keys: str) -> None:
        """Presses keys, one after the other."""
        for key in keys:
            await self.page.keyboard.press(key)

    async def tab_to(self, selector: str) -> None:
        """Goes with Tab (or back) to the element that is wanted; it has to be on that way."""
        await self.page.locator(selector).filter(visible=True).first.wait_for(timeout=TIMEOUT_MS)
        for _ in range(MAX_TAB_PRESSES):
            way = await self.page.evaluate(WAY_TO, selector)
            if way == "here":
                return
            assert way != "nowhere", f"{selector} is not on the page"
            await self.press(way)
        raise AssertionError(f"{selector} is not reached: {await self.page.evaluate(FOCUSED)}")

    async def enter(self, selector: str) -> None:
        """Goes to a button or link, and presses Enter."""
        await self.tab_to(selector)
        await self.press("Enter")

    async def enter_when_it_may(self, selector: str) -> None:
        """Goes to a button, waits until it may be pressed, and presses Enter."""
        await self.tab_to(selector)
        focus = self.page.locator("*:focus:not([aria-disabled=true]):not(:disabled)")
        await focus.wait_for(timeout=TIMEOUT_MS)
        await self.press("Enter")

    async def pick(self, name: str, value: str) -> None:
        """Goes to a group of radio buttons and takes one of them with the arrows."""
        await self.tab_to(f'input[name="{name}"]')
        wanted = f'input[name="{name}"][value="{value}"]'
        for _ in range(20):
            if await self.page.evaluate(WAY_TO, wanted) == "here":
                return
            await self.press("ArrowRight")
        raise AssertionError(f"{wanted} is not reached")

    async def wait_for_game(self) -> str:
        """Waits until the game's page is there and listens; returns its slug."""
        await self.page.wait_for_url("**/g/*/", timeout=TIMEOUT_MS, wait_until="commit")
        await self.page.wait_for_selector("#game[data-rev]", timeout=TIMEOUT_MS)
        return self.page.url.rstrip("/").rsplit("/", 1)[1]

    async def open_lobby_by_keys(self, key: str) -> str:
        """Opens a lobby from the front page; returns its code."""
        await self.go_home()
        await self.enter('section[aria-labelledby="lobbies-head"] .section-head a')
        await self.page.wait_for_url("**/new/", timeout=TIMEOUT_MS)
        await self.enter(f'a[href="/new/?game={key}"]')
        await self.page.wait_for_url("**/new/?game=*", timeout=TIMEOUT_MS)
        await self.pick("clock", "none")
        await self.enter(".options button.primary")
        await self.page.wait_for_url("**/l/*/", timeout=TIMEOUT_MS)
        return self.page.url.rstrip("/").rsplit("/", 1)[1]

    async def join_by_keys(self, code: str) -> None:
        """Finds an open lobby on the front page, and sits down."""
        await self.go_home()
        await self.enter(f'li[data-key="{code}"] button')

    async def search_by_keys(self, key: str) -> None:
        """Searches for an opponent in one game."""
        await self.page.goto(f"{self.home}play/online/?game={key}")
        await self.enter("#find")
        await self.page.wait_for_selector("#looking:visible, #game", timeout=TIMEOUT_MS)

    async def to_board(self) -> None:
        """Goes from the top of the page by the skip link into the grid."""
        await self.enter("a.skip[href='#board']")
        await self.tab_to(".grid button")

    async def go_to(self, square: str) -> None:
        """Goes with the arrows from the square that has the focus to another."""
        here = await self.page.evaluate(SQUARE)
        turned = -1 if await self.page.evaluate(IS_FLIPPED) else 1
        across = turned * (ord(square[0]) - ord(here[0]))
        up = turned * (int(square[1:]) - int(here[1:]))
        await self.press(*["ArrowRight" if across > 0 else "ArrowLeft"] * abs(across))
        await self.press(*["ArrowUp" if up > 0 else "ArrowDown"] * abs(up))
        assert await self.page.evaluate(SQUARE) == square

    async def choose(self, *squares: str, key: str = "Enter") -> None:
        """Chooses squares in the grid, one after the other."""
        for square in squares:
            await self.go_to(square)
            await self.press(key)

    async def type_turn(self, text: str) -> None:
        """Types a turn, from wherever the focus is."""
        await self.press("/")
        await self.page.keyboard.type(text)
        await self.press("Enter")

    async def answer(self, turn: str) -> None:
        """Plays a turn at once, on the buttons of the grid: for the one who is not looked at."""
        await self.is_up()
        await self.page.evaluate(CHOOSE, squares(turn))

    async def is_up(self) -> None:
        """Waits until a turn is asked for."""
        await self.page.wait_for_selector("#game[data-turn=yours]", timeout=TIMEOUT_MS)

    async def step_is(self, number: int) -> None:
        """Waits until the page shows the game after so many steps."""
        await self.page.wait_for_selector(f"#game[data-step='{number}']", timeout=TIMEOUT_MS)

    async def wins(self) -> None:
        """Waits until the page says that this person has won."""
        await self.page.wait_for_selector("#game[data-status=over]", timeout=TIMEOUT_MS)
        await expect(self.page.locator("#sentence")).to_contain_text("win", timeout=TIMEOUT_MS)

    async def keeps_place(self) -> None:
        """Fails if the focus has ever fallen to nothing since the page was opened."""
        looks = await self.page.evaluate("window.looks")
        await self.page.wait_for_function("looks => window.looks > looks + 1", arg=looks)
        lost = await self.page.evaluate("window.lost")
        assert lost == [], f"{self.name} lost the focus of {lost}"


async def sit_down(typist, key: str, **first) -> tuple[Typist, Typist]:
    """Two who use the keyboard, at a new game."""
    ada, bob = await typist("ada", **first), await typist("bob")
    await begin_game(ada, bob, key)
    return ada, bob


async def heard(person: Typist, words: str | re.Pattern) -> None:
    """Waits until the newest line that was spoken has these words."""
    await expect(person.page.locator("#speech p").last).to_contain_text(words, timeout=TIMEOUT_MS)
