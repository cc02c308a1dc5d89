"""Which pages may open a websocket, asked of a real server; strangers' pages get no socket."""

import asyncio
from collections.abc import Iterator

import pytest
import websockets
from django.core.exceptions import ImproperlyConfigured
from real_server import Server

from config.origins import checked, origins_of

NAMED = "https://game.example"
FOREIGN = [
    None,
    "null",
    "",
    "https://evil.example",
    "https://game.example.evil.example",
    "https://evilgame.example",
    "https://game.example@evil.example",
    "https://game.example:4444",
    "http://game.example",
    "http://game.example:443",
    "http://127.0.0.1:1",
    "https://127.0.0.1",
    "file://",
    "game.example",
]


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    """A site that also answers pages of a proxy's origin."""
    server = Server(tmp_path_factory.mktemp("origins"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUIVER_ORIGINS", NAMED)
        asyncio.run(server.start())
    yield server
    server.kill()


async def opens(server: Server, origin: str | None) -> bool:
    """Whether a page of an origin gets a socket."""
    address = f"ws://127.0.0.1:{server.port}/ws/lists/"
    headers = {} if origin is None else {"Origin": origin}
    try:
        async with websockets.connect(address, additional_headers=headers, proxy=None):
            return True
    except websockets.InvalidStatus as refused:
        assert refused.response.status_code in (400, 403)  # 400: it is no origin at all
        return False


@pytest.mark.parametrize("origin", FOREIGN)
async def test_a_foreign_page_gets_no_socket(server, origin) -> None:
    assert not await opens(server, origin)


async def test_our_own_pages_get_one(server) -> None:
    assert await opens(server, server.origin)
    assert await opens(server, NAMED)
    assert await opens(server, f"{NAMED}:443")


async def test_a_second_origin_in_the_same_request_does_not_help(server) -> None:
    address = f"ws://127.0.0.1:{server.port}/ws/lists/"
    both = [("Origin", "https://evil.example"), ("Origin", NAMED)]
    for headers in (both, both[::-1]):
        with pytest.raises(websockets.WebSocketException):
            await websockets.connect(address, additional_headers=headers, proxy=None)


def test_the_origins_of_a_server_follow_from_its_hosts() -> None:
    assert origins_of(["localhost", "[::1]"], 8000, False) == [
        "http://localhost:8000",
        "http://[::1]:8000",
    ]
    assert origins_of(["game.example"], 8000, True) == ["https://game.example"]


@pytest.mark.parametrize(
    "origin",
    ["*", "game.example", "https://*", "https://game.example/", "wss://game.example", "https://",
     "https://me@game.example", "https://*.example"],
)  # fmt: skip
def test_an_origin_that_names_more_than_one_or_none_is_refused_at_the_start(origin) -> None:
    with pytest.raises(ImproperlyConfigured, match="an origin is like"):
        checked([NAMED, origin])
