"""A copy of the database opens no session: it holds digests of session keys."""

import json
import re
import sqlite3
import zlib
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from urllib.parse import unquote

import httpx
import pytest
import redis
import websockets

from tests.support.servers.mail_server import MailServer
from tests.support.servers.own_servers import REDIS, missing
from tests.support.servers.server_process import Server, Visitor, start_game
from tests.support.sign_up_forms import PASSWORD, new_account
from tests.support.topic_frames import subscribe

PRIVATE = ("sessionid", "csrftoken")  # cookies that must not be readable in a copy
BY_LENGTH = 30  # no shorter value is taken for a digest
SIGNED = re.compile(r"(?P<zip>\.?)(?P<data>[\w-]+):[\w-]+:[\w-]{43}")  # django.core.signing


class Recorded(Visitor):
    """A visitor who keeps every value of the private cookies that the site ever set."""

    def __init__(self, server: Server) -> None:
        super().__init__(server)
        self.values: set[str] = set()
        self.client.event_hooks["response"].append(self._note)

    async def _note(self, response: httpx.Response) -> None:
        for name in PRIVATE:
            if value := response.cookies.get(name):
                self.values.add(value)

    @property
    def key(self) -> str:
        """The key of the session that the browser has now."""
        return self.client.cookies["sessionid"]


async def visit(server: Server, mails: MailServer) -> list[Recorded]:
    """A guest and an account play, and the account changes its password and logs out; a second
    account stays, with mails to confirm an address and to reset the password. Returns the three."""
    guest, account, other = (Recorded(server) for _ in range(3))
    mail = f"{token_hex(8)}@example.org"  # limits count mails by address, in Redis across tests
    await account.post("/sign-up/", **new_account())
    mails.mails.clear()
    await other.post("/sign-up/", **new_account(), email=mail)
    await Visitor(server).post("/password/reset/", email=mail)
    links = [mails.links(part)[0] for part in ("/e-mail/", "/password/reset/")]
    other.values.update(unquote(link).rstrip("/").split("/")[-1] for link in links)
    address = await start_game(guest, account, "pincer", "none")
    await play(server, guest, address)
    new = "ten sharp arrows"
    await account.post("/password/", oldpassword=PASSWORD, password1=new, password2=new)
    await account.get("/settings/")
    await account.post("/log-out/")
    for visitor in (guest, account, other):
        assert len(visitor.values) >= 2, "at least a session and a form's token"
    for visitor in (guest, other):
        token = {"X-CSRFToken": visitor.client.cookies["csrftoken"]}
        form = {"password": PASSWORD}
        export = await visitor.client.post("/settings/export/", data=form, headers=token)
        assert export.json()["profile"]["name"]
        assert not [value for value in visitor.values if value in export.text]
    return [guest, account, other]


async def play(server: Server, visitor: Visitor, address: str) -> None:
    """Acts once by a socket, which is open to the one session only."""
    slug = address.strip("/").split("/")[-1]
    async with websockets.connect(
        f"ws://127.0.0.1:{server.port}/ws/g/{slug}/",
        origin=server.origin,
        additional_headers={"Cookie": visitor.session},
        proxy=None,
    ) as page:
        act = {"t": "act", "id": "a", "step": 0, "actions": ["move 1 5 2 5"]}
        await page.send(subscribe(f"game:{slug}"))
        await page.send(json.dumps({**act, "topic": f"game:{slug}"}))
        while (frame := json.loads(await page.recv()))["t"] not in ("receipt", "refused"):
            pass
        assert frame["t"] == "receipt", frame


def assert_hidden(visitors: list[Recorded], copy: dict[str, str]) -> None:
    """Asserts that no private cookie's value is in any of the named texts."""
    secrets = {value for visitor in visitors for value in visitor.values}
    found = {where for where, text in copy.items() for value in secrets if value in text}
    assert found == set()


