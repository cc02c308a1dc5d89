"""The end of a game: the result sheet, the points at the names, and spectators at a rematch."""

import asyncio
import re

from playwright.async_api import expect

from tests.browser.browser_visitors import Visitor, begin_game
from tests.browser.short_games import PINCER, squares

TIMEOUT_MS = 15_000  # ms
PRESS_SQUARE = (
    """square => document.querySelector(`.grid button[data-square="${square}"]`).click()"""
)
# Notes when the game was over and when the sheet was shown: a motion lies between them.
WATCH_SHEET = """() => {
    window.endTimes = {};
    new MutationObserver(() => {
        const over = document.getElementById("game").dataset.status === "over";
        const shown = !document.getElementById("result").hidden;
        if (over) window.endTimes.over ??= performance.now();
        if (shown) window.endTimes.shown ??= performance.now();
    }).observe(document.getElementById("game"), {attributes: true, subtree: true});
}"""
OVERLAP = """() => {
    const place = id => document.getElementById(id).getBoundingClientRect();
    const [a, b] = [place("result"), place("board")];
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return wide > 1 && high > 1;
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


async def test_each_is_told_the_result_after_the_last_motion_and_esc_puts_it_away(visit):
    ada, bob, eve = await sit_down(visit)
    await bob.page.emulate_media(reduced_motion="no-preference")
    await bob.page.evaluate(WATCH_SHEET)
    await play_to_the_end(ada, bob)
    title = "#result-title"
    await expect(ada.page.locator(title)).to_have_text("You win", timeout=TIMEOUT_MS)
    await expect(bob.page.locator(title)).to_have_text("You lost", timeout=TIMEOUT_MS)
    await expect(eve.page.locator(title)).to_contain_text(" wins", timeout=TIMEOUT_MS)
    await expect(eve.page.locator("#rematch")).to_have_count(0)
    for person in (ada, bob, eve):
        await expect(person.page.locator("#result")).to_be_visible()
        points = sorted(await person.page.locator(".strip .points").all_inner_texts())
        assert points == ["0", "1"], person.name
        await expect(person.page.locator("#speech")).to_contain_text("no piece left")
    times = await bob.page.evaluate("window.endTimes")
    assert times["shown"] - times["over"] > 100
    await expect(bob.page.locator("#result")).to_be_focused()  # his focus was in the panel
    assert not await ada.page.evaluate(
        "document.getElementById('result').contains(document.activeElement)"
    )
    await bob.page.keyboard.press("Escape")
    await expect(bob.page.locator("#result")).to_be_hidden()
    await expect(bob.page.locator("#show-result")).to_be_focused()
    await bob.page.keyboard.press("Enter")
    await expect(bob.page.locator("#result")).to_be_visible()
    await ada.page.click("#close-result")
    await expect(ada.page.locator("#result")).to_be_hidden()
    await ada.page.click("#look-back")
    await expect(ada.page.locator(".strip.won .points")).to_have_text("1")  # also in the replay


async def test_review_leads_to_the_review_of_the_game(visit):
    ada, bob, _ = await sit_down(visit)
    await play_to_the_end(ada, bob)
    await ada.page.click("#review:not([data-inert])", timeout=TIMEOUT_MS)
    await ada.page.wait_for_url("**/g/*/analysis/")
    await expect(ada.page.locator("#review-start")).to_be_visible()


async def test_a_spectator_is_taken_along_to_the_rematch(visit):
    ada, bob, eve = await sit_down(visit)
    await play_to_the_end(ada, bob)
    first = eve.page.url
    await ada.page.click("#rematch:not([data-inert])", timeout=TIMEOUT_MS)
    await expect(bob.page.locator("#again-say")).to_contain_text("wants a rematch")
    await bob.page.click("#rematch:not([data-inert])")
    for person in (ada, bob, eve):
        await person.page.wait_for_url(lambda url: url != first and "/g/" in url)
    assert ada.page.url == bob.page.url == eve.page.url


async def test_who_looks_back_is_shown_the_way_and_not_taken_along(visit):
    ada, bob, eve = await sit_down(visit)
    await play_to_the_end(ada, bob)
    first = eve.page.url
    await expect(eve.page.locator("#result")).to_be_visible(timeout=TIMEOUT_MS)
    await eve.page.click("#close-result")
    await eve.page.click("#look-back")
    await expect(eve.page.locator("#chip")).to_have_text("Move 2 of 3")
    await ada.page.click("#rematch:not([data-inert])")
    await bob.page.click("#rematch:not([data-inert])")
    await bob.page.wait_for_url(lambda url: url != first and "/g/" in url)
    await expect(eve.page.locator("#next-game")).to_have_attribute(
        "href", bob.page.url.removeprefix(eve.home[:-1])
    )
    assert eve.page.url == first


async def test_the_way_to_the_rematch_is_in_sight_after_a_reload(visit):
    ada, bob, _eve = await sit_down(visit, width=360, height=740)
    old = ada.page.url
    await play_to_the_end(ada, bob)
    await ada.page.click("#rematch:not([data-inert])", timeout=TIMEOUT_MS)
    await expect(bob.page.locator("#again-say")).to_contain_text("wants a rematch")
    await bob.page.click("#rematch:not([data-inert])")
    await ada.page.wait_for_url(lambda url: "/g/" in url and url != old)
    new = ada.page.url
    await ada.page.goto(old)
    way = ada.page.get_by_role("link", name="To the rematch")
    await expect(way).to_be_visible()
    for width, height in ((360, 740), (390, 844), (768, 1024), (1280, 800)):
        await ada.page.set_viewport_size({"width": width, "height": height})
        box = await way.bounding_box()
        assert box["x"] >= 0, (width, height)
        assert box["x"] + box["width"] <= width, (width, height)
        assert box["y"] + box["height"] <= height, (width, height)
    await way.click()
    await ada.page.wait_for_url(new)


async def test_on_an_upright_tablet_the_sheet_fills_the_panel_below_the_strip(visit):
    ada, bob, _ = await sit_down(visit, width=768, height=1024)
    await play_to_the_end(ada, bob)
    await expect(ada.page.locator("#result")).to_be_visible(timeout=TIMEOUT_MS)
    for width, height in ((768, 1024), (820, 1180), (600, 960)):
        await ada.page.set_viewport_size({"width": width, "height": height})
        boxes = [await ada.page.locator(f"#{name}").bounding_box() for name in ("near", "result")]
        gap = boxes[1]["y"] - boxes[0]["y"] - boxes[0]["height"]
        assert 0 <= gap <= 8, (width, height)


async def test_an_opponent_who_has_left_is_no_dead_end(visit):
    ada, bob, _ = await sit_down(visit)
    await play_to_the_end(ada, bob)
    await expect(ada.page.locator("#result")).to_be_visible(timeout=TIMEOUT_MS)
    await bob.page.close()
    await ada.page.click("#rematch:not([data-inert])")
    await expect(ada.page.locator("#again-say")).to_contain_text("You asked")
    await expect(ada.page.locator("#rematch")).to_have_attribute("aria-disabled", "true")
    await ada.page.click("#new-game")
    await ada.page.wait_for_url(ada.home)


async def test_with_reduced_motion_the_same_is_told_at_once(visit):
    ada, bob, eve = await sit_down(visit)
    for person in (ada, bob, eve):
        await person.page.emulate_media(reduced_motion="reduce")
    await play_to_the_end(ada, bob)
    for person, title in ((ada, "You win"), (bob, "You lost"), (eve, " wins")):
        await expect(person.page.locator("#result-title")).to_contain_text(title)
        await expect(person.page.locator("#result")).to_be_visible()


async def test_the_sheet_covers_no_board_at_any_size(visit):
    ada, bob, _ = await sit_down(visit)
    await play_to_the_end(ada, bob)
    await expect(ada.page.locator("#result")).to_be_visible(timeout=TIMEOUT_MS)
    for width, height in ((360, 740), (390, 844), (768, 1024), (1280, 800), (1920, 1080)):
        await ada.page.set_viewport_size({"width": width, "height": height})
        await asyncio.sleep(0.2)
        assert not await ada.page.evaluate(OVERLAP), (width, height)
        for button in ("#rematch", "#new-game", "#review", "#share"):
            await expect(ada.page.locator(button)).to_be_in_viewport(ratio=1)


async def test_the_own_turn_is_marked_in_title_and_icon(visit):
    ada, bob, eve = await sit_down(visit)
    icon = "document.querySelector('link[rel=icon]').href"
    await expect(ada.page.locator(".strip.mine")).to_have_count(1)
    assert (await ada.page.title()).startswith("● ")
    assert "favicon-turn" in await ada.page.evaluate(icon)
    for person in (bob, eve):
        await expect(person.page.locator(".strip.mine")).to_have_count(0)
        assert "●" not in await person.page.title()
        assert "favicon-turn" not in await person.page.evaluate(icon)
        await expect(person.page.locator("#steps")).to_be_hidden()
    await expect(bob.page.locator("#sentence")).to_contain_text("Waiting for ")
    waited = bob.page.locator("#waited")
    await expect(waited).to_have_text(re.compile(r"0:(0[2-9]|[1-5]\d)"), timeout=TIMEOUT_MS)
