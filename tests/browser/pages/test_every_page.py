"""Every page of the site is drawn once, without an error of a script and within the policy."""

from collections.abc import Iterable

import pytest

from tests.browser.prepared.sent_turns import end_a_game, play_first_turns, send
from tests.browser.visitors.browser_visitors import Visitor, post
from tests.browser.visitors.site_pages import (
    KEYS,
    OPEN_PAGES,
    OWN_PAGES,
    PASSWORD,
    watched,
)

MORE_OPEN_PAGES = [
    "ladder/", "play/online/", "play/friend/", "log-in/by-email/", "offline/", "puzzles/",
    "daily/archive/", "u/Wren/", "computer/?game=blotto",
    *(f"analysis/{key}/" for key in KEYS if key != "blotto"),
]  # fmt: skip
MORE_OWN_PAGES = [
    "settings/rated-play/", "play/online/", "open-games/", "u/axe-walker/statistics/",
    "u/axe-walker/studies/",
]  # fmt: skip


async def see(person: Visitor, addresses: Iterable[str]) -> None:
    """Opens pages until each has been drawn, and expects no complaint."""
    for address in addresses:
        answer = await person.page.goto(f"{person.home}{address}")
        assert answer and answer.status == (404 if address == "nowhere/" else 200), address
        await person.is_drawn()
        if address == "nowhere/":
            person.errors.clear()  # the browser complains of the page that is not there
        assert not person.errors, (address, person.errors)


@pytest.mark.timeout(300)
async def test_every_page_for_everybody_is_drawn_without_errors(visit):
    await see(await watched(visit, "ada"), dict.fromkeys([*OPEN_PAGES, *MORE_OPEN_PAGES]))


@pytest.mark.timeout(300)
async def test_every_page_of_an_account_is_drawn_without_errors(visit):
    ada, bob = await watched(visit, "ada"), await visit("bob")
    for person, name in ((ada, "axe-walker"), (bob, "axe-reader")):
        form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
        await post(person, "sign-up/", "sign-up/", **form)
    await end_a_game(ada, bob, "pincer")
    relation = {"name": "axe-reader", "next": "/players/"}
    await post(ada, "u/axe-reader/", "players/follow/", **relation)
    await see(ada, [*OWN_PAGES, *MORE_OWN_PAGES])


async def test_the_pages_of_a_game_and_of_one_that_is_over_are_drawn_without_errors(visit):
    ada, bob, cy = [await watched(visit, name) for name in ("ada", "bob", "cy")]
    for key, last in (("pincer", "analysis/"), ("blotto", "lab/")):
        game = await play_first_turns(ada, bob, key)
        await see(ada, [game])
        await ada.page.wait_for_selector("#game[data-turn=yours]")
        await send(bob, game, {"t": "resign"})
        await ada.page.wait_for_selector("#game[data-status=over]")
        await see(cy, [game, f"{game}ledger/", f"{game}{last}"])
    assert not ada.errors
