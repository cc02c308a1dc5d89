"""Origin check of WebSockets, against a real server."""

import re

import httpx
import pytest
import websockets
from django.core.exceptions import ImproperlyConfigured

from server.requests.origins import origins_of, validate_origins
from tests.support.servers.server_process import Server
from tests.support.servers.shared_servers import NAMED_ORIGIN

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
    "https://me@game.example",
    "https://game.example/",
    "https://game.example/page",
    "https://game.example?",
    "https://game.example#",
    "https://game.example:",
    "https://game.example:0443",
    "https://game.example:70000",
    "https://game.example:x",
    "HTTPS://game.example",
    "https://GAME.example",
    "https://[game.example",
    "https://game.example https://game.example",
    "https://game.example,https://game.example",
    "wss://game.example",
    "//game.example",
    "file://",
    "game.example",
]


async def opens(server: Server, origin: str | None) -> bool:
    """Whether a page of an origin gets a socket."""
    address = f"ws://127.0.0.1:{server.port}/ws/"
    headers = {} if origin is None else {"Origin": origin}
    try:
        async with websockets.connect(address, additional_headers=headers, proxy=None):
            return True
    except websockets.InvalidStatus as refused:
        assert refused.response.status_code in (400, 403)  # 400: it is no origin at all
        return False


@pytest.mark.processes
@pytest.mark.parametrize("origin", FOREIGN)
async def test_a_foreign_page_gets_no_socket(shared_server, origin) -> None:
    assert not await opens(shared_server, origin)


@pytest.mark.processes
async def test_our_own_pages_get_one(shared_server) -> None:
    assert await opens(shared_server, shared_server.origin)
    assert await opens(shared_server, NAMED_ORIGIN)
    assert await opens(shared_server, f"{NAMED_ORIGIN}:443")


@pytest.mark.processes
async def test_a_second_origin_in_the_same_request_does_not_help(shared_server) -> None:
    address = f"ws://127.0.0.1:{shared_server.port}/ws/"
    both = [("Origin", "https://evil.example"), ("Origin", NAMED_ORIGIN)]
    for headers in (both, both[::-1]):
        with pytest.raises(websockets.WebSocketException):
            await websockets.connect(address, additional_headers=headers, proxy=None)


@pytest.mark.processes
async def test_behind_a_proxy_with_tls_a_visitor_plays_with_cookies_of_that_host_alone(tmp_path):
    server = Server(tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUIVER_TLS", "1")
        patch.setenv("QUIVER_HOSTS", "game.example")
        patch.setenv("QUIVER_MAIL_URL", "off")
        await server.start()
    passed_on = {
        "Host": "game.example",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": "203.0.113.7",
    }
    try:
        async with httpx.AsyncClient(base_url=server.origin, trust_env=False) as plain:
            bare = await plain.get("/", headers={"Host": "game.example"})
            assert bare.headers["Location"] == "https://game.example/"
            page = await plain.get("/new/", headers=passed_on)
            assert page.headers["Strict-Transport-Security"] == "max-age=31536000"
            token = re.search(r"__Host-csrftoken=(\w+)", page.headers["Set-Cookie"])[1]
            form = {"game": "pincer", "side": "white", "visibility": "public", "clock": "none"}
            about = {
                **passed_on,
                "Origin": NAMED_ORIGIN,
                "X-CSRFToken": token,
                "Cookie": f"__Host-csrftoken={token}",
            }
            made = await plain.post("/lobbies/", data=form, headers=about)
            assert made.status_code == 302
            cookie = next(c for c in made.headers.get_list("Set-Cookie") if "sessionid" in c)
            assert cookie.startswith("__Host-sessionid=")
            for part in ("Secure", "HttpOnly", "SameSite=Lax", "Path=/"):
                assert part in cookie
            assert "Domain" not in cookie
        about = {**passed_on, "Cookie": cookie.split(";")[0]}
        del about["Host"]
        where = {"host": "127.0.0.1", "port": server.port, "proxy": None}

        def socket(origin: str):
            headers = {**about, "Origin": origin}
            return websockets.connect("ws://game.example/ws/", additional_headers=headers, **where)

        async with socket(NAMED_ORIGIN) as line:
            await line.send('{"t": "subscribe", "topic": "mine"}')
            assert made.headers["Location"].strip("/").split("/")[1] in await line.recv()
        with pytest.raises(websockets.InvalidStatus):
            await socket(server.origin)
    finally:
        server.kill()


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
        validate_origins([NAMED_ORIGIN, origin])
