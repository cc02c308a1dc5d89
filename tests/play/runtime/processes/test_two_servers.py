"""Two web processes of one site: changes in one appear on the pages of the other."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import asynccontextmanager, suppress

import httpx
import pytest
import websockets

from games.catalogue import RULES
from play.sockets.send_queue import SIGNED_OUT_CODE
from tests.support.page_client import PageClient, page_of
from tests.support.run.gates import nightly
from tests.support.servers.own_servers import REDIS, missing
from tests.support.servers.server_pair import Pair
from tests.support.servers.server_process import Server, Visitor, free_port, start_game
from tests.support.sign_up_forms import PASSWORD, new_account
from tests.support.topic_frames import subscribe
from tests.support.waiting import wait_until

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(bool(missing()), reason=missing() or "both are there"),
    pytest.mark.timeout(300),
]
WRITE = {"t": "resign", "id": "too-late"}


@pytest.fixture(scope="module", params=["redis", *nightly("no redis")])
def pair(request, tmp_path_factory) -> Iterator[Pair]:
    """Two servers: with Redis, and with one that is not there."""
    if request.param == "redis":
        yield request.getfixturevalue("shared_pair")
        return
    pair = Pair(tmp_path_factory.mktemp("pair"), f"redis://127.0.0.1:{free_port()}/0")
    asyncio.run(pair.start())
    yield pair
    asyncio.run(pair.stop())


async def sit_down(pair: Pair, key: str) -> tuple[PageClient, PageClient, list[PageClient]]:
    """White on one server, black on the other, and a spectator on each."""
    host, guest = Visitor(pair.one), Visitor(pair.other)
    game = await start_game(host, guest, key, "none")
    slug = game.rstrip("/").rsplit("/", 1)[1]
    white = page_of(pair.one, slug, "white", "white", host.session)
    black = page_of(pair.other, slug, "black", "black", guest.session)
    others = [page_of(server, slug, f"cy-{server.port}", None) for server in (pair.one, pair.other)]
    for page in (white, black, *others):
        page.open()
        await page.until(lambda state: True)
    for visitor in (host, guest):
        await visitor.client.aclose()
    return white, black, others


async def turns(page: PageClient, actions: tuple[str, ...]) -> dict:
    """Sends a turn; returns its receipt."""
    frame = page.compose("act", step=page.state["step"], actions=list(actions))
    answer = await page.ask(frame)
    assert answer["t"] == "receipt", answer
    return answer


def first_turn(key: str, role: str) -> tuple[str, ...]:
    """Some first action of a role."""
    rules = RULES[key]
    choices = rules.choices(rules.start(), role)
    return (str(next(iter(choices))),)


async def seen(rev: int, *pages: PageClient) -> None:
    """Wait until all pages show a rev; on an idle machine that takes less than a second."""
    async with asyncio.timeout(20):
        await asyncio.gather(*(page.until(lambda state: state["rev"] >= rev) for page in pages))


async def test_a_change_on_one_server_is_soon_shown_on_the_other(pair):
    for key in RULES:
        white, black, others = await sit_down(pair, key)
        receipt = await turns(white, first_turn(key, "white"))
        await seen(receipt["rev"], black, *others)
        if key == "blotto":
            receipt = await turns(black, first_turn(key, "black"))
            await seen(receipt["rev"], white, *others)
        for page in (white, black, *others):
            await page.close()


@pytest.mark.nightly
@pytest.mark.parametrize("is_redis_there", [True, False])
async def test_the_front_page_of_one_server_shows_what_is_played_on_the_other(
    tmp_path, is_redis_there
):
    # Of its own: it features one game of all.
    redis = REDIS if is_redis_there else f"redis://127.0.0.1:{free_port()}/0"
    async with Pair(tmp_path, redis) as pair:
        await show_and_play(pair)


async def show_and_play(pair: Pair) -> None:
    """Opens a lobby and plays on one server; the front page of the other shows both."""
    reader, host, guest = Visitor(pair.other), Visitor(pair.one), Visitor(pair.one)
    await reader.get("/")
    lobby = await host.post(
        "/lobbies/", game="pincer", side="white", visibility="public", clock="none"
    )
    assert lobby in (await reader.get("/")).text  # in the request after the commit
    slug = (await guest.post(f"{lobby}sit/")).rstrip("/").rsplit("/", 1)[1]
    assert slug in (await reader.get("/watch/")).text
    white = page_of(pair.one, slug, "white", "white", host.session)
    white.open()
    await white.until(lambda state: True)
    await turns(white, first_turn("pincer", "white"))
    # A move is read beside requests.
    moves = await wait_until(lambda: moves_featured(reader), "the move is shown")
    assert moves == 1
    await white.close()
    for visitor in (reader, host, guest):
        await visitor.client.aclose()


async def moves_featured(reader: Visitor) -> int:
    """The number of moves in the game on the front page's large board; 0 without a game."""
    page = (await reader.get("/")).text
    lists = json.loads(page.split('id="lists-now" type="application/json">')[1].split("<")[0])
    return lists["featured"]["view"]["moves_made"] if lists["featured"] else 0


