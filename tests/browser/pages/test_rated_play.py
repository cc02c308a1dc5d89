"""Rated games in a browser: searching for one, ratings beside names, the filter of open games."""

import contextlib
import sqlite3
import time

import pytest
from playwright.async_api import expect

from tests.browser.browser_visitors import Site, Visitor, begin_game, lobby_of
from tests.browser.pages.test_player_pages import sign_up

TIMEOUT_MS = 20_000
OFFER_TIMEOUT_MS = 25_000  # the offers come after 15 s
WORD = """() => {
    const [note, word] = ['.header-note', '.rated'].map(
        (path) => document.querySelector(path).getBoundingClientRect());
    return word.right <= note.right + 1 && word.width > 0 && word.right <= innerWidth;
}"""


@pytest.fixture
def rate(site: Site):
    """Gives users a rating in live Pincer: `rate("ada-1", 1712)`."""

    def write(name: str, points: int) -> None:
        with contextlib.closing(sqlite3.connect(site.database, timeout=20)) as base, base:
            base.execute(
                "INSERT INTO ratings_generation (last_seq, is_current, made) SELECT 0, 1, 1"
                " WHERE NOT EXISTS (SELECT 1 FROM ratings_generation WHERE is_current)"
            )
            base.execute(
                "INSERT INTO ratings_person (user_id)"
                " SELECT id FROM accounts_user WHERE username = ?",
                [name],
            )
            base.execute(
                "INSERT INTO ratings_standing (generation_id, person_id, rules, speed, rating,"
                " deviation, volatility, at, games)"
                " SELECT generation.number, person.number, 'pincer', 'live', ?, 45000, 60000000,"
                " ?, 9 FROM ratings_generation generation, ratings_person person"
                " JOIN accounts_user user ON user.id = person.user_id"
                " WHERE generation.is_current AND user.username = ?",
                [points * 1_000, int(time.time() * 1_000), name],
            )

    return write


async def search_rated(person: Visitor) -> None:
    await person.page.goto(f"{person.home}play/online/?game=pincer")
    await person.page.click("label[for=rated-yes]")
    await person.page.click("#find")
    await person.page.wait_for_selector("#looking:visible, #game", timeout=TIMEOUT_MS)


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
