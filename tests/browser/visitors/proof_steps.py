"""Steps to the proof of a sealed round and to the ledger of a game."""

from playwright.async_api import expect

from tests.browser.prepared.sent_turns import Sealer
from tests.browser.visitors.pointer_actions import TIMEOUT_MS, step_is

OURS, THEIRS = (5, 4, 1), (3, 3, 4)
PROOF = '[data-opens="proof"]'


async def play_a_round(ada, bob):
    """Ada seals first, and Bob gets her fingerprint; Bob's seal opens both."""
    await ada.seal(OURS)
    await ada.page.wait_for_selector("#game[data-turn=waits]")
    await open_the_round(bob)
    await step_is(ada, 1)


async def see_a_round(opponent, game, bob, *others):
    """As above, with somebody who seals first and whose page is not open."""
    await Sealer(opponent, game).seal(OURS)
    await open_the_round(bob, *others)


async def open_the_round(bob, *others):
    """Everybody present gets the fingerprint; Bob's seal opens both orders."""
    for person in (bob, *others):
        await expect(person.page.locator(f"{PROOF}:not([hidden])")).to_have_count(
            1, timeout=TIMEOUT_MS
        )
    await bob.seal(THEIRS)
    for person in (bob, *others):
        await step_is(person, 1)


async def open_rounds(person):
    """Brings the table of rounds into view, where it is behind a tab."""
    tab = person.page.locator(".tab[data-tab=moves]")
    if await tab.is_visible():
        await tab.click()


async def open_proofs(person):
    """Shows the fingerprints and the buttons that verify, unless they are shown."""
    await open_rounds(person)
    button = person.page.locator(PROOF)
    if await button.get_attribute("aria-expanded") == "false":
        await button.click()


async def verify(person):
    """The page's proof of the first round's orders, as one text."""
    await open_proofs(person)
    await person.page.click('[data-opens="round-0"]')
    return await proof(person)


async def proof(person):
    """The text of the open proof; the page fetches its script on the first request."""
    await person.page.wait_for_selector(".proof p")
    return await person.page.inner_text(".proof")


async def open_ledger(person):
    """Goes from the game to its ledger, in the same tab."""
    await person.page.goto(person.page.url.split("#")[0] + "ledger/")
    await person.page.wait_for_selector(".entry")


async def check(person):
    """The result of the check in the browser, as one text."""
    await person.page.click("#check")
    return await person.page.inner_text("#found")
