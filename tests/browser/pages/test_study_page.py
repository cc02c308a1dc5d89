"""A study in a browser: kept from a board, saved and followed live."""

from playwright.async_api import expect

from tests.browser.prepared.analysis_boards import SAVED, play_typed, sign_up, start_study
from tests.browser.probes.axe_objections import objections


async def test_a_study_is_kept_shared_and_followed_live(visit) -> None:
    ada, cy = await visit("ada"), await visit("cy", width=390, height=844)
    await sign_up(ada, "study-ada")
    address = await start_study(ada)
    page, state = ada.page, ada.page.locator("#save-state")
    await page.fill("#study-title", "The corner")
    await page.select_option("#study-visibility", "link")
    await expect(state).to_have_text(SAVED, timeout=10_000)
    found = await objections(ada, "study")
    assert not found, "\n".join(found)
    await cy.page.goto(address)
    await expect(cy.page.locator("#study-name")).to_have_text("The corner")
    assert await cy.page.locator("#study-title").count() == 0
    await cy.page.click("#moves button")  # its position is played now
    await expect(cy.page.locator("#sentence")).to_contain_text("After a5-b5")
    await play_typed(cy.page, "g5-f5 g7-f7")
    await page.click("#moves button")
    await page.fill("#comment", "<b>Wide</b>")
    await expect(cy.page.locator("#moves")).to_contain_text("<b>Wide</b>", timeout=15_000)
    await expect(cy.page.locator("#moves button")).to_have_count(2)  # his own variation stays
    assert await cy.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.select_option("#study-visibility", "private")
    await expect(cy.page.locator("#study-closed")).to_be_visible(timeout=15_000)
    await expect(cy.page.locator("#analysis-root")).to_be_hidden()
