"""The application under Daphne's and uvicorn's own command lines, without `serve`."""

import asyncio
import json
from contextlib import suppress

import httpx
import pytest
import websockets

from games.catalogue import PINCER
from play.sockets.send_queue import SIGNED_OUT_CODE
from tests.support.run.gates import nightly
from tests.support.servers.server_process import COMMANDS, Server, Visitor, start_game
from tests.support.topic_frames import subscribe

pytestmark = [pytest.mark.embedded("on one SQLite file"), pytest.mark.timeout(300)]


@pytest.fixture(params=nightly(*COMMANDS))
def site(request, shared_server_of) -> Server:
    """The site under one of them."""
    return shared_server_of(request.param)


async def socket(site: Server, path: str, session: str = "") -> websockets.ClientConnection:
    """A socket of one of our own pages."""
    headers = {"Cookie": session} if session else {}
    return await websockets.connect(
        f"ws://127.0.0.1:{site.port}{path}",
        proxy=None,
        origin=site.origin,
        additional_headers=headers,
    )


async def heard(page: websockets.ClientConnection, kind: str, **about: object) -> dict:
    """The next frame of a kind in which that is so."""
    while True:
        frame = json.loads(await asyncio.wait_for(page.recv(), 20))
        if frame["t"] == kind and about.items() <= frame.items():
            return frame


async def flooded(page: websockets.ClientConnection) -> None:
    """Says more than anybody can mean, and a little at a time."""
    with suppress(websockets.ConnectionClosed):
        for number in range(20_000):
            await page.send("?")
            await asyncio.sleep(0 if number % 50 else 0.01)


async def emptied(page: websockets.ClientConnection) -> None:
    """Reads until the other end has closed."""
    with suppress(websockets.ConnectionClosed):
        while True:
            await page.recv()


async def test_people_play_and_are_cut_off_as_they_have_to_be(site):
    host, guest = Visitor(site), Visitor(site)
    slug = (await start_game(host, guest, "pincer", "none")).rstrip("/").rsplit("/", 1)[1]
    path, topic = f"/ws/g/{slug}/", f"game:{slug}"
    first = next(iter(PINCER.choices(PINCER.start(), "white")))
    white, black = await socket(site, path, host.session), await socket(site, path, guest.session)
    for page in (white, black):
        await page.send(subscribe(topic))
        await heard(page, "game", step=0)
    act = {"t": "act", "topic": topic, "id": "one", "step": 0, "actions": [str(first)]}
    await white.send(json.dumps(act))
    assert (await heard(white, "receipt", id="one"))["again"] is False
    await heard(white, "game", step=1)
    await heard(black, "game", step=1, you="black")

    await host.post("/log-out/")
    await asyncio.wait_for(white.wait_closed(), 20)
    assert white.close_code == SIGNED_OUT_CODE

    await black.send("x" * 1_100_000)
    await asyncio.wait_for(black.wait_closed(), 20)
    assert black.close_code in (1006, 1009)

    flood = await socket(site, path)
    await asyncio.wait_for(asyncio.gather(flooded(flood), emptied(flood)), 60)
    assert flood.close_code == 1008

    gone = await socket(site, "/ws/g/nobody/")
    await gone.send(subscribe("game:nobody"))
    await heard(gone, "ended", reason="gone")
    await gone.close()
    with pytest.raises((websockets.InvalidStatus, httpx.HTTPError)):
        await socket(site, "/ws/nowhere/")
    for visitor in (host, guest):
        await visitor.client.aclose()
