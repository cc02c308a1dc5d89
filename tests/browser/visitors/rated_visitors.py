"""People with ratings, and searches for rated games."""

import contextlib
import sqlite3
import time

import pytest

from tests.browser.visitors.browser_visitors import Site, Visitor

TIMEOUT_MS = 20_000


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
