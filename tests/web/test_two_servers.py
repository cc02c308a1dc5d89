"""Two web processes of one site: what one is told, the pages of the other show."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import suppress

import httpx
import pytest
import websockets
from newcomers import NEW, PASSWORD
from own_servers import missing
from pair import Pair
from real_page import Page
from real_server import Server, Visitor, free_port, start_game

from games.catalogue import RULES
from play.mailbox import SIGNED_OUT

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(bool(missing()), reason=missing() or "both are there"),
    pytest.mark.timeout(300),
]
WRITE = {"t": "resign", "id": "too-late"}


@pytest.fixture(params=["redis", "no redis"])
async def pair(request, tmp_path) -> AsyncIterator[tuple[Pair, float]]:
    """Two servers, and the seconds in which each shows what the other was told: with Redis, and
    with one that is not there."""
    nowhere = f"redis://127.0.0.1:{free_port()}/0"
    pair = Pair(tmp_path) if request.param == "redis" else Pair(tmp_path, redis=nowhere)
    try:
        await pair.start()
        yield pair, 1.0 if request.param == "redis" else 3.0
    finally:
        await pair.stop()


async def sit_down(pair: Pair, key: str) -> tuple[Page, Page, list[Page]]:
    """White on one server, black on the other, and a spectator on each."""
    host, guest = Visitor(pair.one), Visitor(pair.other)
    game = await start_game(host, guest, key, "none")
    slug = game.rstrip("/").rsplit("/", 1)[1]
    white = Page(pair.one, slug, "white", "white", host.session)
    black = Page(pair.other, slug, "black", "black", guest.session)
    others = [Page(server, slug, f"cy-{server.port}", None) for server in (pair.one, pair.other)]
    for page in (white, black, *others):
        page.open()
        await page.until(lambda state: True)
    for visitor in (host, guest):
        await visitor.client.aclose()
    return white, black, others


async def goes(page: Page, actions: tuple[str, ...]) -> dict:
    """Sends a go; its receipt."""
    frame = page.compose("act", turn=page.state["turn"], actions=list(actions))
    answer = await page.ask(frame)
    assert answer["t"] == "receipt", answer
    return answer


def first_go(key: str, role: str) -> tuple[str, ...]:
    """Some first action of a role."""
    rules = RULES[key]
    choices = rules.choices(rules.start(), role)
    return (str(next(iter(choices))),)


async def seen(rev: int, *pages: Page) -> float:
    """The seconds until all pages show a rev."""
    start = time.monotonic()
    await asyncio.gather(*(page.until(lambda state: state["rev"] >= rev) for page in pages))
    return time.monotonic() - start


async def test_what_one_server_is_told_the_pages_of_the_other_show_soon(pair):
    servers, soon = pair
    waits = {}
    for key in RULES:
        white, black, others = await sit_down(servers, key)
        await asyncio.sleep(0.3)
        receipt = await goes(white, first_go(key, "white"))
        waits[key] = await seen(receipt["rev"], black, *others)
        if key == "blotto":
            receipt = await goes(black, first_go(key, "black"))
            waits["reveal"] = await seen(receipt["rev"], white, *others)
        for page in (white, black, *others):
            await page.close()
    print("seconds until the other server showed it:", waits)
    assert max(waits.values()) < soon


async def test_lobbies_lists_talk_and_who_is_there_are_one_for_both_servers(tmp_path):
    pair = Pair(tmp_path)
    try:
        await pair.start()
        host, guest = Visitor(pair.one), Visitor(pair.other)
        lobby = await host.post(
            "/lobbies/", game="pincer", side="white", visibility="public", clock="none"
        )
        await guest.get(lobby)
        async with (
            socket(pair.other, "/ws/lists/") as lists,
            socket(pair.one, f"/ws{lobby.replace('/l/', '/lobby/')}", host.session) as here,
            socket(pair.other, f"/ws{lobby.replace('/l/', '/lobby/')}") as there,
        ):
            frame = await told(lists, "lists", lambda f: f["lobbies"])
            assert frame["lobbies"][0]["key"] == "pincer"
            people = await told(there, "people", lambda f: f["here"])
            assert len(people["here"]) == 1 and people["strangers"] == 1
            assert (await told(here, "people", lambda f: f["strangers"]))["strangers"] == 1
            await guest.post(f"{lobby}sit/")
            assert (await told(here, "lobby", lambda f: f.get("game") or f["status"]))["t"]
        for visitor in (host, guest):
            await visitor.client.aclose()
    finally:
        await pair.stop()


def socket(server: Server, path: str, session: str = ""):
    """A page's socket that has said hello."""
    return websockets.connect(
        f"ws://127.0.0.1:{server.port}{path}",
        origin=server.origin,
        additional_headers={"Cookie": session} if session else {},
        proxy=None,
    )


