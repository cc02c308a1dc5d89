"""The share sheet: from the result sheet and from the panel, with the keyboard too."""

import pytest
from playwright.async_api import expect

from tests.browser.prepared.short_game_end import (
    CODE_IS_LOADED,
    LINK,
    allow_clipboard,
    end_and_watch,
    read_clipboard,
)
from tests.browser.probes.axe_objections import objections
from tests.browser.visitors.browser_visitors import begin_game


async def test_the_panel_opens_it_for_the_turn_that_is_looked_at(visit):
    _, _, eve = await end_and_watch(visit)
    await allow_clipboard(eve)
    page = eve.page
    await page.click("#close-result")
    await page.click("#look-back")
    await expect(page.locator("#chip")).to_have_text("Move 2 of 3")
    await page.click("#open-share")
    sheet = page.locator("#share-sheet")
    await expect(sheet).to_contain_text("The link opens at move 2.")
    await page.click("#share-copy")
    await expect(sheet.locator(".share-status")).to_have_text("The link is copied.")
    assert await read_clipboard(page) == f"{page.url.partition('#')[0]}#2"
    async with page.expect_download() as coming:
        await page.click("#share-picture")
    download = await coming.value
    assert download.suggested_filename.endswith("-2.png")
    assert (await download.path()).read_bytes().startswith(b"\x89PNG")
    await page.wait_for_function(CODE_IS_LOADED)
    source = await page.get_attribute(".share-code img", "src")
    assert source == "qr.svg?turn=2"
    await page.click("#share-sheet .setup-head button")
    await expect(sheet).to_be_hidden()
    await expect(page.locator("#open-share")).to_be_focused()
    await page.keyboard.press("Escape")
    await page.click("#look-last")
    await page.click("#open-share")  # again, now at the newest position
    await expect(page.locator(LINK)).to_have_value(page.url.partition("#")[0])


async def test_a_running_game_is_shared_without_record_from_the_settings(visit):
    ada, bob = await visit("ada", width=390, height=844), await visit("bob")
    await begin_game(ada, bob, "amazons-8x8")
    await ada.page.click(".tab[data-tab=more]")
    await ada.page.click("#open-setup")
    await ada.page.click("#setup [data-share]")
    sheet = ada.page.locator("#share-sheet")
    await expect(sheet).to_be_visible()
    await expect(ada.page.locator("#setup")).to_be_hidden()
    await expect(sheet.locator('a[href="record.json"]')).to_have_count(0)
    box = await sheet.bounding_box()
    assert box is not None
    assert (box["x"], box["width"], round(box["y"] + box["height"])) == (0, 390, 844)
    await ada.page.keyboard.press("Escape")
    await expect(sheet).to_be_hidden()
    await expect(ada.page.locator("#open-setup")).to_be_focused()


@pytest.mark.parametrize("outcome", ["shared", "given up", "refused"])
async def test_the_systems_own_sheet_is_offered_where_there_is_one(visit, outcome):
    ada, bob, eve = await visit("ada"), await visit("bob"), await visit("eve")
    failures = {"shared": "", "given up": "AbortError", "refused": "NotAllowedError"}
    await eve.page.add_init_script(f"""
        const failure = "{failures[outcome]}";
        navigator.share = async (data) => {{
            window.shared = data;
            if (failure) throw new DOMException("", failure);
        }};""")
    slug = await begin_game(ada, bob, "pincer")
    await eve.page.goto(f"{eve.home}g/{slug}/")
    await eve.page.click("#open-share")
    await eve.page.click("#share-system")
    await eve.page.wait_for_function("() => window.shared !== undefined")
    assert (await eve.page.evaluate("window.shared.url")) == eve.page.url
    status = "Sharing failed." if outcome == "refused" else ""
    await expect(eve.page.locator("#share-sheet .share-status")).to_have_text(status)


async def test_without_the_systems_sheet_it_is_not_offered(visit):
    ada, bob = await visit("ada"), await visit("bob")
    await ada.page.add_init_script("delete Navigator.prototype.share")
    await begin_game(ada, bob, "blotto")
    await ada.page.set_viewport_size({"width": 1920, "height": 1080})
    await ada.page.click("#beside [data-share]")
    await expect(ada.page.locator("#share-copy")).to_be_visible()
    await expect(ada.page.locator("#share-system")).to_have_count(0)


async def test_an_ended_game_is_played_recorded_and_saved_as_a_video(visit):
    ada, _, _ = await end_and_watch(visit)
    await ada.page.click("#share")
    part = ada.page.locator("#share-video")
    await part.locator("button").click()
    await expect(part.locator("canvas")).to_be_visible()
    save = part.locator("a[download]")
    await expect(save).to_be_focused(timeout=30_000)  # it plays for some seconds
    async with ada.page.expect_download() as coming:
        await save.click()
    download = await coming.value
    assert download.suggested_filename.endswith(".webm")
    assert (await download.path()).read_bytes().startswith(b"\x1a\x45\xdf\xa3")  # of WebM


async def test_a_running_game_offers_no_video(visit):
    ada, bob, eve = await visit("ada"), await visit("bob"), await visit("eve")
    slug = await begin_game(ada, bob, "pincer")
    await eve.page.goto(f"{eve.home}g/{slug}/")
    await eve.page.click("#open-share")
    await expect(eve.page.locator("#share-copy")).to_be_visible()
    await expect(eve.page.locator("#share-video")).to_have_count(0)


async def test_axe_has_no_objection_to_the_sheet(visit):
    ada, bob, eve = await visit("ada"), await visit("bob"), await visit("eve")
    slug = await begin_game(ada, bob, "pincer")
    await eve.page.goto(f"{eve.home}g/{slug}/")
    await eve.page.click("#open-share")
    await eve.page.wait_for_function(CODE_IS_LOADED)
    assert await objections(eve, "share sheet") == []
