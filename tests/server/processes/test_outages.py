"""Unavailable database: status 503 instead of 500, and two log lines."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing

import httpx
import pytest
import websockets

from tests.support.servers.own_servers import OwnDatabase, missing
from tests.support.servers.server_process import HastyServer, Server, Visitor, start_game
from tests.support.servers.small_disk import SmallDisk, small_disk
from tests.support.servers.waiting import is_ready, is_unready, readiness, stay_unready, until
from tests.support.topic_frames import subscribe

pytestmark = pytest.mark.timeout(300)
DISK_MB = 24
FORM = {"game": "pincer", "side": "white", "visibility": "public", "clock": "none"}
NEEDS_SERVERS = pytest.mark.skipif(bool(missing()), reason=missing() or "both are there")


def lines(server: Server, event: str) -> list[dict]:
    """The JSON log records of an event."""
    return [each for each in records(server) if each.get("event") == event]


def records(server: Server) -> list[dict]:
    """All JSON log records of a server but those of the access log, one for each request."""
    words = server.log_path.read_text().splitlines()
    found = [json.loads(line) for line in words if line.startswith("{")]
    return [record for record in found if record["logger"] != "quiver.access"]


def empty_write_ahead_log(server: Server) -> None:
    """Gives back the space that SQLite would use again although the disk is full."""
    with closing(sqlite3.connect(server.database, timeout=20)) as file:
        assert file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0


async def sent(visitor: Visitor, path: str, json_wanted: bool = False, **form: str):
    """The answer to a form, with any status."""
    headers = {"X-CSRFToken": visitor.client.cookies["csrftoken"]}
    if json_wanted:
        headers["Accept"] = "application/json"
    return await visitor.client.post(path, data=form, headers=headers)


def assert_unavailable(answer: httpx.Response) -> None:
    """Checks that an answer is our 503, with all headers of our pages."""
    assert answer.status_code == 503, (answer.status_code, answer.text[:500])
    assert int(answer.headers["Retry-After"]) > 0
    assert answer.headers["Cache-Control"] == "no-store"
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "Set-Cookie" not in answer.headers
    assert "Traceback" not in answer.text and "sqlite" not in answer.text.lower()


def socket(server: Server, path: str, session: str = ""):
    """A page's socket."""
    return websockets.connect(
        f"ws://127.0.0.1:{server.port}{path}",
        origin=server.origin,
        additional_headers={"Cookie": session} if session else {},
        proxy=None,
    )


async def answer_to(page, topic: str, frame: dict) -> dict:
    """The receipt or the refusal of a frame on a topic."""
    await page.send(json.dumps({**frame, "topic": topic}))
    async with asyncio.timeout(40):
        while (told := json.loads(await page.recv()))["t"] not in ("receipt", "refused"):
            pass
    return told


@pytest.fixture
async def on_small_disk(tmp_path) -> AsyncIterator[tuple[Server, SmallDisk]]:
    """A server whose SQLite file lies on a disk that can be filled."""
    with small_disk(tmp_path / "disk", DISK_MB) as disk:
        about = {"QUIVER_LOG": "json", "QUIVER_STATIC": str(tmp_path / "static")}
        server = HastyServer(disk.path / "data", environment=about)
        server.log_path = tmp_path / "server.txt"
        await server.start()
        try:
            await until(lambda: is_ready(server))
            yield server, disk
        finally:
            server.kill()


