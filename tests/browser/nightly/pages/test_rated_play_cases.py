"""Rated games in a browser: searching for one, ratings beside names, the filter of open games."""

from playwright.async_api import expect

from tests.browser.visitors import rated_visitors
from tests.browser.visitors.account_people import sign_up
from tests.browser.visitors.browser_visitors import begin_game, lobby_of
from tests.browser.visitors.rated_visitors import TIMEOUT_MS, search_rated

rate = rated_visitors.rate
OFFER_TIMEOUT_MS = 25_000  # the offers come after 15 s


async def test_a_rated_search_can_take_casual_games_too(visit) -> None:
    ada, bob = await visit("ada"), await visit("bob")
    await sign_up(ada, "ada")
    await search_rated(ada)
    await bob.search("pincer")
    too = ada.page.locator("#casual-too button")
    await expect(too).to_be_hidden()
    await too.click(timeout=OFFER_TIMEOUT_MS)
    assert await ada.wait_for_game() == await bob.wait_for_game()
    await expect(ada.page.locator(".rated")).to_have_count(0)


async def test_a_casual_game_of_people_without_ratings_shows_none(visit) -> None:
    ada, bob = await visit("ada"), await visit("bob")
    await begin_game(ada, bob, "pincer")
    for rating in await ada.page.locator(".strip .rating").all():
        await expect(rating).to_be_empty()


async def test_open_games_are_filtered_by_rating_and_the_choice_stays(visit, rate) -> None:
    ada, bob, cy = [await visit(name) for name in ("ada", "bob", "cy")]
    for person, points in ((ada, 1_500), (bob, 1_650), (cy, 1_950)):
        rate(await sign_up(person, person.name), points)
    rows = []
    # Hosts of equal games would be paired with each other.
    for host, clock in ((bob, "fischer:300:3"), (cy, "fischer:600:5")):
        path = await lobby_of(host, "pincer", clock)
        await host.page.goto(f"{host.home}{path}")
        code = path.strip("/").rsplit("/", 1)[1]
        rows.append(ada.page.locator(f'li[data-key="{code}"]'))
    await ada.go_home()
    for row, rating in zip(rows, ("1650", "1950"), strict=True):
        await expect(row.locator(".row-name")).to_contain_text(rating, timeout=TIMEOUT_MS)
    await ada.page.click("#near button[data-choice=near]")
    for _ in range(2):
        await expect(rows[1]).to_have_count(0)
        await expect(rows[0]).to_be_visible()
        await expect(ada.page.locator("#near-note")).to_contain_text("near your rating")
        await ada.page.reload()
    await ada.page.click("#near button[data-choice=all]")
    await expect(rows[1]).to_be_visible()
    await expect(ada.page.locator("#near-note")).to_be_hidden()
