"""The look of elements, compared where colours are forced."""

from tests.browser.visitors.browser_visitors import Visitor

# Borders, outline and fill of an element, without the colour of its text.
LOOK = """selector => {
    const element = [...document.querySelectorAll(selector)].find(each => each.checkVisibility());
    if (!element) return null;
    const style = getComputedStyle(element);
    const sides = ["top", "right", "bottom", "left"].map(side => [
        style.getPropertyValue(`border-${side}-width`),
        style.getPropertyValue(`border-${side}-style`),
        style.getPropertyValue(`border-${side}-color`),
    ].join(" "));
    const outline = style.outlineStyle === "none" ? "none"
        : `${style.outlineWidth} ${style.outlineColor}`;
    return [...sides, `outline ${outline}`, `fill ${style.backgroundColor}`];
}"""
# Visible texts in the colour of the fill behind them.
UNREADABLE = """() => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Set();
    while (walk.nextNode()) {
        const element = walk.currentNode.parentElement;
        if (!walk.currentNode.data.trim() || !element.checkVisibility()) continue;
        let under = element;
        const fillOf = each => getComputedStyle(each).backgroundColor;
        while (under.parentElement && /, 0\\)$|transparent/.test(fillOf(under))) {
            under = under.parentElement;
        }
        if (fillOf(under) === getComputedStyle(element).color) {
            found.add(`${element.className}: ${walk.currentNode.data.trim()}`);
        }
    }
    return [...found];
}"""


async def look(person: Visitor, selector: str) -> list[str]:
    """The borders, outline and fill of the first visible element that matches a selector."""
    found = await person.page.evaluate(LOOK, selector)
    assert found is not None, f"nothing seen is {selector}"
    return found


async def assert_told_apart(person: Visitor, one: str, other: str) -> None:
    """Fails unless the two differ in an edge or in their fill."""
    assert await look(person, one) != await look(person, other), (one, other)


async def force_colours(*people: Visitor) -> None:
    for person in people:
        await person.page.emulate_media(forced_colors="active", reduced_motion="reduce")
