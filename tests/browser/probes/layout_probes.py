"""Scripts that measure the parts of a game page: what is covered, cut or overlapping."""

import asyncio

from playwright.async_api import expect

from tests.browser.prepared.sent_turns import begin_alone
from tests.browser.visitors.browser_visitors import begin_game

# Resolves when the board has been in one place for three frames, in which it was drawn.
SETTLED = """() => new Promise(done => {
    const place = () => {
        const box = document.querySelector(".table").getBoundingClientRect();
        return [box.x, box.y, box.width, box.height, innerWidth, innerHeight].join();
    };
    let before = place(), still = 0;
    const look = () => {
        still = place() === before ? still + 1 : 0;
        before = place();
        if (still === 3) done(); else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})"""
# Offers and notices that are seen, each with the parts that it overlaps by more than half a pixel.
COVERED = """() => {
    const seen = element => {
        const { width, height } = element.getBoundingClientRect();
        return width > 0 && height > 0 && getComputedStyle(element).visibility !== "hidden";
    };
    const over = (one, other) => {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        return across > 0.5 && down > 0.5;
    };
    const parts = ["#sentence", "#steps", "#hint", "#hand .act", "#hand .button", "#after",
        ".table", ".strip", "#log", "#chat", "#replay", ".tab"];
    const sheets = [...document.querySelectorAll(".ask-sheet, .notice")].filter(seen);
    const covered = sheets.flatMap(sheet => parts.filter(part =>
        [...document.querySelectorAll(part)].some(each => seen(each) && over(sheet, each))
    ).map(part => `${sheet.className} over ${part}`));
    return { sheets: sheets.length, covered };
}"""
# Texts of the panel that are wider or higher than the place that shows them.
CUT = """() => [...document.querySelectorAll(
    "#sentence, .hint-line, .ask-text, .notice, .ask-sheet, #game .act span, .about dd, .tab"
)].filter(element => {
    const { clientWidth, clientHeight, scrollWidth, scrollHeight } = element;
    const seen = clientWidth > 0 && clientHeight > 0;
    return seen && (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1);
}).map(element => `${element.id || element.className}: ${element.textContent}`)"""
# Pairs of buttons that meet by more than half a pixel, where both are seen.
MEETING_BUTTONS = """() => {
    const boxOf = element => {
        let { left, top, right, bottom } = element.getBoundingClientRect();
        for (let on = element.parentElement; on; on = on.parentElement) {
            if (getComputedStyle(on).overflow === "visible") continue;
            const box = on.getBoundingClientRect();
            [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
            [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
        }
        return { element, left, top, right, bottom };
    };
    const boxes = [...document.querySelectorAll("button, a.act, a.button, .resize, .hint-line")]
        .filter(each => !each.closest(".grid"))
        .filter(each => each.checkVisibility({ visibilityProperty: true }))
        .map(boxOf);
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
    const isIcon = ({ element }) => element.matches(".icon-button"); // their boxes share an edge
    return boxes.flatMap((a, n) => boxes.slice(n + 1)
        .filter(b => meet(a, b) && !(isIcon(a) && isIcon(b)))
        .map(b => [a, b].map(({ element }) => element.id || element.className).join(" on ")));
}"""
OVERFLOW = """() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [scrollWidth - innerWidth, scrollHeight - innerHeight];
}"""
PRESS_SQUARE = """
(square => document.querySelector(`.grid button[data-square="${square}"]`).click())"""
TYPED = {
    "amazons-10x10": [("ada", "d1-d7/g7"), ("bob", "a7-b7/b8")],
    "pincer": [("ada", "a5-b5 a7-a6"), ("bob", "g5-f5 g7-g6")],
}


async def settle(person):
    """Waits until a page of another size has been laid out and drawn."""
    await person.page.evaluate(SETTLED)


async def resize(person, width, height):
    await person.page.set_viewport_size({"width": width, "height": height})
    await settle(person)


async def both_have_played(ada, bob, key):
    """A turn of each, so that there is something to resign, to draw and to look back at."""
    if key == "blotto":
        await asyncio.gather(ada.seal((4, 3, 3)), bob.seal((3, 3, 4)))
        await ada.page.wait_for_selector("#game[data-step='1']")
        return
    people = {"ada": ada, "bob": bob}
    for step, (name, text) in enumerate(TYPED[key], start=1):
        page = people[name].page
        await page.keyboard.press("/")
        await page.keyboard.type(text)
        await page.keyboard.press("Enter")
        done = step * 2
        await ada.page.wait_for_selector(f"#game[data-step='{done}']")
        await bob.page.wait_for_selector(f"#game[data-step='{done}']")


async def part_names(person):
    """The tabs to look behind; without tabs for the status, one look is enough."""
    if await person.page.is_visible(".tab[data-tab=turn]"):
        return ["turn", "moves", "chat"]
    return ["moves"]


async def check_nothing_is_covered(visit, proxy, key, sizes):
    """Checks that an offer of a draw and the notice of a cut line cover no part of the page."""
    ada, bob = await visit("ada", line=proxy), await visit("bob")
    await begin_game(ada, bob, key)
    await both_have_played(ada, bob, key)
    await bob.offer_draw()
    offer = ada.page.locator('.ask-sheet[data-thing^="draw"]')
    await expect(offer).to_have_count(1)
    for width, height in sizes:
        await resize(ada, width, height)
        for tab in await part_names(ada):
            if await ada.page.is_visible(f".tab[data-tab={tab}]"):
                await ada.page.click(f".tab[data-tab={tab}]")
            where = f"{key} {width}x{height} {tab}"
            found = await ada.page.evaluate(COVERED)
            assert found["sheets"] >= 1, where
            assert found["covered"] == [], where
            assert await ada.page.evaluate(OVERFLOW) == [0, 0], where
            assert await ada.page.evaluate(CUT) == [], where
    proxy.cut()
    await expect(ada.page.locator('.notice[data-kind="line"]')).to_be_visible(timeout=10_000)
    for width, height in sizes:
        await resize(ada, width, height)
        found = await ada.page.evaluate(COVERED)
        assert found["sheets"] >= 1, (width, height)
        assert found["covered"] == [], (width, height)


async def check_no_buttons_meet(visit, key):
    """Checks at three sizes that no button overlaps another while a turn is composed."""
    ada = await visit("ada")
    await begin_alone(ada, await visit("bob"), key)
    if key == "blotto":
        await ada.page.click('button[data-field="0"][data-do="plus"]')
    else:
        for square in ("d1", "d6") if key == "amazons" else ("a5", "b5"):
            await ada.page.evaluate(f"{PRESS_SQUARE}('{square}')")
    undo = ada.page.locator("#undo")
    for width, height in ((768, 1024), (1280, 800), (390, 844)):
        await resize(ada, width, height)
        await expect(undo).to_be_visible()
        assert await ada.page.evaluate(MEETING_BUTTONS) == [], (key, width, height)
        assert await ada.page.evaluate(CUT) == [], (key, width, height)