async def told(line, kind: str, holds) -> dict:
    """The first frame of a kind of which something holds."""
    await line.send(json.dumps({"t": "hello", "rev": -1}))
    async with asyncio.timeout(10):
        while True:
            frame = json.loads(await line.recv())
            if frame["t"] == kind and holds(frame):
                return frame


async def test_a_seat_is_there_on_both_servers_and_gone_soon_after_its_page_has_gone(tmp_path):
    pair = Pair(tmp_path)
    try:
        await pair.start()
        white, black, others = await sit_down(pair, "pincer")
        async with socket(pair.other, f"/ws/game/{white.slug}/") as line:
            frame = await told(line, "people", lambda f: f["watchers"] == 3)
            assert set(frame["here"]) == {"white", "black"}
            await white.close()
            assert (await told(line, "people", lambda f: f["here"] == ["black"]))["t"]
        for page in (black, *others):
            await page.close()
        async with httpx.AsyncClient(base_url=pair.one.origin, trust_env=False) as client:
            assert (await client.get(f"/g/{white.slug}/")).status_code == 200
    finally:
        await pair.stop()


async def logged_out(visitor: Visitor) -> None:
    """Logs out."""
    await visitor.post("/log-out/")


async def another_password(visitor: Visitor) -> None:
    """Changes the password; the browser stays logged in, with a session of another key."""
    new = "ten sharp arrows"
    await visitor.post("/password/", oldpassword=PASSWORD, password1=new, password2=new)


@pytest.mark.parametrize("end", [logged_out, another_password], ids=lambda end: end.__name__)
async def test_what_ends_a_session_on_one_server_ends_its_sockets_on_the_other(tmp_path, end):
    pair = Pair(tmp_path)
    try:
        await pair.start()
        host, guest = Visitor(pair.one), Visitor(pair.other)
        await host.post("/sign-up/", **NEW)
        game = await start_game(host, guest, "pincer", "none")
        path = f"/ws/game/{game.strip('/').split('/')[-1]}/"
        async with (
            socket(pair.other, path, host.session) as writing,
            socket(pair.other, path, host.session) as idle,
            socket(pair.other, path, guest.session) as black,
        ):
            for line in (writing, idle, black):
                await told(line, "game", lambda f: f["rev"] == 0)
            await end(host)
            start = time.monotonic()
            heard, _ = await asyncio.gather(rest_of(writing, WRITE), rest_of(idle))
            seconds = time.monotonic() - start
            assert (writing.close_code, idle.close_code) == (SIGNED_OUT, SIGNED_OUT)
            assert all(frame["t"] != "receipt" for frame in heard)
            refused = [frame["reason"] for frame in heard if frame["t"] == "refused"]
            assert refused in ([], ["signed_out"])  # none if the socket was closed before
            assert (await told(black, "game", lambda f: True))["rev"] == 0
        print(f"{end.__name__}: {seconds:.2f} s until the sockets were closed; {refused}")
        assert seconds < 2
        for visitor in (host, guest):
            await visitor.client.aclose()
    finally:
        await pair.stop()


async def rest_of(line, *frames: dict) -> list[dict]:
    """Sends frames; all that still comes until the server closes the line."""
    heard = []
    with suppress(websockets.ConnectionClosed):
        for frame in frames:
            await line.send(json.dumps(frame))
        async with asyncio.timeout(10):
            while True:
                heard.append(json.loads(await line.recv()))
    return heard
