"""Every kind of page respects the content security policy without violations.

What a page does wrong on the console fails every browser test; here it is also asked of the policy
itself, and of the pages for keepers.
"""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterable

import pytest

from tests.browser.visitors.browser_visitors import Visitor, game_of, lobby_of, post
from tests.browser.visitors.site_pages import FIRST, KEYS, PASSWORD, SEND_SCRIPT, watched
from tests.support.second_factor import PERIOD, code_of
from tests.support.servers.server_process import ROOT

OPEN_PAGES = [
    "", "watch/", "learn/", *(f"learn/{key}/" for key in KEYS), "new/", "computer/", "log-in/",
    "sign-up/", "password/reset/", "settings/", "u/Wren/", "about/", "privacy/", "contact/",
]  # fmt: skip
ADMIN_PAGES = [
    "admin/", "admin/accounts/user/", "admin/accounts/user/?q=boss", "admin/chat/report/",
    "admin/chat/chatmember/", "admin/auth/group/add/",
]  # fmt: skip
TWO_FACTOR_PAGES = ["", "app/off/", "recovery-codes/", "recovery-codes/new/"]


async def see(person: Visitor, addresses: Iterable[str]) -> None:
    """Opens pages, lets each do what it does, and expects no complaint."""
    for address in addresses:
        await person.page.goto(f"{person.home}{address}", wait_until="networkidle")
        assert not person.errors, (address, person.errors)


async def test_the_listener_hears_what_the_policy_forbids(visit):
    ada = await watched(visit, "ada")
    await ada.page.goto(ada.home)
    await ada.page.evaluate(
        "() => document.head.append(Object.assign(document.createElement('style'),"
        " {textContent: 'a {}'}))"
    )
    await ada.page.wait_for_timeout(100)
    assert any("policy: style-src" in error for error in ada.errors)
    ada.errors.clear()


@pytest.mark.timeout(300)
async def test_pages_for_everybody_and_of_an_account(visit):
    ada = await watched(visit, "ada")
    await see(ada, OPEN_PAGES)
    form = {"username": "policy-walker", "password1": PASSWORD, "password2": PASSWORD}
    await post(ada, "sign-up/", "sign-up/", **form)
    own = ["settings/", "settings/export/", "settings/delete/", "password/", "e-mail/"]
    await see(ada, ["", *own, "u/policy-walker/"])


@pytest.mark.timeout(300)
@pytest.mark.parametrize("key", KEYS)
async def test_a_lobby_and_a_game_from_the_first_turn_to_the_replay(visit, key):
    ada, bob, cy = [await watched(visit, name) for name in ("ada", "bob", "cy")]
    lobby = (await lobby_of(ada, key)).lstrip("/")
    await see(ada, [lobby, "learn/"])  # from a lobby it would go to its new game by itself
    game = (await game_of(ada, bob, key)).lstrip("/")
    for person in (ada, bob, cy):
        await see(person, [game])
    await ada.page.evaluate(SEND_SCRIPT, {"t": "act", "step": 0, "actions": FIRST[key]})
    await ada.page.wait_for_selector("#game[data-turn=waits]")
    await bob.page.evaluate(SEND_SCRIPT, {"t": "resign"})
    await cy.page.wait_for_selector("#game[data-status=over]")
    await see(cy, [game, f"{game}ledger/"])
    assert not [person.errors for person in (ada, bob, cy) if person.errors]


async def give_second_factor(boss: Visitor) -> None:
    """Sets an authenticator app up, looks at its pages, and gives a code to enter the admin."""
    page = boss.page
    await page.goto(f"{boss.home}admin/")
    await page.fill("input[name=password]", PASSWORD)
    await page.click("main button.primary")
    secret = "".join(await page.locator(".totp-key span").all_inner_texts())
    assert await page.evaluate("document.querySelector('.qr-code svg').clientWidth > 100")
    await give_code(boss, code_of(secret))
    await page.wait_for_selector(".recovery-codes")
    await see(boss, ["settings/", *(f"settings/two-factor/{rest}" for rest in TWO_FACTOR_PAGES)])
    await page.goto(f"{boss.home}admin/")
    # Each code is accepted once, so this is the next one.
    await give_code(boss, code_of(secret, time.time() + PERIOD))
    await page.wait_for_selector("#site-name")


async def give_code(boss: Visitor, code: str) -> None:
    """Fills the form of a code in and sends it."""
    await boss.page.fill("input[name=code]", code)
    await boss.page.click("main button.primary")


@pytest.mark.timeout(300)
async def test_the_pages_of_the_keepers(visit, site):
    environment = {
        **os.environ,
        "QUIVER_DATA": str(site.database.parent),
        "DJANGO_SUPERUSER_PASSWORD": PASSWORD,
    }
    command = ["manage.py", "createsuperuser", "--noinput", "--username", "boss-1"]
    command = [sys.executable, *command, "--email", "boss@game.example"]
    await asyncio.to_thread(subprocess.run, command, cwd=ROOT, env=environment, check=True)
    boss = await watched(visit, "boss")
    await post(boss, "log-in/", "log-in/", login="boss-1", password=PASSWORD)
    await give_second_factor(boss)
    await see(boss, ADMIN_PAGES)
    await boss.page.goto(f"{boss.home}admin/accounts/user/?q=boss-1")
    await boss.page.click("#result_list tbody th a")
    await boss.page.wait_for_load_state("networkidle")
    await boss.page.wait_for_selector("#id_groups_from")  # written by the admin's own scripts
    assert not boss.errors
