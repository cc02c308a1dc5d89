"""A whole game of two people through the kit's nginx, before two processes that share PostgreSQL
and Redis."""

import asyncio
import json
import re
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
import websockets

from tests.faults.clients.random_turns import random_turn
from tests.support.servers.nginx import BINARY, Nginx
from tests.support.servers.own_servers import missing
from tests.support.servers.server_pair import Pair
from tests.support.servers.server_process import post
from tests.support.topic_frames import heard, on_topic, subscribe

pytestmark = [
    pytest.mark.servers,
    pytest.mark.embedded("on processes and a database of its own"),  # asked once
    pytest.mark.timeout(600),
    pytest.mark.skipif(BINARY is None, reason="needs nginx (apt install nginx)"),
    pytest.mark.skipif(bool(missing()), reason=missing() or "both are there"),
]
PAUSE_S = 0.05  # before each turn: a fast machine would send more messages than a socket may
SETTINGS = {"QUIVER_TLS": "1", "QUIVER_HOSTS": Nginx.host, "QUIVER_MAIL_URL": "off"}


class ProxiedPlayer:
    """Somebody who comes through the proxy, with the cookies of a browser."""

    def __init__(self, proxy: Nginx) -> None:
        self.proxy = proxy
        about = {"Host": proxy.host, "Referer": f"https://{proxy.host}/new/"}
        self.client = httpx.Client(
            base_url=proxy.origin, headers=about, verify=False, timeout=60, trust_env=False
        )

    async def play(self, path: str, random: Random) -> dict[str, Any]:
        """Plays a game at random until it is over; returns the last state."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        own = ssl.create_default_context()
        own.check_hostname, own.verify_mode = False, ssl.CERT_NONE
        topic = f"game:{path.strip('/').split('/')[-1]}"
        async with websockets.connect(
            f"wss://{self.proxy.host}/ws{path}",
            host="127.0.0.1",
            port=self.proxy.port,
            ssl=own,
            origin=f"https://{self.proxy.host}",  # type: ignore[arg-type]
            additional_headers={"Cookie": cookies},
            open_timeout=60,
            proxy=None,
        ) as line:
            await line.send(subscribe(topic))
            asked = -1
            async for text in line:
                state = heard(text, topic) if topic in str(text) else {"t": "other"}
                assert state["t"] != "refused", state
                if state["t"] != "game":
                    continue
                if state["status"] == "over":
                    return state
                if state["prompt"] and state["rev"] > asked:
                    asked = state["rev"]
                    await asyncio.sleep(PAUSE_S)
                    await line.send(json.dumps(on_topic(turn(state, random), topic)))
        raise AssertionError("the socket was closed before the game was over")


def turn(state: dict[str, Any], random: Random) -> dict[str, Any]:
    """The frame of a random turn."""
    actions = random_turn(state, random)
    about = {"step": state["step"], "takebacks": state["takebacks"], "actions": actions}
    return {"t": "act", "id": f"rev-{state['rev']}", **about}


@pytest.fixture
async def proxy(tmp_path: Path) -> AsyncIterator[Nginx]:
    """The proxy, before two running processes."""
    async with Pair(tmp_path / "site", **SETTINGS) as pair:
        nginx = Nginx(tmp_path / "nginx", (pair.one.port, pair.other.port))
        try:
            nginx.start()
            yield nginx
        finally:
            nginx.stop()


async def test_two_people_play_a_whole_game(proxy) -> None:
    white, black = ProxiedPlayer(proxy), ProxiedPlayer(proxy)
    form = {"game": "amazons", "side": "white", "visibility": "link", "clock": "none"}
    lobby = post(white.client, "/lobbies/", **form).headers["Location"]
    game = post(black.client, f"{lobby}sit/").headers["Location"]
    page = white.client.get(game)
    assert page.status_code == 200 and "Strict-Transport-Security" in page.headers
    ends = await asyncio.gather(white.play(game, Random(1)), black.play(game, Random(2)))
    assert ends[0]["rev"] == ends[1]["rev"] > 20
    assert ends[0]["outcome"] == ends[1]["outcome"]
    record = white.client.get(f"{game}record.json")
    assert record.status_code == 200 and record.json()["actions"]

    files = set(re.findall(r'(?:src|href)="(/static/[^"]+\.(?:js|css))"', page.text))
    assert files
    for path in files:
        for _ in range(2):  # the second time from nginx's cache
            answer = white.client.get(path)
            assert answer.status_code == 200 and "immutable" in answer.headers["Cache-Control"]
