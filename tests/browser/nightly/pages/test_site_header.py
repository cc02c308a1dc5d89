"""Header, menu and footer of all pages: they lead everywhere, and nothing wraps or overlaps."""

import pytest
from playwright.async_api import expect

from tests.browser.visitors.account_people import sign_up
from tests.browser.visitors.browser_visitors import game_of

WIDTHS = [360, 390, 600, 640, 700, 768, 900, 1000, 1001, 1280, 1920]
# Links and buttons of the header that overlap, wrap, or leave the window.
FAULTS = """() => {
    const all = [...document.querySelectorAll(
        ".mark, .nav a, .header-end > a, .header-end .icon-button, .header-end summary"
    )].filter(each => each.getClientRects().length > 0);
    const name = each => each.textContent.trim() || each.className;
    const row = document.querySelector(".header-row").getBoundingClientRect();
    const out = all.filter(each => {
        const box = each.getBoundingClientRect();
        const outside = box.left < 0 || box.right > innerWidth;
        return outside || box.top < row.top - 0.5 || box.bottom > row.bottom + 1;
    }).map(each => `${name(each)} leaves the header`);
    const over = all.flatMap((one, index) => all.slice(index + 1).filter(other => {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5;
    }).map(other => `${name(one)} over ${name(other)}`));
    return [...out, ...over];
}"""


@pytest.mark.parametrize("language", ["en", "tr"])
async def test_the_header_holds_all_its_links_at_every_width(visit, language) -> None:
    ada, bob = await visit("ada"), await visit("bob")
    await sign_up(ada, "wwwwww-wwwww")
    await game_of(ada, bob, "pincer")
    await ada.page.context.add_cookies(
        [{"name": "django_language", "value": language, "url": ada.home}]
    )
    await ada.page.goto(f"{ada.home}learn/")
    await expect(ada.page.locator("html")).to_have_attribute("lang", language)
    await expect(ada.page.locator("#turn")).to_be_visible()
    for width in WIDTHS:
        await ada.page.set_viewport_size({"width": width, "height": 900})
        assert await ada.page.evaluate(FAULTS) == [], width


async def test_puzzles_ladder_and_studies_are_in_the_menu_of_a_phone(visit) -> None:
    ada = await visit("ada", width=360, height=740)
    for path, name in (("puzzles/", "Puzzles"), ("ladder/", "Ladder"), ("studies/", "Studies")):
        await ada.go_home()
        await ada.page.click("summary[aria-label=Menu]")
        await ada.page.locator(".menu-sheet").get_by_role("link", name=name, exact=True).click()
        await ada.page.wait_for_url(f"**/{path}")
        await ada.page.click("summary[aria-label=Menu]")
        current = ada.page.locator(".menu-sheet a[aria-current=page]")
        await expect(current).to_have_text([name])


async def test_puzzles_ladder_and_studies_are_in_the_footer(visit) -> None:
    ada = await visit("ada")
    for path, name in (("puzzles/", "Puzzles"), ("ladder/", "Ladder"), ("studies/", "Studies")):
        await ada.page.goto(f"{ada.home}about/")
        await ada.page.locator(".footer").get_by_role("link", name=name, exact=True).click()
        await ada.page.wait_for_url(f"**/{path}")
