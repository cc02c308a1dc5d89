"""The share sheet, opened from the result sheet."""

from playwright.async_api import expect

from tests.browser.prepared.short_game_end import (
    CODE_IS_LOADED,
    LINK,
    allow_clipboard,
    end_and_watch,
    read_clipboard,
)


async def test_the_result_sheet_opens_it_and_gets_the_focus_back(visit):
    ada, _, _ = await end_and_watch(visit)
    await allow_clipboard(ada)
    await ada.page.click("#share")
    sheet = ada.page.locator("#share-sheet")
    await expect(sheet).to_be_visible()
    await expect(ada.page.locator("#share-copy")).to_be_focused()
    address = ada.page.url
    await expect(ada.page.locator(LINK)).to_have_value(address)
    await ada.page.keyboard.press("Enter")
    await expect(sheet.locator(".share-status")).to_have_text("The link is copied.")
    assert await read_clipboard(ada.page) == address
    await ada.page.wait_for_function(CODE_IS_LOADED)
    await expect(sheet.locator('a[href="record.json"]')).to_be_visible()
    await expect(sheet.locator('a[href="ledger/"]')).to_be_visible()
    await ada.page.keyboard.press("Escape")
    await expect(sheet).to_be_hidden()
    await expect(ada.page.locator("#result")).to_be_visible()  # one key puts away one sheet
    await expect(ada.page.locator("#share")).to_be_focused()
