"""Lobby pages, changes by others, and one's turn on every page."""

from playwright.async_api import expect

from tests.browser.prepared.sent_turns import send_actions
from tests.browser.visitors.browser_visitors import game_of
from tests.browser.visitors.site_pages import FIRST

TIMEOUT_MS = 10_000  # ms
# A page that nobody looks at, and every notification that it makes itself.
HIDDEN = """
    window.told = [];
    window.Notification = class {
        static permission = "granted";
        constructor(title) { window.told.push(title); }
    };
    Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
    Object.defineProperty(document, "hidden", { get: () => true });
"""
# Those that were made by the end of all timers that are due.
TOLD = "() => new Promise(done => setTimeout(() => done(window.told)))"


WATCHED = (("watch/", "Watch · Quiver"), ("terms/", "Terms · Quiver"))


async def test_the_host_changes_the_game_at_once_and_the_other_is_told(visit):
    ada, bob = await visit("ada"), await visit("bob", width=360, height=640)
    code = await ada.open_lobby("pincer")
    await ada.page.click("text=I’m not ready")
    await bob.page.goto(f"{bob.home}l/{code}/")
    await bob.page.click(".seat button:has-text('Join')")
    await expect(bob.page.locator("[data-seat='1']")).to_contain_text("ready", timeout=TIMEOUT_MS)
    await ada.page.evaluate("window.stays = true")
    await ada.page.click("[data-option=game] button:has-text('Blotto')")
    await expect(ada.page.locator("[data-option=clock]")).to_contain_text(
        "30 s", timeout=TIMEOUT_MS
    )
    chosen = ada.page.locator("[data-option=game] [aria-pressed=true]")
    await expect(chosen).to_have_text("Blotto")
    await expect(chosen).to_be_focused()
    assert await ada.page.evaluate("window.stays")
    told = bob.page.locator("#notice")
    await expect(told).to_contain_text("Game: Colonel Blotto (was: Pincer).", timeout=TIMEOUT_MS)
    await expect(bob.page.locator("[data-seat='1']")).to_contain_text("not ready")
    await bob.page.click("#start")
    await expect(told).to_be_hidden()
    await ada.page.click("button:visible:has-text('Remove')")
    await expect(told).to_contain_text("removed you", timeout=TIMEOUT_MS)
    await expect(bob.page.locator(".seat button:has-text('Join')")).to_be_hidden()


async def test_ones_turn_is_told_in_header_and_title_of_every_page_without_notifications(visit):
    ada, bob = await visit("ada"), await visit("bob")
    game = await game_of(ada, bob, "amazons")
    context = bob.page.context
    await context.add_init_script(HIDDEN)
    pages = [await context.new_page() for _ in range(2)]
    for page, (path, title) in zip(pages, WATCHED, strict=True):
        await page.goto(f"{bob.home}{path}")
        assert await page.title() == title
        await expect(page.locator("#turn")).to_be_hidden()
    await send_actions(ada, game, 0, FIRST["amazons"])
    for page in pages:
        await expect(page.locator("#turn")).to_have_attribute(
            "href", f"/{game}", timeout=TIMEOUT_MS
        )
        await expect(page).to_have_title("(1) " + (await page.title()).removeprefix("(1) "))
    told = [note for page in pages for note in await page.evaluate(TOLD)]
    assert told == []
    await pages[0].click("#turn")
    await pages[0].wait_for_url(f"**/{game}")
    await expect(pages[0].locator("#turn")).to_be_hidden()
