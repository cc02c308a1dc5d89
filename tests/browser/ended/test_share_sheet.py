"""The share sheet, opened from the result sheet."""

from playwright.async_api import expect

from tests.browser.prepared.sent_turns import begin_alone, send_turn
from tests.browser.prepared.short_game_end import (
    CODE_IS_LOADED,
    LINK,
    TIMEOUT_MS,
    allow_clipboard,
    read_clipboard,
)
from tests.browser.prepared.short_games import PINCER


async def test_the_result_sheet_opens_it_and_gets_the_focus_back(visit):
    ada, bob = await visit("ada"), await visit("bob")
    game = await begin_alone(ada, bob, "pincer")
    for number, turn in enumerate(PINCER):
        await send_turn((ada, bob)[number % 2], game, 2 * number, turn)
    await expect(ada.page.locator("#result")).to_be_visible(timeout=TIMEOUT_MS)
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
