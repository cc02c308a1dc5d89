"""axe-core finds no fault on any page, in light, dark, desktop and phone."""

from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from tests.browser.browser_visitors import Visitor, game_of, lobby_of, post
from tests.support.second_factor import code_of

KEYS = ["amazons-8x8", "amazons-10x10", "amazons", "blotto", "pincer"]
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 740}
# All rules run in the light on the desktop and in the dark on the phone, those about colours and
# targets in the two looks between.
COLOURS = ["color-contrast", "link-in-text-block", "target-size"]
ALL_LOOKS = [
    ("light", DESKTOP, []),
    ("dark", DESKTOP, COLOURS),
    ("light", PHONE, COLOURS),
    ("dark", PHONE, []),
]
TWO_LOOKS = [ALL_LOOKS[0], ALL_LOOKS[3]]
OPEN_PAGES = [
    "", "watch/", "learn/", *(f"learn/{key}/" for key in KEYS), "new/", "new/?game=blotto",
    "about/", "how-it-works/", "fair-play/", "privacy/", "terms/", "contact/", "source/",
    "open-games/", "help/abandoned/", "computer/", "nowhere/", "log-in/", "sign-up/",
    "password/reset/", "settings/",
    "players/", "players/?q=nobody",
    "ratings/", "ratings/blotto/live/", "ratings/combined/", "blotto-lab/", "analysis/pincer/",
    "studies/", "studies/pincer/",
]  # fmt: skip
OWN_PAGES = [
    "", "settings/", "settings/notifications/", "notifications/", "settings/export/",
    "settings/delete/", "password/", "e-mail/",
    "settings/two-factor/", "settings/two-factor/app/", "u/axe-walker/", "nowhere/",
    "players/", "players/following/", "players/blocked/", "u/axe-reader/",
    "u/axe-reader/challenge/", "ratings/", "ratings/pincer/days/", "studies/",
]  # fmt: skip
PASSWORD = "seven-loud-archers-4"
STANDING_FOR_ALL = ("amazons-8x8", "blotto")  # for the parts that all games share
SEND_SCRIPT = """message => new Promise((done, fail) => {
    const slug = document.getElementById("game").dataset.slug;
    const socket = new WebSocket(location.origin.replace("http", "ws") + `/ws/g/${slug}/`);
    const id = Math.random().toString(36).slice(2);
    const topic = `game:${slug}`;
    socket.onopen = () => {
        socket.send(JSON.stringify({ t: "subscribe", topic }));
        socket.send(JSON.stringify({ id, topic, ...message }));
    };
    socket.onmessage = ({ data }) => {
        const { t } = JSON.parse(data);
        if (t === "receipt") { socket.close(); done(); }
        if (t === "refused") { socket.close(); fail(data); }
    };
})"""
FIRST = {
    "amazons-8x8": ["move 3 1 3 5", "fire 5 5"],
    "amazons-10x10": ["move 4 1 4 7", "fire 7 7"],
    "amazons": ["play 4 1 4 7 7 7"],
    "blotto": ["troops 5 4 1"],
    "pincer": ["move 1 5 2 5", "move 7 3 6 3"],
}


async def objections(person: Visitor, where: str, looks: Any = TWO_LOOKS) -> list[str]:
    """The violations that axe-core finds on the current page."""
    page, found = person.page, []
    if await page.evaluate("typeof axe") == "undefined":
        await page.evaluate(AXE_SCRIPT)
    for theme, size, rules in looks:
        await page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        await page.set_viewport_size(size)
        options: dict[str, Any] = {"resultTypes": ["violations"]}
        options["rules"] = {"target-size": {"enabled": True}}
        if rules:
            options["runOnly"] = {"type": "rule", "values": rules}
        results = await page.evaluate("options => axe.run(options)", options)
        for violation in results["violations"]:
            for node in violation["nodes"]:
                told = " ".join(map(str, node["target"]))
                why = (node["any"] or node["all"] or node["none"])[0]["message"]
                found.append(f"{where} ({theme}, {size['width']}): {violation['id']} {told}: {why}")
    await page.set_viewport_size(DESKTOP)
    return found


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
