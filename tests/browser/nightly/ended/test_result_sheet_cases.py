"""The end of a game: the result sheet, the points at the names, and spectators at a rematch."""

import asyncio

from playwright.async_api import expect

from tests.browser.prepared.short_game_end import TIMEOUT_MS, play_to_the_end, sit_down

OVERLAP = """() => {
    const place = id => document.getElementById(id).getBoundingClientRect();
    const [a, b] = [place("result"), place("board")];
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return wide > 1 && high > 1;
}"""
# The tabs in the middle of which something else lies.
COVERED_TABS = """() => [...document.querySelectorAll(".tab")].filter(tab => {
    const { x, y, width, height } = tab.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    return width > 0 && !tab.contains(top);
}).map(tab => tab.textContent)"""


async def test_review_leads_to_the_review_of_the_game(visit):
    ada, bob, _ = await sit_down(visit)
    await play_to_the_end(ada, bob)
    await ada.page.click("#review:not([data-inert])", timeout=TIMEOUT_MS)
    await ada.page.wait_for_url("**/g/*/analysis/")
    await expect(ada.page.locator("#review-start")).to_be_visible()


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
    await ada.page.wait_for_url(f"{ada.home}play/online/")
    await expect(ada.page.locator("#looking")).to_be_visible()  # it has begun
    await expect(ada.page.locator("#looking-choices li")).to_contain_text("Pincer")


async def test_with_reduced_motion_the_same_is_told_at_once(visit):
    ada, bob, eve = await sit_down(visit)
    for person in (ada, bob, eve):
        await person.page.emulate_media(reduced_motion="reduce")
    await play_to_the_end(ada, bob)
    for person, title in ((ada, "You win"), (bob, "You lost"), (eve, " wins")):
        await expect(person.page.locator("#result-title")).to_contain_text(title)
        await expect(person.page.locator("#result")).to_be_visible()


async def test_the_sheet_covers_neither_board_nor_tabs_and_a_good_game_is_seen(visit):
    ada, bob, _ = await sit_down(visit)
    await play_to_the_end(ada, bob)
    await expect(ada.page.locator("#result")).to_be_visible(timeout=TIMEOUT_MS)
    await bob.page.click(".tab[data-tab=chat]")
    await bob.page.get_by_role("group", name="Quick chat").get_by_text("Good game").click()
    await expect(ada.page.locator(".tab[data-tab=chat] .badge")).to_have_text("1")
    for width, height in ((360, 740), (390, 844), (768, 1024), (1280, 800), (1920, 1080)):
        await ada.page.set_viewport_size({"width": width, "height": height})
        await asyncio.sleep(0.2)
        assert not await ada.page.evaluate(OVERLAP), (width, height)
        assert await ada.page.evaluate(COVERED_TABS) == [], (width, height)
        for button in ("#rematch", "#new-game", "#review", "#share"):
            await expect(ada.page.locator(button)).to_be_in_viewport(ratio=1)