async def assert_no_way_in(server: Server, visitors: list[Recorded], copy: dict[str, str]) -> None:
    """Asserts that no word of the copy, sent as a cookie, is anybody's session."""
    _, _, other = visitors
    words = {word for text in copy.values() for word in text.split() if len(word) >= BY_LENGTH}
    assert words, "there are digests to try"
    async with httpx.AsyncClient(base_url=server.origin, trust_env=False) as thief:
        assert await is_inside(thief, other.key), "the cookie itself lets in"
        for word in sorted(words):
            if word.isascii() and word.isalnum():
                assert not await is_inside(thief, word), word


async def is_inside(client: httpx.AsyncClient, key: str) -> bool:
    """Whether a session key logs somebody in."""
    answer = await client.get("/settings/", headers={"Cookie": f"sessionid={key}"})
    assert answer.status_code == 200
    return "/log-out/" in answer.text


def readable(value: object) -> str:
    """A value as text; after a session's signed data also what everybody can read of it."""
    text = str(value)
    if found := SIGNED.fullmatch(text):
        data = b64decode(found["data"] + "=" * (-len(found["data"]) % 4), altchars=b"-_")
        text += "\n" + (zlib.decompress(data) if found["zip"] else data).decode()
    return text


def texts_of_sqlite(path: Path) -> Iterator[tuple[str, str]]:
    """Every column of every table as text, by its name."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as line:
        tables = line.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (table,) in tables:
            for (column,) in line.execute(f"SELECT name FROM pragma_table_info('{table}')"):
                rows = line.execute(f'SELECT "{column}" FROM "{table}"').fetchall()
                yield f"{table}.{column}", "\n".join(readable(value) for (value,) in rows)


def texts_of_redis() -> Iterator[tuple[str, str]]:
    """Every key of Redis with its value, as Redis would write it to disk."""
    with redis.Redis.from_url(REDIS) as line:
        for key in line.scan_iter():
            yield repr(key), repr(key) + repr(line.dump(key))


def texts_of_postgresql(url: str) -> Iterator[tuple[str, str]]:
    """The same of a database of PostgreSQL."""
    import psycopg
    from psycopg import sql

    with psycopg.connect(url) as line:
        columns = line.execute(
            "SELECT table_name, column_name FROM information_schema.columns"
            " WHERE table_schema = 'public'"
        ).fetchall()
        for table, column in columns:
            names = sql.Identifier(column), sql.Identifier(table)
            query = sql.SQL("SELECT {}::text FROM {}").format(*names)
            rows = line.execute(query).fetchall()
            yield f"{table}.{column}", "\n".join(readable(value) for (value,) in rows)


async def test_no_cookie_or_link_can_be_read_from_the_sqlite_file(
    shared_server, shared_mails
) -> None:
    visitors = await visit(shared_server, shared_mails)
    copy = dict(texts_of_sqlite(shared_server.database))
    assert copy["accounts_revocation.id"], "the log-out is written down"
    assert "_auth_user_id" in copy["accounts_session.session_data"], "its data can be read"
    assert copy["django_session.session_key"] == "", "Django's own table stays empty"
    assert_hidden(visitors, copy)
    # Deleted rows may live on in free pages and in the write-ahead log.
    files = [*shared_server.data.glob("quiver.sqlite3*"), shared_server.log_path]
    assert {"quiver.sqlite3", "quiver.sqlite3-wal"} <= {file.name for file in files}
    assert_hidden(visitors, {file.name: file.read_bytes().decode("latin1") for file in files})
    await assert_no_way_in(shared_server, visitors, copy)


@pytest.mark.servers
@pytest.mark.skipif(bool(missing()), reason=missing() or "both are there")
async def test_no_cookie_or_link_can_be_read_from_postgresql_or_redis(
    shared_pair, shared_mails
) -> None:
    server = shared_pair.one
    visitors = await visit(server, shared_mails)
    assert_hidden(visitors, dict(texts_of_redis()))
    copy = dict(texts_of_postgresql(server.environment["DATABASE_URL"]))
    assert copy["accounts_revocation.id"], "the log-out is written down"
    assert "_auth_user_id" in copy["accounts_session.session_data"], "its data can be read"
    assert copy["django_session.session_key"] == "", "Django's own table stays empty"
    assert_hidden(visitors, copy)
    await assert_no_way_in(server, visitors, copy)
