"""The analysis board in a browser: review, a better turn, variations, and links to them."""

from playwright.async_api import expect

from tests.browser.prepared.analysis_boards import play_typed


async def test_an_empty_board_is_played_on_for_both_sides(visit) -> None:
    ada = await visit("ada", width=360, height=740)
    page = ada.page
    await page.goto(f"{ada.home}analysis/amazons-8x8/")
    await expect(page.locator("#no-moves")).to_be_visible()
    for turn in ("c1-c5/e5", "c8-c6/d6"):
        await play_typed(page, turn)
    await page.click("#look-back")
    await expect(page.locator("#place")).to_have_text("1 of 2")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_a_link_with_turns_that_cannot_be_played_shows_the_board_without_them(visit) -> None:
    ada = await visit("ada")
    await ada.page.goto(f"{ada.home}analysis/pincer/#0;-1:move.1.1.7.7,move.1.2.1.3")
    await expect(ada.page.locator("#verdict")).to_have_text(
        "The variations in this link aren’t legal here."
    )
    await expect(ada.page.locator("#no-moves")).to_be_visible()


async def test_without_webassembly_the_page_says_so_and_works_on(visit) -> None:
    ada = await visit("ada")
    await ada.page.add_init_script("delete globalThis.WebAssembly")
    await ada.page.goto(f"{ada.home}analysis/pincer/")
    await ada.page.click("#engine-toggle")
    await expect(ada.page.locator("#engine-say")).to_contain_text("can’t run in this browser")
    await play_typed(ada.page, "a5-b5 a7-b7")
