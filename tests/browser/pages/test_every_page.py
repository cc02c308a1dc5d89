"""Every page of the site is drawn once, without an error of a script and within the policy."""

from collections.abc import Iterable

import pytest

from tests.browser.visitors.browser_visitors import Visitor, game_of, post
from tests.browser.visitors.site_pages import (
    FIRST,
    KEYS,
    OPEN_PAGES,
    OWN_PAGES,
    PASSWORD,
    SEND_SCRIPT,
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
SECOND = ["move 7 5 6 5", "move 7 7 7 6"]  # of Pincer, by black


async def see(person: Visitor, addresses: Iterable[str]) -> None:
    """Opens pages until each has been drawn, and expects no complaint."""
    for address in addresses:
        answer = await person.page.goto(f"{person.home}{address}")
        assert answer and answer.status == (404 if address == "nowhere/" else 200), address
        await person.is_drawn()
        if address == "nowhere/":
            person.errors.clear()  # the browser complains of the page that is not there
        assert not person.errors, (address, person.errors)


async def end_a_game(ada: Visitor, bob: Visitor, key: str) -> str:
    """Plays a turn of each; then Bob resigns. Returns the path of the game."""
    game = (await game_of(ada, bob, key)).lstrip("/")
    for person, step in ((ada, 0), (bob, 0 if key == "blotto" else 2)):
        await person.page.goto(f"{person.home}{game}")
        await person.page.wait_for_selector("#game[data-turn=yours]")
        turn = FIRST[key] if person is ada or key == "blotto" else SECOND
        await person.page.evaluate(SEND_SCRIPT, {"t": "act", "step": step, "actions": turn})
    await bob.page.evaluate(SEND_SCRIPT, {"t": "resign"})
    await ada.page.wait_for_selector("#game[data-status=over]")
    return game


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


async def test_the_pages_of_a_game_that_is_over_are_drawn_without_errors(visit):
    ada, bob, cy = [await watched(visit, name) for name in ("ada", "bob", "cy")]
    for key, last in (("pincer", "analysis/"), ("blotto", "lab/")):
        game = await end_a_game(ada, bob, key)
        await see(cy, [game, f"{game}ledger/", f"{game}{last}"])
    assert not [person.errors for person in (ada, bob, cy) if person.errors]
