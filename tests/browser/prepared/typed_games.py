"""Games in which turns are typed, and a check that a page fits its window."""

from playwright.async_api import expect

from tests.browser.prepared.sent_turns import begin_alone
from tests.browser.probes.layout_probes import settle
from tests.browser.visitors.browser_visitors import begin_game

OUTSIDE = """() => {
    const seen = element => {
        const box = element.getBoundingClientRect();
        return box.width > 0 && box.height > 0 && getComputedStyle(element).visibility !== "hidden";
    };
    const parts = ".board, .strip .clock, #game button, #game a, #game input";
    const all = [...document.querySelectorAll(parts)];
    const inGrid = element => element.closest(".grid, .scroll, .chat, .setup, .unseen") !== null;
    return all.filter(element => seen(element) && !inGrid(element)).filter(element => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        return left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5;
    }).map(element => element.id || element.className);
}"""
SMALL = """() => [...document.querySelectorAll(
    "#game .act, #game .button, #game .look, #game .tab, #speaker, .menu summary"
)].filter(element => {
    const { width, height } = element.getBoundingClientRect();
    const shown = width > 0 && getComputedStyle(element).visibility !== "hidden";
    return shown && (width < 43.5 || height < 43.5) && !element.closest(".chat");
}).map(element => element.id || element.className)"""
TURNS = ["a5-b5 a7-a6", "g5-f5 g7-g6", "b5-c5 a6-b6", "f5-e5 g6-f6"]


async def sit_down(visit, key, clock="none", **first):
    ada, bob = await visit("ada", **first), await visit("bob")
    await begin_game(ada, bob, key, clock)
    return ada, bob


async def step_is(person, number):
    await person.page.wait_for_selector(f"#game[data-step='{number}']", timeout=10_000)


async def is_over(*people):
    for person in people:
        await person.page.wait_for_selector("#game[data-status=over]", timeout=10_000)


async def type_turn(person, text):
    """Types a turn, from anywhere on the page."""
    await person.page.keyboard.press("/")
    await person.page.keyboard.type(text)
    await person.page.keyboard.press("Enter")


async def both_act(ada, bob):
    await type_turn(ada, "a5-b5 a7-a6")
    await step_is(bob, 2)
    await type_turn(bob, "g5-f5 g7-g6")
    await step_is(ada, 4)


async def check_one_screen(visit, key, sizes):
    """Checks on each tab that nothing lies outside of the window, or is too small for a finger."""
    ada = await visit("ada")
    await begin_alone(ada, await visit("bob"), key)
    for width, height in sizes:
        await ada.page.set_viewport_size({"width": width, "height": height})
        await settle(ada)
        tabs = (
            ["turn", "moves", "more"]
            if await ada.page.is_visible(".tab[data-tab=turn]")
            else [None]
        )
        for tab in tabs:
            if tab:
                await ada.page.click(f".tab[data-tab={tab}]")
            where = f"{key} {width}x{height} {tab}"
            page = "document.documentElement"
            scroll = await ada.page.evaluate(
                f"[{page}.scrollWidth - innerWidth, {page}.scrollHeight - innerHeight]"
            )
            assert scroll == [0, 0], where
            assert await ada.page.evaluate(OUTSIDE) == [], where
            if width < 600:
                assert await ada.page.evaluate(SMALL) == [], where


async def play(ada, bob, turns=TURNS):
    """Plays Pincer from its beginning."""
    for number, turn in enumerate(turns):
        await type_turn((ada, bob)[number % 2], turn)
        for person in (ada, bob):
            await step_is(person, 2 * number + 2)
            await person.page.evaluate("document.activeElement.blur()")


async def stands(person, square):
    """The accessible name of a square."""
    return await person.page.get_attribute(f".grid button[data-square={square}]", "aria-label")


async def looks_at(person, at, count):
    await expect(person.page.locator("#place")).to_have_text(f"{at} of {count}")
