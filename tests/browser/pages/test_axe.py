"""axe-core finds no fault on the pages that most visitors see, in light and dark."""

import pytest

from tests.browser.prepared.sent_turns import begin_alone, send
from tests.browser.probes.axe_objections import FEW_LOOKS, objections
from tests.browser.visitors.browser_visitors import lobby_of

FIRST_PAGES = ["", "new/?game=blotto", "learn/pincer/", "computer/", "sign-up/", "settings/"]


@pytest.mark.timeout(300)
async def test_the_pages_on_the_way_into_a_game(visit):
    ada = await visit("ada")
    found = []
    for address in FIRST_PAGES:
        await ada.page.goto(f"{ada.home}{address}")
        found += await objections(ada, f"/{address}", FEW_LOOKS)
    assert not found, "\n".join(found)


@pytest.mark.timeout(300)
async def test_a_lobby_and_a_game_of_blotto_from_its_first_turn_to_its_end(visit):
    ada, bob = await visit("ada"), await visit("bob")
    lobby = await lobby_of(ada, "pincer")
    await ada.page.goto(f"{ada.home}{lobby}")
    found = await objections(ada, "lobby, host", FEW_LOOKS)
    game = await begin_alone(ada, bob, "blotto")
    found += await objections(ada, "blotto, own turn", FEW_LOOKS)
    await send(bob, game, {"t": "resign"})
    await ada.page.wait_for_selector("#game[data-status=over]")
    found += await objections(ada, "blotto, won", FEW_LOOKS)
    assert not found, "\n".join(found)
