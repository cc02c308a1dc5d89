"""Verification of sealed rounds and of a game's ledger in the browser."""

from playwright.async_api import expect

from tests.browser.prepared.sent_turns import begin_alone
from tests.browser.visitors.proof_steps import check, open_ledger, see_a_round, verify


async def test_a_round_is_verified_by_players_and_spectators_with_what_each_had_seen(visit):
    bob, ada = await visit("bob"), await visit("ada")
    cy, dee = await visit("cy", width=390, height=780), await visit("dee")
    game = await begin_alone(bob, ada, "blotto")
    await cy.page.goto(bob.page.url)
    await cy.page.wait_for_selector("#game")
    await see_a_round(ada, game, bob, cy)
    await dee.page.goto(bob.page.url)  # comes when all is open already
    for person in (bob, cy):
        said = await verify(person)
        assert said.count("matches") == 2
        assert said.count("which this page got before") == 1
        assert said.count("These orders came last") == 1
    assert (await verify(dee)).count("didn’t get before") == 2


async def test_the_ledger_is_read_checked_and_compared_with_receipts(visit):
    bob, ada = await visit("bob"), await visit("ada")
    game = await begin_alone(bob, ada, "blotto")
    await see_a_round(ada, game, bob)
    await open_ledger(bob)
    page = bob.page
    await expect(page.locator(".entry")).to_have_count(3)
    assert "seals, and both are revealed" in await page.inner_text(".entry >> nth=2")
    assert "your receipt" in await page.inner_text(".entry >> nth=2")
    assert "your receipt" not in await page.inner_text(".entry >> nth=1")
    assert "from this tab match" in await page.inner_text("#own")
    found = await check(bob)
    assert "The chain of 3 entries is intact" in found
    assert "2 revealed seals match" in found
    await page.click(".entry >> nth=2 >> summary")
    exact = await page.inner_text(".entry >> nth=2 >> .exact")
    assert '"reveal":{"black":{"action":"troops 5 4 1"' in exact
