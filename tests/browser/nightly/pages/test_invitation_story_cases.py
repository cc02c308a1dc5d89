"""An invitation on two phones, from the host's form to the first position of the game."""

import pytest
from playwright.async_api import expect

from tests.browser.prepared.joined_games import RECORD, invite

TIMEOUT_MS = 10_000  # ms
HIDDEN = """
    Object.defineProperty(document, "visibilityState", { get: () => window.seen ?? "visible" });
    Object.defineProperty(document, "hidden", { get: () => document.visibilityState === "hidden" });
"""
WIDER_THAN_THE_SCREEN = (
    "document.documentElement.scrollWidth - document.documentElement.clientWidth"
)
NO_SHARE = "delete Navigator.prototype.share;"


async def test_a_host_who_looks_elsewhere_finds_a_title_that_blinks_on_the_game(visit):
    ana, ben = await visit("ana"), await visit("ben")
    await ana.page.context.add_init_script(HIDDEN)
    await ana.page.context.add_init_script(RECORD)
    address = await invite(ana)
    await ana.page.evaluate("window.seen = 'hidden'")
    await ana.page.context.add_init_script("window.seen = 'hidden';")
    await ben.page.goto(address)
    await ben.page.click("#invitation-form button")
    await ben.wait_for_game()
    await ana.wait_for_game()
    await ana.page.wait_for_function(
        "() => window.titles.some((title) => title.endsWith('Your friend is here'))"
    )
    await ana.page.evaluate("window.seen = 'visible'")
    await ana.page.wait_for_function("() => document.title.endsWith('Quiver')", timeout=TIMEOUT_MS)
    await ana.page.wait_for_timeout(6_000)
    assert (await ana.page.title()).endswith("Quiver")


async def test_the_second_friend_with_the_link_sees_the_game_go_to_the_first(visit):
    ana, ben, cleo = [await visit(name) for name in ("ana", "ben", "cleo")]
    address = await invite(ana, "blotto")
    for friend in (ben, cleo):
        await friend.page.goto(address)
        await expect(friend.page.locator("#invitation-form")).to_be_visible()
    await ben.page.click("#invitation-form button")
    await ben.wait_for_game()
    await expect(cleo.page.locator("h1")).to_have_text("This game is full", timeout=TIMEOUT_MS)
    await expect(cleo.page.locator("#invitation-form")).to_be_hidden()
    await expect(cleo.page.locator("text=Create a game").first).to_be_visible()
    await cleo.page.click("#watch")
    await cleo.page.wait_for_url("**/g/*/")


async def test_without_a_share_sheet_the_link_is_copied(visit):
    ana = await visit("ana")
    await ana.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await ana.page.context.add_init_script(NO_SHARE)
    await invite(ana)
    await expect(ana.page.locator("#share")).to_be_hidden()
    await expect(ana.page.locator("#copy")).to_have_class("button primary")
    await ana.page.click("#copy")
    await expect(ana.page.locator("#copied")).to_have_text("Link copied.")
    copied = await ana.page.evaluate("navigator.clipboard.readText()")
    assert copied == await ana.page.input_value("#link")


async def test_the_picture_moves_only_for_those_who_want_motion(visit):
    ana = await visit("ana")
    address = await invite(ana)
    for motion, moves in (("no-preference", True), ("reduce", False)):
        friend = await visit(f"friend-{motion}", motion=motion)
        await friend.page.goto(address)
        await friend.page.wait_for_timeout(3_500)
        assert await friend.page.locator("#short-rules .shown").count() == moves


@pytest.mark.parametrize(("width", "height"), [(320, 640), (360, 740), (768, 1024), (1280, 800)])
async def test_the_first_screen_has_the_main_button_and_nothing_is_too_wide(visit, width, height):
    ana, ben = await visit("ana", width=width, height=height), await visit("ben", width, height)
    await ana.page.context.add_init_script(RECORD)
    await ana.page.goto(f"{ana.home}play/friend/")
    assert await ana.page.evaluate(WIDER_THAN_THE_SCREEN) <= 0
    address = await invite(ana)
    for person, button in ((ana, "#share"), (ben, "#invitation-form button")):
        await person.page.goto(address)
        box = await person.page.locator(button).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["height"] >= 44
        if width >= 360:
            assert box["y"] + box["height"] <= height
        assert await person.page.evaluate(WIDER_THAN_THE_SCREEN) <= 0
