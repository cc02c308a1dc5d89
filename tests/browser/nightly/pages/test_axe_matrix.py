"""axe-core finds no fault on any page, in light, dark, desktop and phone."""

import pytest

from tests.browser.probes.axe_objections import ALL_LOOKS, objections
from tests.browser.visitors.browser_visitors import Visitor, game_of, lobby_of, post
from tests.browser.visitors.site_pages import (
    FIRST,
    KEYS,
    OPEN_PAGES,
    OWN_PAGES,
    PASSWORD,
    SEND_SCRIPT,
)
from tests.support.second_factor import code_of

STANDING_FOR_ALL = ("amazons-8x8", "blotto")  # for the parts that all games share


@pytest.mark.timeout(300)
async def test_pages_that_belong_to_no_game(visit):
    ada = await visit("ada")
    found = []
    for address in OPEN_PAGES:
        await ada.page.goto(f"{ada.home}{address}")
        found += await objections(ada, f"/{address}", ALL_LOOKS)
    ada.errors.clear()  # the browser complains of the page that is not there
    assert not found, "\n".join(found)


@pytest.mark.timeout(300)
async def test_pages_of_somebody_with_an_account(visit):
    ada = await visit("ada")
    form = {"username": "axe-walker", "password1": PASSWORD, "password2": PASSWORD}
    await post(ada, "sign-up/", "sign-up/", **form)
    bob = await visit("bob")
    await post(bob, "sign-up/", "sign-up/", **{**form, "username": "axe-reader"})
    relation = {"name": "axe-reader", "next": "/players/"}
    await post(ada, "u/axe-reader/", "players/follow/", **relation)
    found = []
    for address in OWN_PAGES:
        answer = await ada.page.goto(f"{ada.home}{address}")
        assert answer.status == (404 if address == "nowhere/" else 200), address
        found += await objections(ada, f"/{address} signed in", ALL_LOOKS)
    await ada.page.goto(f"{ada.home}settings/two-factor/app/")
    await ada.page.fill("[name=password]", PASSWORD)
    await ada.page.click("main form button")
    secret = "".join((await ada.page.inner_text(".totp-key")).split())
    await ada.page.fill("[name=code]", code_of(secret))
    await ada.page.click("main form button")
    assert await ada.page.locator(".account-messages").count() == 1
    found += await objections(ada, "recovery codes, with messages", ALL_LOOKS)
    ada.errors.clear()  # the browser complains of the page that is not there
    assert not found, "\n".join(found)


@pytest.mark.timeout(300)
async def test_a_lobby_for_its_host_and_for_who_comes(visit):
    ada, bob = await visit("ada"), await visit("bob")
    lobby = await lobby_of(ada, "pincer")
    found = []
    for person, who in ((ada, "host"), (bob, "guest")):
        await person.page.goto(f"{person.home}{lobby}")
        found += await objections(person, f"lobby, {who}", ALL_LOOKS)
    await ada.page.goto(ada.home)
    found += await objections(ada, "home with a lobby of one's own")
    assert not found, "\n".join(found)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("key", KEYS)
async def test_a_game_in_all_its_states(visit, key):
    ada, bob, cy = await visit("ada"), await visit("bob"), await visit("cy")
    game = await game_of(ada, bob, key)
    for person in (ada, bob, cy):
        await person.page.goto(f"{person.home}{game}")
        await person.page.wait_for_selector("#game[data-status=live]")
    await ada.page.wait_for_selector("#game[data-turn=yours]")
    found = await objections(ada, f"{key}, own turn", ALL_LOOKS)
    if key in ("amazons", "pincer"):
        await begin_turn(ada)
        found += await objections(ada, f"{key}, a step made")
        await ada.page.keyboard.press("Escape")
    await ada.page.evaluate(SEND_SCRIPT, {"t": "act", "step": 0, "actions": FIRST[key]})
    await ada.page.wait_for_selector("#game[data-turn=waits]")
    if key in STANDING_FOR_ALL:
        found += await objections(ada, f"{key}, the other's turn")
        await bob.page.evaluate(SEND_SCRIPT, {"t": "draw", "do": "offer"})
        await ada.page.wait_for_timeout(100)
        found += await objections(ada, f"{key}, a draw offered")
    if key == "blotto":
        await bob.page.evaluate(SEND_SCRIPT, {"t": "act", "step": 0, "actions": ["troops 3 3 4"]})
        await ada.page.wait_for_selector("#troops[data-mode=reveal]")
        found += await objections(ada, f"{key}, revealed")
        await ada.page.click('[data-opens="proof"]')
        await ada.page.click('[data-opens="round-0"]')
        found += await objections(ada, f"{key}, verified")
    await bob.page.evaluate(SEND_SCRIPT, {"t": "resign"})
    await ada.page.wait_for_selector("#game[data-status=over]")
    found += await objections(ada, f"{key}, won")
    if key in STANDING_FOR_ALL:
        await cy.page.wait_for_selector("#game[data-status=over]")
        found += await objections(cy, f"{key}, over, watched")
        await ada.page.goto(f"{ada.home}{game}ledger/")
        await ada.page.click("#check")
        await ada.page.click(".entry >> nth=1 >> summary")
        found += await objections(ada, f"{key}, ledger", ALL_LOOKS)
    assert not found, "\n".join(found)


async def begin_turn(person: Visitor) -> None:
    """Chooses a piece, and its first target."""
    for _ in range(2):
        await person.page.evaluate("document.querySelector('.grid button[data-target]').click()")