@pytest.mark.embedded("SQLite on a full disk")
async def test_a_full_disk_is_503_logged_once_and_over_when_there_is_space(on_small_disk):
    server, disk = on_small_disk
    white, black = Visitor(server), Visitor(server)
    game = await start_game(white, black, "pincer", "none")
    slug = game.strip("/").split("/")[-1]
    stranger = Visitor(server)
    await stranger.get("/new/")
    empty_write_ahead_log(server)
    disk.fill()
    async with socket(server, f"/ws/g/{slug}/", white.session) as page:
        topic = f"game:{slug}"
        await page.send(subscribe(topic))
        for _ in range(15):
            assert_unavailable(await sent(stranger, "/lobbies/", **FORM))
        as_json = await sent(stranger, "/lobbies/", json_wanted=True, **FORM)
        assert_unavailable(as_json)
        assert as_json.json()["refused"]["reason"] == "unavailable"
        refused = await answer_to(page, topic, {"t": "resign", "id": "r"})
        assert (refused["t"], refused["reason"]) == ("refused", "busy")
        await until(lambda: is_unready(server))
        assert (await white.client.get(game)).status_code == 200  # reads still work
        # Meanwhile what goes on behind the pages every second or two fails as well.
        await stay_unready(server, 3)
        (begun,) = lines(server, "database_unavailable")
        assert (begun["level"], begun["kind"]) == ("error", "disk_full")
        assert lines(server, "database_available") == []
        assert len(records(server)) < 10, records(server)
        disk.free_up()
        await until(lambda: lines(server, "database_available"))
        assert (await answer_to(page, topic, {"t": "resign", "id": "r"}))["t"] == "receipt"
    await until(lambda: is_ready(server))
    assert (await sent(stranger, "/lobbies/", **FORM)).status_code == 302
    (over,) = lines(server, "database_available")
    assert int(over["message"].rstrip(".").split()[-1]) >= 17
    assert "Traceback" not in server.log_path.read_text()


@pytest.mark.embedded("SQLite on an almost full disk")
async def test_a_disk_that_is_almost_full_is_not_ready_although_all_works(on_small_disk):
    server, disk = on_small_disk
    disk.fill(left=DISK_MB * 2**20 // 200)  # half a per cent
    await until(lambda: is_unready(server))
    assert await readiness(server) == (503, "not ready: the disk is almost full")
    disk.free_up()
    await until(lambda: is_ready(server))


@pytest.mark.servers
@NEEDS_SERVERS
async def test_a_postgresql_that_is_away_is_503_and_closes_sockets_so_that_they_come_again(
    tmp_path,
):
    database = OwnDatabase()
    about = {
        "DATABASE_URL": database.url,
        "QUIVER_SECRET": "a secret of this server, and of nobody else",
        "QUIVER_LOG": "json",
    }
    server = HastyServer(tmp_path, environment=about)
    try:
        await server.start()
        await until(lambda: is_ready(server))
        white, black = Visitor(server), Visitor(server)
        game = await start_game(white, black, "pincer", "none")
        slug = game.strip("/").split("/")[-1]
        path, topic = f"/ws/g/{slug}/", f"game:{slug}"
        async with socket(server, path, white.session) as page:
            await page.send(subscribe(topic))
            async with asyncio.timeout(40):
                while json.loads(await page.recv())["t"] != "game":
                    pass
            database.shut()
            refused = await answer_to(page, topic, {"t": "resign", "id": "r"})
            assert refused["reason"] in ("unsure", "busy")
            answers = await asyncio.gather(
                white.client.get("/"),
                white.client.get(f"{game}steps?from=0"),
                sent(white, "/lobbies/", **FORM),
            )
            for answer in answers:
                assert_unavailable(answer)
            await until(lambda: is_unready(server))
            for about in (white.session, ""):
                async with socket(server, path, about) as another:
                    with pytest.raises(websockets.ConnectionClosed):
                        await asyncio.wait_for(another.recv(), 60)
                    assert another.close_code == 1013
            (begun,) = lines(server, "database_unavailable")
            assert (begun["level"], begun["kind"]) == ("error", "unreachable")
            ours = [each for each in records(server) if each["level"] in ("error", "critical")]
            assert ours == [begun]
            database.open()
            await until(lambda: lines(server, "database_available"))
            assert (await answer_to(page, topic, {"t": "resign", "id": "r"}))["t"] == "receipt"
        await until(lambda: is_ready(server))
        assert (await white.client.get("/")).status_code == 200
        events = [each.get("event") for each in records(server)]
        begin, end = map(events.index, ("database_unavailable", "database_available"))
        assert end - begin < 8, records(server)[begin:end]
        assert events.count("database_unavailable") == 1
        assert "Traceback" not in server.log_path.read_text()
        assert await server.stop() == 0
    finally:
        server.kill()
        database.open()
        database.drop()
