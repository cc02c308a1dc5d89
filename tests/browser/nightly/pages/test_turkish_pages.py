"""Turkish pages in a browser: no English left, and room for longer words."""

import pytest

from tests.browser.chromium.system_fonts import with_each_font
from tests.browser.probes.cut_texts import CUT, GAME_NAME
from tests.browser.visitors.browser_visitors import Visitor, game_of, lobby_of
from tests.browser.visitors.site_pages import FIRST, KEYS, SEND_SCRIPT
from tests.support.untranslated_text import GUEST, english_in

PHONE, DESKTOP = {"width": 360, "height": 640}, {"width": 1280, "height": 800}
OPEN_PAGES = [
    "", "watch/", "learn/", "learn/amazons/", "learn/blotto/", "learn/pincer/", "new/",
    "new/?game=blotto", "log-in/", "sign-up/", "password/reset/", "settings/",
    "computer/", "computer/?game=blotto", "u/Eagle/", "blotto-lab/", "analysis/pincer/",
    "analysis/amazons-8x8/", "puzzles/", "daily/archive/", "studies/", "studies/pincer/",
]  # fmt: skip
TABS = {
    "amazons": ["moves", "chat", "more", "turn"],
    "blotto": ["moves", "chat", "more", "turn"],
    "pincer": ["more", "turn"],
}
# All visible and accessible texts of the page, without the templates of rows.
READ = """() => {
    const apart = "script, style, template, [lang=en]";
    const found = [document.title];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const { currentNode: node } = walk;
        if (!node.parentElement.closest(apart)) found.push(node.textContent.trim());
    }
    for (const name of ["aria-label", "aria-valuetext", "title", "placeholder"]) {
        document.querySelectorAll(`[${name}]`).forEach(each => found.push(each.getAttribute(name)));
    }
    return found.filter(Boolean);
}"""


async def in_turkish(person: Visitor) -> Visitor:
    """Somebody who has chosen Turkish."""
    cookie = {"name": "django_language", "value": "tr", "url": person.home}
    await person.page.context.add_cookies([cookie])
    return person


async def faults(person: Visitor, where: str, *sizes: dict[str, int]) -> list[str]:
    """English texts and cut texts on the current page, at these sizes."""
    found = []
    for size in sizes or (PHONE, DESKTOP):
        await person.page.set_viewport_size(size)
        await person.page.wait_for_timeout(100)
        for text in await person.page.evaluate(CUT):
            if not GUEST.search(text) and GAME_NAME not in text:
                found.append(f"{where}, {size['width']}: cut: {text}")
    told = english_in(await person.page.evaluate(READ))
    return [*found, *(f"{where}: English: {text}" for text in told)]


@with_each_font
@pytest.mark.timeout(300)
async def test_pages_that_belong_to_no_game(visit):
    ada = await in_turkish(await visit("ada"))
    found = []
    for address in OPEN_PAGES:
        await ada.page.goto(f"{ada.home}{address}")
        found += await faults(ada, f"/{address}")
    assert not found, "\n".join(found)


@with_each_font
@pytest.mark.timeout(300)
async def test_a_lobby_for_its_host_and_for_who_comes(visit):
    ada, bob = await in_turkish(await visit("ada")), await in_turkish(await visit("bob"))
    lobby = await lobby_of(ada, "pincer")
    found = []
    for person, who in ((ada, "host"), (bob, "guest")):
        await person.page.goto(f"{person.home}{lobby}")
        found += await faults(person, f"lobby, {who}")
    assert not found, "\n".join(found)


@with_each_font
@pytest.mark.timeout(300)
@pytest.mark.parametrize("key", TABS)
async def test_a_game_from_its_first_turn_to_its_end(visit, key):
    ada, bob, cy = [await in_turkish(await visit(name)) for name in ("ada", "bob", "cy")]
    assert key in KEYS
    game = await game_of(ada, bob, key)
    for person in (ada, bob, cy):
        await person.page.goto(f"{person.home}{game}")
        await person.page.wait_for_selector("#game[data-status=live]")
    await ada.page.wait_for_selector("#game[data-turn=yours]")
    found = await faults(ada, "own turn")
    for tab in TABS[key]:
        await ada.page.set_viewport_size(PHONE)
        await ada.page.click(f".tab[data-tab={tab}]")
        found += await faults(ada, f"tab {tab}", PHONE)
    await ada.page.evaluate("document.querySelector('#open-setup').click()")
    await ada.page.wait_for_selector("#setup[open]")
    found += await faults(ada, "settings")
    await ada.page.click("#close-setup")
    await ada.page.set_viewport_size(PHONE)
    await ada.page.click(".tab[data-tab=turn]")
    if key != "blotto":
        for step in ("a piece chosen", "half a turn"):
            await ada.page.evaluate("document.querySelector('.grid button[data-target]').click()")
            found += await faults(ada, step)
        for _ in range(3):
            await ada.page.keyboard.press("Escape")
    await ada.page.evaluate(SEND_SCRIPT, {"t": "act", "step": 0, "actions": FIRST[key]})
    await ada.page.wait_for_selector("#game[data-turn=waits]")
    found += await faults(ada, "the other's turn")
    if key == "blotto":
        await bob.page.evaluate(SEND_SCRIPT, {"t": "act", "step": 0, "actions": ["troops 3 3 4"]})
        await ada.page.wait_for_selector("#troops[data-mode=reveal]")
        found += await faults(ada, "revealed")
    await bob.page.evaluate(SEND_SCRIPT, {"t": "draw", "do": "offer"})
    await ada.page.wait_for_selector("#asks:not(:empty)")
    found += await faults(ada, "a draw offered")
    await ada.page.evaluate("document.querySelector('#resign').click()")
    found += await faults(ada, "a question")
    await bob.page.evaluate(SEND_SCRIPT, {"t": "resign"})
    for person in (ada, cy):
        await person.page.wait_for_selector("#game[data-status=over]")
        found += await faults(person, f"over, {person.name}")
    await ada.page.goto(f"{ada.home}{game}{'lab' if key == 'blotto' else 'analysis'}/")
    if key == "blotto":
        await ada.page.fill("#trainer-fields label:first-child input", "10")
        await ada.page.click("#trainer-play")
    else:
        await ada.page.click("#review-start")
        await ada.page.wait_for_selector("#review-counts:not(:empty)")
        await ada.page.click("#engine-toggle")
        await ada.page.wait_for_selector("#engine-lines li")
    found += await faults(ada, "study")
    assert not found, "\n".join(found)
