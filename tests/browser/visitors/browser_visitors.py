"""People in a browser who find games by the pages and act by the hidden grid's buttons."""

import asyncio
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Page, expect

TIMEOUT_MS = 30_000  # ms
TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
# Presses the buttons of squares that can be chosen, as a keyboard does, until none can be. An arrow
# is kept only where nothing else is left: games in which many are kept go on for 400 turns.
PRESS_TARGETS = """chances => {
    const keeps = button => button.getAttribute("aria-label").includes("keeps the arrow");
    const targets = () => {
        const all = [...document.querySelectorAll(".grid button[data-target]")];
        const shots = all.filter(button => !keeps(button));
        return shots.length > 0 ? shots : all;
    };
    let pressed = 0;
    for (let now = targets(); now.length > 0 && pressed < chances.length; now = targets()) {
        now[Math.floor(chances[pressed] * now.length)].click();
        pressed += 1;
    }
    return pressed;
}"""


@dataclass(frozen=True)
class Site:
    """The ports of the site and of a proxy that can be cut, and the site's database."""

    port: int
    line_port: int
    database: Path


@dataclass
class Visitor:
    """One person with a browser of his own, and the errors that his pages made."""

    name: str
    page: Page
    home: str
    errors: list[str]

    async def is_drawn(self) -> None:
        """Waits until two more frames of the page have been drawn."""
        await self.page.evaluate(TWO_FRAMES)

    async def go_home(self) -> None:
        """Opens the front page."""
        await self.page.goto(self.home)

    async def open_lobby(self, key: str) -> str:
        """Opens a lobby by the form; returns its code."""
        await self.page.goto(f"{self.home}new/?game={key}")
        await self.page.click('label:has-text("No clock")')
        await self.page.click('button:has-text("Create game")')
        await self.page.wait_for_url("**/l/*/")
        return self.page.url.rstrip("/").rsplit("/", 1)[1]

    async def play_computer(self, level: int, key: str) -> None:
        """Starts a game against the computer from the front page, with two clicks or three."""
        await self.go_home()
        await self.page.click('.ways a[href="/computer/"]')
        choice = self.page.locator(f'nav a[href="/computer/?game={key}"]')
        if await choice.get_attribute("aria-current") is None:
            await choice.click()
            await self.page.wait_for_url(f"**/computer/?game={key}")
        await self.page.click(f'button[name=level][value="{level}"]')
        await self.wait_for_game()

    async def search(self, key: str) -> None:
        """Searches for an opponent in one game; it may begin at once."""
        await self.page.goto(f"{self.home}play/online/?game={key}")
        await self.page.click("#find")
        await self.page.wait_for_selector("#looking:visible, #game", timeout=TIMEOUT_MS)

    async def join_from_home(self, code: str) -> None:
        """Finds an open lobby on the front page, and sits down."""
        await self.go_home()
        await self.page.click(f'li[data-key="{code}"] button:has-text("Join")', timeout=TIMEOUT_MS)

    async def watch_from_home(self, slug: str) -> None:
        """Finds a game on the front page, and watches."""
        await self.go_home()
        await self.page.click(f'a[href*="/g/{slug}/"]', timeout=TIMEOUT_MS)
        await self.page.wait_for_url("**/g/*/")

    async def wait_for_game(self) -> str:
        """Waits until the lobby has taken him to the game; returns its slug."""
        await self.page.wait_for_url("**/g/*/", timeout=TIMEOUT_MS)
        await self.page.wait_for_selector("#game")
        return self.page.url.rstrip("/").rsplit("/", 1)[1]

    async def is_over(self) -> bool:
        """Whether his page says that the game is over."""
        return bool(await self.page.get_attribute("#game", "data-status") == "over")

    async def may_act(self) -> bool:
        """Whether his page asks him for a turn."""
        return bool(await self.page.get_attribute("#game", "data-turn") == "yours")

    async def read_board(self) -> list[str]:
        """The accessible names of the squares, without the actions of the visitor."""
        names = await self.page.eval_on_selector_all(
            ".grid button",
            "all => all.map(b => [b.dataset.square, b.getAttribute('aria-label')])",
        )
        return sorted(f"{square}: {label.split(',')[:2]}" for square, label in names)

    async def play_turn(self, rng: random.Random) -> None:
        """Plays one turn on a board: presses targets at random until the turn has been sent."""
        step = await self.page.get_attribute("#game", "data-step")
        assert await self.page.evaluate(PRESS_TARGETS, [rng.random() for _ in range(8)])
        await self.page.wait_for_function(
            "step => document.querySelector('#game').dataset.step !== step",
            arg=step,
            timeout=TIMEOUT_MS,
        )

    async def seal(self, split: tuple[int, int, int]) -> None:
        """Places troops with the steppers, and seals; a press on a board that is veiled just then,
        because its line is slow, does nothing and is made again."""
        for field, count in enumerate(split):
            number = self.page.locator(f'.troops-count[data-field="{field}"]')
            for wanted in range(1, count + 1):
                while await number.inner_text() != str(wanted):
                    await self.page.click(f'button[data-field="{field}"][data-do="plus"]')
        seal = self.page.locator("#seal")
        await seal.click()
        while await seal.is_visible() and await seal.is_enabled():
            await seal.click()

    async def offer_draw(self) -> None:
        """Presses the button, and says that it is meant."""
        await self.page.click("#draw")
        await self.page.click("[data-command=offer]")

    async def says(self, words: str) -> None:
        """Waits until the sentence of the page has these words."""
        await expect(self.page.locator("#sentence")).to_contain_text(words, timeout=TIMEOUT_MS)

    async def facts(self) -> dict[str, Any]:
        """The rev, the step and the status of the game on his page."""
        data: dict[str, Any] = await self.page.eval_on_selector("#game", "g => ({...g.dataset})")
        return {key: data.get(key) for key in ("rev", "step", "status")}


