"""A rated search in a browser, and the ratings beside names."""

from playwright.async_api import expect

from tests.browser.visitors import rated_visitors
from tests.browser.visitors.account_people import sign_up
from tests.browser.visitors.rated_visitors import search_rated

rate = rated_visitors.rate
WORD = """() => {
    const [note, word] = ['.header-note', '.rated'].map(
        (path) => document.querySelector(path).getBoundingClientRect());
    return word.right <= note.right + 1 && word.width > 0 && word.right <= innerWidth;
}"""


async def test_a_rated_search_ends_in_a_rated_game_with_ratings_in_the_strips(visit, rate) -> None:
    ada, bob, eve = (
        await visit("ada", width=390, height=844),
        await visit("bob"),
        await visit("eve"),
    )
    names = [await sign_up(person, person.name) for person in (ada, bob)]
    for name, points in zip(names, (1_712, 1_650), strict=True):
        rate(name, points)
    await search_rated(ada)
    await expect(ada.page.locator("#looking-terms")).to_have_text("Rated")
    await search_rated(bob)
    slug = await ada.wait_for_game()
    await bob.wait_for_game()
    await eve.page.goto(f"{eve.home}g/{slug}/")
    for person in (ada, bob, eve):
        strips = person.page.locator(".strip .line")
        await expect(strips.filter(has_text=names[0])).to_contain_text("1712")
        await expect(strips.filter(has_text=names[1])).to_contain_text("1650")
    for width, height in ((390, 844), (768, 1024), (1280, 800)):
        await ada.page.set_viewport_size({"width": width, "height": height})
        assert await ada.page.evaluate(WORD), (width, height)
        await expect(ada.page.locator(".rated")).to_have_text("· Rated")