async def test_lobbies_lists_talk_and_who_is_there_are_one_for_both_servers(shared_pair):
    host, guest = Visitor(shared_pair.one), Visitor(shared_pair.other)
    lobby = await host.post(
        "/lobbies/", game="pincer", side="white", visibility="public", clock="none"
    )
    code = lobby.split("/")[2]
    await guest.get(lobby)
    async with (
        socket(shared_pair.other, "lists") as lists,
        socket(shared_pair.one, f"lobby:{code}", host.session) as here,
        socket(shared_pair.other, f"lobby:{code}") as there,
    ):
        frame = await told(lists, "lists", lambda f: lobby_in(f, lobby))
        assert lobby_in(frame, lobby)["key"] == "pincer"
        people = await told(there, "people", lambda f: f["here"])
        assert len(people["here"]) == 1 and people["strangers"] == 1
        assert (await told(here, "people", lambda f: f["strangers"]))["strangers"] == 1
        await guest.post(f"{lobby}sit/")
        assert (await told(here, "lobby", lambda f: f.get("game") or f["status"]))["t"]
    for visitor in (host, guest):
        await visitor.client.aclose()


def lobby_in(lists: dict, url: str) -> dict | None:
    """A lobby in the lists of all."""
    return next((each for each in lists["lobbies"] if each["url"] == url), None)


@asynccontextmanager
async def socket(server: Server, topic: str, session: str = ""):
    """A page's socket that follows one topic."""
    async with websockets.connect(
        f"ws://127.0.0.1:{server.port}/ws/",
        origin=server.origin,
        additional_headers={"Cookie": session} if session else {},
        proxy=None,
    ) as line:
        line.topic = topic
        await line.send(subscribe(topic))
        yield line


async def told(line, kind: str, holds) -> dict:
    """The first frame of a kind of which something holds."""
    await line.send(subscribe(line.topic))
    async with asyncio.timeout(10):
        while True:
            frame = json.loads(await line.recv())
            if frame["t"] == kind and holds(frame):
                return frame


@pytest.mark.nightly
async def test_a_seat_is_there_on_both_servers_and_gone_soon_after_its_page_has_gone(shared_pair):
    white, black, others = await sit_down(shared_pair, "pincer")
    async with socket(shared_pair.other, f"game:{white.slug}") as line:
        frame = await told(line, "people", lambda f: f["watchers"] == 3)
        assert set(frame["here"]) == {"white", "black"}
        await white.close()
        assert (await told(line, "people", lambda f: f["here"] == ["black"]))["t"]
    for page in (black, *others):
        await page.close()
    async with httpx.AsyncClient(base_url=shared_pair.one.origin, trust_env=False) as client:
        assert (await client.get(f"/g/{white.slug}/")).status_code == 200


async def logged_out(visitor: Visitor) -> None:
    """Logs out."""
    await visitor.post("/log-out/")


async def another_password(visitor: Visitor) -> None:
    """Changes the password; the browser stays logged in, with a session of another key."""
    new = "ten sharp arrows"
    await visitor.post("/password/", oldpassword=PASSWORD, password1=new, password2=new)


@pytest.mark.parametrize(
    "end", [logged_out, *nightly(another_password)], ids=lambda end: end.__name__
)
async def test_a_session_that_ends_on_one_server_closes_its_sockets_on_the_other(shared_pair, end):
    host, guest = Visitor(shared_pair.one), Visitor(shared_pair.other)
    await host.post("/sign-up/", **new_account())
    game = await start_game(host, guest, "pincer", "none")
    topic = f"game:{game.strip('/').split('/')[-1]}"
    async with (
        socket(shared_pair.other, topic, host.session) as writing,
        socket(shared_pair.other, topic, host.session) as idle,
        socket(shared_pair.other, topic, guest.session) as black,
    ):
        for line in (writing, idle, black):
            await told(line, "game", lambda f: f["rev"] == 0)
        await end(host)
        heard, _ = await asyncio.gather(rest_of(writing, WRITE), rest_of(idle))
        assert (writing.close_code, idle.close_code) == (SIGNED_OUT_CODE, SIGNED_OUT_CODE)
        assert all(frame["t"] != "receipt" for frame in heard)
        refused = [frame["reason"] for frame in heard if frame["t"] == "refused"]
        assert refused in ([], ["signed_out"])  # none if the socket was closed before
        assert (await told(black, "game", lambda f: True))["rev"] == 0
    for visitor in (host, guest):
        await visitor.client.aclose()


async def rest_of(line, *frames: dict) -> list[dict]:
    """Sends frames; returns all frames until the server closes the connection."""
    heard = []
    with suppress(websockets.ConnectionClosed):
        for frame in frames:
            await line.send(json.dumps({**frame, "topic": line.topic}))
        async with asyncio.timeout(10):
            while True:
                heard.append(json.loads(await line.recv()))
    return heard
