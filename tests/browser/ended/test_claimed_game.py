"""A claim that the game is decided: its button, its question, its refusal, and the proof."""

import pytest
from playwright.async_api import expect

from tests.browser.browser_visitors import TIMEOUT_MS, begin_game
from tests.browser.short_games import squares
from tests.support.walled_games import WHITE_AHEAD_TURNS

pytestmark = pytest.mark.timeout(240)
PRESS = """squares => {
    for (const square of squares)
        document.querySelector(`.grid button[data-square="${square}"]`).click();
}"""


async def play(people, turns) -> None:
    """Both play turns on the hidden grid, white first."""
    for number, turn in enumerate(turns):
        mover = people[number % 2]
        await mover.page.wait_for_selector("#game[data-turn=yours]", timeout=TIMEOUT_MS)
        await mover.page.evaluate(PRESS, squares(turn))
        for each in people:
            step = f'#game[data-step="{2 * number + 2}"]'
            await each.page.wait_for_selector(step, timeout=TIMEOUT_MS)


async def open_settings(person) -> None:
    opener = person.page.locator("#open-setup")
    if not await opener.is_visible():
        await person.page.click('[data-tab="more"]')
    await opener.click()
    await expect(person.page.locator("#win-claim")).to_be_visible()


async def test_a_decided_game_ends_by_the_claim_of_the_player_to_move(visit):
    ada, bob = await visit("ada"), await visit("bob", width=390, height=780)
    slug = await begin_game(ada, bob, "amazons-10x10")
    await open_settings(bob)
    claim = bob.page.locator("#claim-win")
    await claim.click()
    words = bob.page.locator("#win-claim [role=status]")
    await expect(words).to_have_text("You can claim at the start of your turn.")
    await bob.page.click("#close-setup")
    await open_settings(ada)
    await ada.page.locator("#claim-win").click()
    asked = ada.page.locator("#win-claim [role=status]")
    await expect(asked).to_contain_text("one of your 3 claims")
    await ada.page.locator("#keep-claim").click()
    await expect(asked).to_have_text("If nothing can change who wins, end the game now.")
    for word in ("Claim the win", "Yes, claim the win"):
        await expect(ada.page.locator("#claim-win")).to_have_text(word)
        await ada.page.locator("#claim-win").click()
    await expect(ada.page.locator("#side")).to_contain_text(
        "Your win can’t be proved yet. You have 2 claims left."
    )
    assert not await ada.is_over()
    await play((ada, bob), WHITE_AHEAD_TURNS)
    await open_settings(ada)
    await ada.page.locator("#claim-win").click()
    await expect(asked).to_contain_text("one of your 2 claims")
    await ada.page.locator("#claim-win").click()
    for each in (ada, bob):
        await each.page.wait_for_selector("#game[data-status=over]", timeout=TIMEOUT_MS)
        await expect(each.page.locator("#result-reason")).to_contain_text("The game was decided")
    await expect(ada.page.locator("#result-title")).to_have_text("You win")
    await ada.page.goto(f"{ada.home}g/{slug}/ledger/")
    log = ada.page.locator("main")
    await expect(log).to_contain_text("claims the win, but can’t prove it (claim 1 of 3).")
    await expect(log).to_contain_text("claims the win: 37 sure moves against at most 36.")


async def test_spectators_see_at_once_that_a_game_is_decided_and_players_after_it(visit):
    ada, bob = await visit("ada"), await visit("bob")
    slug = await begin_game(ada, bob, "amazons-10x10")
    await play((ada, bob), WHITE_AHEAD_TURNS[:-1])
    cy = await visit("cy", width=390, height=844)
    await cy.page.goto(f"{cy.home}g/{slug}/")
    notice = '.notice[data-kind="decided"]'
    await cy.page.wait_for_selector("#game[data-step='18']", timeout=TIMEOUT_MS)
    await expect(cy.page.locator(notice)).to_have_count(0)
    await bob.page.evaluate(PRESS, squares(WHITE_AHEAD_TURNS[-1]))
    await expect(cy.page.locator(notice)).to_contain_text("37 sure moves")
    lit = cy.page.locator("#board .territory")
    await expect(lit.locator(".white")).to_have_count(46)
    await expect(lit.locator(".black")).to_have_count(36)
    for each in (ada, bob):
        await each.page.wait_for_selector("#game[data-step='20']", timeout=TIMEOUT_MS)
        await expect(each.page.locator(notice)).to_have_count(0)
        await expect(each.page.locator("#board .territory")).to_have_count(0)
    await ada.page.click("#resign")
    await ada.page.get_by_role("button", name="Yes, resign").click()
    for each in (ada, bob):
        await expect(each.page.locator("#board .territory .white")).to_have_count(46)
    await bob.page.keyboard.press("ArrowLeft")
    await expect(bob.page.locator("#board .territory")).to_have_count(0)