async def post(person: Visitor, page: str, address: str, **form: str) -> str:
    """Sends a form of a page as its buttons do; returns the address of the answer."""
    request = person.page.context.request
    text = await (await request.get(f"{person.home}{page}")).text()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', text)
    assert token, f"{page} has no form"
    body: dict[str, Any] = {"csrfmiddlewaretoken": token.group(1), **form}
    answer = await request.post(f"{person.home}{address}", form=body)
    assert answer.ok, (address, answer.status)
    return answer.url


async def lobby_of(
    person: Visitor, key: str, clock: str = "none", visibility: str = "public"
) -> str:
    """Opens a lobby; returns its path."""
    options = {"game": key, "side": "white", "visibility": visibility, "clock": clock}
    url = await post(person, f"new/?game={key}", "lobbies/", **options)
    return url.removeprefix(person.home)


async def game_of(ada: Visitor, bob: Visitor, key: str, clock: str = "none") -> str:
    """Starts a game between the two; returns its path."""
    # Players of a public game with a clock would be led back into a search after a missed turn.
    lobby = await lobby_of(ada, key, clock, "public" if clock == "none" else "link")
    url = await post(bob, lobby, f"{lobby}sit/")
    if "/g/" not in url:
        for person in (ada, bob):
            url = await post(person, lobby, f"{lobby}ready/")
    return "/".join(url.split("/")[3:])


async def begin_game(ada: Visitor, bob: Visitor, key: str, clock: str = "none") -> str:
    """Brings both to a new game, in which Ada plays white; returns its slug.

    The lobby is opened and filled by requests, without its pages: tests of those pages and
    tests/browser/game/test_stories.py go the way by the front page.
    """
    game = await game_of(ada, bob, key, clock)
    await asyncio.gather(*(each.page.goto(f"{each.home}{game}") for each in (ada, bob)))
    await asyncio.gather(ada.wait_for_game(), bob.wait_for_game())
    return game.strip("/").rsplit("/", 1)[1]
