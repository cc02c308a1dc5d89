"""A claim that the game is decided: its button, its question, its refusal, and the proof."""

import pytest
from playwright.async_api import expect

from tests.browser.prepared.short_games import squares
from tests.browser.visitors.browser_visitors import TIMEOUT_MS, begin_game
from tests.support.walled_games import WHITE_AHEAD_TURNS

pytestmark = pytest.mark.timeout(240)
PRESS = """squares => {
    for (const square of squares)
        document.querySelector(`.grid button[data-square="${square}"]`).click();
}"""


async def play(people, turns) -> None:
    """They play turns on the hidden grid, one after the other."""
    for number, turn in enumerate(turns):
        mover = people[number % len(people)]
        await mover.page.wait_for_selector("#game[data-turn=yours]", timeout=TIMEOUT_MS)
        step = int(await mover.page.get_attribute("#game", "data-step") or 0) + 2
        await mover.page.evaluate(PRESS, squares(turn))
        for each in people:
            await each.page.wait_for_selector(f'#game[data-step="{step}"]', timeout=TIMEOUT_MS)


async def test_a_decided_game_ends_by_the_claim_of_the_player_to_move(visit):
    ada, bob = await visit("ada", width=390, height=844), await visit("bob")
    slug = await begin_game(ada, bob, "amazons-10x10")
    await play((ada, bob), WHITE_AHEAD_TURNS[:-1])
    claim = ada.page.locator("[data-command=askClaim]")
    await expect(claim).to_have_count(0)  # not her turn
    await play((bob,), WHITE_AHEAD_TURNS[-1:])
    await claim.click()
    asked = ada.page.locator('[data-thing="ask-claim_decided"]')
    await expect(asked).to_contain_text("one of your 3 claims")
    await asked.locator("[data-command=keepPlaying]").click()
    assert not await ada.is_over()
    await claim.click()
    await asked.locator("[data-command=claimDecided]").click()
    for each in (ada, bob):
        await each.page.wait_for_selector("#game[data-status=over]", timeout=TIMEOUT_MS)
        await expect(each.page.locator("#result-reason")).to_contain_text("The game was decided")
    await expect(ada.page.locator("#result-title")).to_have_text("You win")
    await ada.page.goto(f"{ada.home}g/{slug}/ledger/")
    await expect(ada.page.locator("main")).to_contain_text(
        "claims the win: 37 sure moves against at most 36."
    )


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
