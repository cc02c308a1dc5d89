"""Notices that are written as another process writes them."""

import contextlib
import json
import sqlite3
import time

from tests.browser.visitors.browser_visitors import Site, Visitor

TURN = {"rules": "pincer", "opponent": "grace", "deadline": None, "is_first": False}


async def user_of(person: Visitor, site: Site) -> int:
    """Make the visitor a guest by a lobby; return the id of that user."""
    await person.open_lobby("pincer")
    name = (await person.page.text_content("header .menu-name") or "").strip()
    with contextlib.closing(sqlite3.connect(site.database, timeout=20)) as database:
        found = database.execute("SELECT id FROM accounts_user WHERE username = ?", [name])
        return int(found.fetchone()[0])


def tell(site: Site, user: int, subject: str) -> None:
    """Write a notice as another process does: no hint, only a commit."""
    at = int(time.time() * 1000)
    row = (user, "turn", subject, 0, json.dumps(TURN), at, at, False)
    with contextlib.closing(sqlite3.connect(site.database, timeout=20)) as database, database:
        database.execute(
            "INSERT INTO notices_notice"
            " (user_id, kind, subject, serial, data, created, due, is_planned)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            row,
        )
        database.execute(
            "INSERT INTO notices_inbox (user_id, rev) VALUES (?, 1)"
            " ON CONFLICT (user_id) DO UPDATE SET rev = rev + 1",
            [user],
        )
