"""Texts of a page that are cut, and parts of a game that cannot be reached."""

from tests.browser.visitors.browser_visitors import Visitor, game_of
from tests.support.untranslated_text import GUEST

# Texts that overflow an element with hidden overflow. Scrollable texts are not cut.
CUT = """() => {
    const found = new Set();
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.add(`the page: ${scrollWidth} > ${clientWidth}`);
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const { currentNode: node } = walk;
        const range = document.createRange();
        range.selectNodeContents(node);
        const text = range.getBoundingClientRect();
        const seen = node.parentElement.checkVisibility({ visibilityProperty: true });
        if (!seen || !node.data.trim()) continue;
        // An ellipsis ends long lines, and the name of a game in the head of its page.
        if (node.parentElement.closest(".engine-replies, #game-name")) continue;
        for (let each = node.parentElement; each; each = each.parentElement) {
            const style = getComputedStyle(each);
            const box = each.getBoundingClientRect();
            const ways = [style.overflowX, style.overflowY];
            if (ways.some(way => way === "auto" || way === "scroll")) break;
            if (!ways.some(way => way === "hidden" || way === "clip")) continue;
            if (box.width < 2 || box.height < 2) break;
            const across = Math.max(box.left - text.left, text.right - box.right);
            const along = Math.max(box.top - text.top, text.bottom - box.bottom);
            if (Math.max(across, along) > 2) found.add(node.data.trim());
        }
    }
    return [...found];
}"""
GAME_NAME = " · "  # between a game and its clock: at the head of a phone's page there is no room
LEAST_SQUARE_PX = 28
ZOOMED = {200: (640, 400), 300: (427, 267), 400: (320, 256)}  # percent of a window of 1280 × 800
# Parts needed to play, and a script that finds those which scrolling cannot reach.
PARTS = ["#sentence", "#far", "#near", ".table", ".tab[data-tab=chat]"]
UNREACHED = """parts => parts.filter(part => {
    const element = document.querySelector(part);
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const { scrollWidth, scrollHeight } = document.documentElement;
    const seen = element.checkVisibility() && right > left && bottom > top;
    return !(seen && left + scrollX >= -1 && right + scrollX <= scrollWidth + 1
        && top + scrollY >= -1 && bottom + scrollY <= scrollHeight + 1);
})"""
SQUARE = "() => document.querySelector('.grid button').getBoundingClientRect().width"


async def lost(person: Visitor, where: str) -> list[str]:
    """Texts that are cut on the current page, and its overflow."""
    await person.is_drawn()
    cut = await person.page.evaluate(CUT)
    return [f"{where}: {text}" for text in cut if not GUEST.search(text) and GAME_NAME not in text]


async def lost_in_game(person: Visitor, where: str, key: str) -> list[str]:
    """Parts of a game that are cut, unreachable or too small, on each of its tabs."""
    if await person.page.is_visible(".tab[data-tab=turn]"):
        await person.page.click(".tab[data-tab=turn]")
    found = [f"{where}: no {part}" for part in await person.page.evaluate(UNREACHED, PARTS)]
    if key != "blotto":
        square = await person.page.evaluate(SQUARE)
        if square < LEAST_SQUARE_PX - 0.01:
            found.append(f"{where}: squares of {square} px")
    for tab in ("turn", "moves", "chat", "more"):
        button = person.page.locator(f".tab[data-tab={tab}]")
        if await button.is_visible():
            await button.click()
            found += await lost(person, f"{where}, tab {tab}")
    return found


async def begin(visit, key: str) -> Visitor:
    ada, bob = await visit("ada"), await visit("bob")
    await ada.page.goto(ada.home + await game_of(ada, bob, key))
    await ada.page.wait_for_selector("#game[data-turn=yours]")
    return ada


async def check_zoomed_game(visit, key: str) -> None:
    """Checks at each zoom that every part of a game can be reached, and that no text is cut."""
    ada = await begin(visit, key)
    found = []
    for percent, (width, height) in ZOOMED.items():
        await ada.page.set_viewport_size({"width": width, "height": height})
        found += await lost_in_game(ada, f"{percent} %", key)
        scrolls = "() => document.documentElement.scrollHeight > innerHeight"
        assert await ada.page.evaluate(scrolls) or percent < 300, percent
    assert not found, "\n".join(found)
