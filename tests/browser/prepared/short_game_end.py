"""A short game of Pincer that is played to its end before a spectator."""

from playwright.async_api import Page, expect

from tests.browser.prepared.short_games import PINCER, squares
from tests.browser.visitors.browser_visitors import Visitor, begin_game

TIMEOUT_MS = 15_000  # ms
PRESS_SQUARE = (
    """square => document.querySelector(`.grid button[data-square="${square}"]`).click()"""
)
LINK = "#share-sheet .share-link input"
# The code is shown, and its picture has been loaded and has a size.
CODE_IS_LOADED = """() => {
    const image = document.querySelector(".share-code img");
    return image !== null && image.complete && image.naturalWidth > 0;
}"""


async def play_to_the_end(ada: Visitor, bob: Visitor) -> None:
    """Plays the short game of Pincer, which Ada wins."""
    for number, turn in enumerate(PINCER):
        who, other = ((ada, bob), (bob, ada))[number % 2]
        if number == len(PINCER) - 1:
            await bob.page.focus("#slider")  # a part of the panel
        for square in squares(turn):
            await who.page.evaluate(PRESS_SQUARE, square)
        await other.page.wait_for_selector("#game:not([data-turn=waits])", timeout=TIMEOUT_MS)


async def sit_down(visit, **options) -> tuple[Visitor, Visitor, Visitor]:
    """Two who play, and one who watches."""
    ada, bob, eve = await visit("ada", **options), await visit("bob"), await visit("eve")
    slug = await begin_game(ada, bob, "pincer")
    await eve.page.goto(f"{eve.home}g/{slug}/")
    await eve.page.wait_for_selector("#game")
    return ada, bob, eve


async def allow_clipboard(person: Visitor) -> None:
    await person.page.context.grant_permissions(["clipboard-read", "clipboard-write"])


async def read_clipboard(page: Page) -> str:
    return str(await page.evaluate("navigator.clipboard.readText()"))


async def end_and_watch(visit) -> tuple[Visitor, Visitor, Visitor]:
    """Ada and Bob have played a short game to its end; Eve watches."""
    ada, bob, eve = await visit("ada"), await visit("bob"), await visit("eve")
    slug = await begin_game(ada, bob, "pincer")
    await eve.page.goto(f"{eve.home}g/{slug}/")
    await eve.page.wait_for_selector("#game")
    await play_to_the_end(ada, bob)
    await expect(ada.page.locator("#result")).to_be_visible(timeout=TIMEOUT_MS)
    return ada, bob, eve
