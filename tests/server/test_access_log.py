"""Access log under each server: one line per request and socket, without secrets."""

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import httpx
import pytest
import websockets
from django.core.exceptions import ImproperlyConfigured

from config.env import read_environment
from config.logs import request_fields
from config.routing import protocols, socket_patterns
from server.access_log import AccessLog, readable
from tests.support.servers.any_server import KINDS, any_server, raw_answer
from tests.support.servers.mail_server import MailServer, mail_server
from tests.support.servers.server_process import Server, post
from tests.support.sign_up_forms import NEW, PASSWORD
from tests.support.topic_frames import subscribe

NAME, ADDRESS, WORD = "quetzalcoatl", "quetzal@kiwi.example", "kumquat-marmalade"
ROUTES = {
    "g/<str:slug>/", "g/<str:slug>/record.json", "g/<str:slug>/ledger/", "l/<str:code>/",
    "l/<str:code>/<slug:verb>/", "lobbies/", "sign-up/", "log-in/", "u/<str:name>/",
    "password/reset/", "password/reset/<uidb36>-<key>/", "e-mail/<key>/", "settings/export/",
    "settings/name/", "static/", "robots.txt", "/", "ws/g/<slug>/", "-",
}  # fmt: skip
REQUEST = {
    "time", "level", "logger", "message", "event", "request_id", "method", "route", "status",
    "network", "duration_ms",
}  # fmt: skip


@dataclass
class Played:
    """A server after a game, with its log and the secrets that must not be in it."""

    server: Server
    lines: list[dict] = field(default_factory=list)
    text: str = ""
    secrets: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)


@pytest.fixture(scope="module", params=KINDS)
def played(request, tmp_path_factory) -> Iterator[Played]:
    """The log of a server after a visit to every kind of page."""
    folder = tmp_path_factory.mktemp("access")
    with mail_server() as mails:
        about = {"QUIVER_MAIL_URL": mails.url, "QUIVER_LOG": "json", "QUIVER_PROXIES": "1"}
        with any_server(request.param, folder, about) as server:
            played = Played(server)
            asyncio.run(asyncio.to_thread(visit, played, mails))
            asyncio.run(open_sockets(played))
    played.text = server.log_path.read_text()
    found = (line for line in played.text.splitlines() if line.startswith("{"))
    played.lines = [json.loads(line) for line in found]
    yield played


def visit(played: Played, mails: MailServer) -> None:
    """Signs up, confirms, resets, plays a private game, and asks for what does not exist."""

    def note(answer: httpx.Response) -> None:
        if "immutable" not in answer.headers.get("Cache-Control", ""):
            played.ids.add(answer.headers["X-Request-ID"])

    about = {"X-Forwarded-For": "2001:db8:1:2:3:4:5:6", "X-Request-ID": "chosen-by-the-client"}
    with httpx.Client(
        base_url=played.server.origin, headers=about, timeout=20, trust_env=False
    ) as ada:
        ada.event_hooks = {"response": [note]}
        new = {**NEW, "username": NAME, "email": ADDRESS}
        assert post(ada, "/sign-up/", **new).status_code == 302
        link = mails.links("/e-mail/")[0]
        path = httpx.URL(link).path
        assert ada.get(path).status_code == 200
        post(ada, path)
        assert post(ada, "/password/reset/", email=ADDRESS).status_code == 302
        reset = httpx.URL(mails.links("/password/reset/")[0]).path
        assert ada.get(reset).status_code in (200, 302)
        lobby = post(
            ada, "/lobbies/", game="pincer", side="white", visibility="link", clock="none"
        ).headers["Location"]
        assert ada.get(f"{lobby}?next={WORD}").status_code == 200
        with httpx.Client(
            base_url=played.server.origin, headers=about, timeout=20, trust_env=False
        ) as bob:
            game = post(bob, f"{lobby}sit/").headers["Location"]
            post(bob, "/log-in/", login=NAME, password=WORD)  # refused
            played.secrets |= {bob.cookies["sessionid"], bob.cookies["csrftoken"]}
        for part in ("", "record.json", "ledger/", "ledger.json", "picture.png", "nothing"):
            ada.get(f"{game}{part}", headers={"Referer": f"{ada.base_url}{game}"})
        for page in (f"/u/{NAME}/", "/settings/", "/robots.txt", f"/nowhere/{WORD}/", "/healthz"):
            ada.get(page, headers={"User-Agent": WORD})
        sheet = re.search(r'href="(/static/[^"]+\.css)"', ada.get("/").text)[1]
        assert ada.get(sheet).status_code == 200
        post(ada, "/settings/export/", password=PASSWORD)
        post(ada, "/settings/name/", username=f"{NAME}2")
        assert ada.post("/lobbies/", data={"game": WORD}).status_code == 403  # without its token
        assert ada.get("/", headers={"Host": f"{WORD}.example"}).status_code == 400
        ada.request("PROPFIND", f"/{WORD}/")
        played.session = ada.cookies["sessionid"]
        played.game = game
        played.secrets |= {
            ada.cookies["sessionid"], ada.cookies["csrftoken"], lobby.split("/")[2],
            game.split("/")[2], path.split("/")[2], reset.split("/")[3], NAME, ADDRESS, WORD,
            PASSWORD, "2001:db8:1:2:3", "chosen-by-the-client",
        }  # fmt: skip


async def open_sockets(played: Played) -> None:
    """Opens the socket of the game, then two that are refused."""
    slug = played.game.split("/")[2]
    about = {"Cookie": f"sessionid={played.session}", "X-Forwarded-For": "192.0.2.7"}

    def socket(path: str, origin: str):
        address = f"ws://127.0.0.1:{played.server.port}{path}"
        return websockets.connect(address, origin=origin, additional_headers=about, proxy=None)

    async with socket(f"/ws/g/{slug}/?{WORD}", played.server.origin) as page:
        await page.send(subscribe(f"game:{slug}"))
        await asyncio.wait_for(page.recv(), 10)
        await page.close(4321)
    for path, origin in (
        (f"/ws/g/{slug}/", "https://evil.example/"),
        (f"/ws/{WORD}/", played.server.origin),
    ):
        with pytest.raises((websockets.InvalidStatus, websockets.InvalidMessage)):
            await socket(path, origin)


pytestmark = [pytest.mark.embedded("on one SQLite file"), pytest.mark.timeout(300)]


def of(played: Played, event: str, **about: object) -> list[dict]:
    return [
        line
        for line in played.lines
        if line.get("event") == event and about.items() <= line.items()
    ]


@pytest.mark.processes
def test_no_secret_is_in_the_log(played) -> None:
    assert played.lines
    for secret in played.secrets:
        assert len(secret) > 5
        assert [line for line in played.text.splitlines() if secret in line] == [], secret


@pytest.mark.processes
def test_each_kind_of_page_has_a_line_with_its_template(played) -> None:
    routes = {line["route"] for event in ("request", "socket") for line in of(played, event)}
    assert routes >= ROUTES
    assert of(played, "request", method="other", route="-")
    assert not of(played, "request", route="healthz")


@pytest.mark.processes
def test_a_line_has_these_fields_and_no_other(played) -> None:
    assert {frozenset(line) for line in of(played, "request")} == {frozenset(REQUEST)}
    assert of(played, "request", route="g/<str:slug>/", status=200, network="2001:db8:1:2::")
    assert all(0 <= line["duration_ms"] < 60_000 for line in of(played, "request"))


@pytest.mark.processes
def test_each_answer_names_the_id_of_its_line(played) -> None:
    logged = [line["request_id"] for line in of(played, "request")]
    assert len(set(logged)) == len(logged)
    missing = played.ids - set(logged)
    assert len(missing) == 1  # of the probe /healthz, which is not logged
    assert all(re.fullmatch("[0-9a-f]{16}", each) for each in played.ids)


@pytest.mark.processes
def test_a_socket_is_logged_when_it_has_closed(played) -> None:
    (line,) = of(played, "socket", status=101)
    assert (line["route"], line["close_code"], line["frames"]) == ("ws/g/<slug>/", 4321, 1)
    assert line["network"] == "192.0.2.7"
    refused = of(played, "socket", status=403)
    assert [line["route"] for line in refused][-1] == "-"


@pytest.mark.processes
def test_refused_log_ins_origins_forms_and_hosts_are_events(played) -> None:
    (failed,) = of(played, "login_failed")
    (request,) = of(played, "request", request_id=failed["request_id"])
    assert (request["method"], request["route"]) == ("POST", "log-in/")
    assert failed["network"] == "2001:db8:1:2::"
    (form,) = of(played, "csrf")
    assert form["route"] == "lobbies/" and form["reason"].startswith("CSRF")
    (origin,) = of(played, "origin")
    assert (origin["route"], origin["network"]) == ("ws/g/<slug>/", "192.0.2.7")
    assert origin["origin"] == "https://evil.example/"
    (host,) = of(played, "host")
    assert host["network"] == "2001:db8:1:2::" and "exception" not in host


@pytest.mark.processes
def test_lines_of_servers_that_hold_paths_are_off(played) -> None:
    others = [line for line in played.text.splitlines() if not line.startswith("{")]
    assert [line for line in others if "HTTP/1.1" in line or '"GET' in line or "WS" in line] == []


@pytest.mark.processes
def test_a_refused_origin_is_an_event_for_people_too(tmp_path) -> None:
    async def ask(server: Server) -> None:
        address = f"ws://127.0.0.1:{server.port}/ws/g/{WORD}/"
        with pytest.raises(websockets.InvalidStatus):
            await websockets.connect(address, origin=f"https://{'x' * 500}.example", proxy=None)

    # Of its own: after some events of a kind the log leaves out more of them for a while.
    with any_server("serve", tmp_path, {}) as server:
        asyncio.run(ask(server))
    told = server.log_path.read_text()
    (line,) = [line for line in told.splitlines() if "event='origin'" in line]
    assert "route='ws/g/<slug>/'" in line and "network='-'" in line and len(line) < 400
    assert WORD not in told


@pytest.mark.processes
def test_it_can_be_switched_off(tmp_path) -> None:
    with any_server("serve", tmp_path, {"QUIVER_ACCESS_LOG": "0"}) as server:
        answer = raw_answer(
            server, b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        )
    assert b"X-Request-ID: " in answer or b"x-request-id: " in answer.lower()
    assert "quiver.access" not in server.log_path.read_text()
    with pytest.raises(ImproperlyConfigured, match="QUIVER_ACCESS_LOG is 1 or 0"):
        read_environment({"QUIVER_ACCESS_LOG": "no"})


def test_every_route_is_readable() -> None:
    from django.urls import URLResolver, get_resolver

    def routes(patterns, before: str = "") -> Iterator[str]:
        for each in patterns:
            route = before + str(each.pattern)
            yield from (
                routes(each.url_patterns, route) if isinstance(each, URLResolver) else [route]
            )

    ours = [*routes(get_resolver().url_patterns), *routes(socket_patterns())]
    assert len(ours) > 40
    for route in map(readable, ours):
        if not route.startswith("admin/"):  # the last of Django's catches everything
            assert not set(route) & set("^$\\(?*[]"), route


@pytest.fixture
def site(monkeypatch) -> AccessLog:
    """The whole application in this process; the page "watch" fails."""
    monkeypatch.setattr("pages.views._watch_page", lambda reading: {}[WORD])
    return AccessLog(protocols(), socket_patterns())


@pytest.mark.django_db
async def test_a_500_names_the_id_of_the_exception_in_the_log(site, records) -> None:
    transport = httpx.ASGITransport(app=site)
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as browser:
        answer = await browser.get(f"/watch/?{WORD}")
    assert answer.status_code == 500
    id = answer.headers["X-Request-ID"]
    assert id in answer.text
    (error,) = [line for line in records.as_json() if line.get("event") == "exception"]
    assert (error["request_id"], error["method"], error["route"]) == (id, "GET", "watch/")
    kind, *places = error["exception"].splitlines()
    assert kind == "Traceback: KeyError" and "test_access_log.py" in places[-1]
    assert WORD not in records.text()


@pytest.mark.parametrize(
    "caching, has_id", [("max-age=315360000, public, immutable", False), ("no-cache", True)]
)
async def test_an_immutable_answer_has_no_id(caching: str, has_id: bool) -> None:
    async def answer(scope, receive, send) -> None:
        headers = [(b"Cache-Control", caching.encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    transport = httpx.ASGITransport(app=AccessLog(answer))
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as browser:
        assert ("X-Request-ID" in (await browser.get("/")).headers) is has_id


async def test_an_exception_beside_django_is_answered_and_logged_alike(records) -> None:
    async def broken(scope, receive, send):
        raise ValueError(WORD)

    transport = httpx.ASGITransport(app=AccessLog(broken))
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as browser:
        answer = await browser.get(f"/g/{WORD}/")
    assert answer.status_code == 500 and answer.headers["X-Request-ID"] in answer.text
    told = [line for line in records.as_json() if line.get("request_id")]
    error, request = (line for line in told if line["event"] in ("exception", "request"))
    assert "ValueError" in error["exception"] and error["route"] == "g/<str:slug>/"
    assert (request["event"], request["status"]) == ("request", 500)
    assert WORD not in records.text()


async def test_a_handshake_that_is_refused_with_a_status_is_logged_with_it(records) -> None:
    async def refusing(scope, receive, send) -> None:
        await send({"type": "websocket.http.response.start", "status": 503, "headers": []})
        await send({"type": "websocket.http.response.body", "body": b""})

    async def nothing(message=None) -> None:
        return None

    scope = {"type": "websocket", "path": "/ws/", "headers": [], "client": ("192.0.2.1", 1)}
    await AccessLog(refusing, socket_patterns())(scope, nothing, nothing)
    told = [line["status"] for line in records.as_json() if line["event"] == "socket"]
    assert told == [503]


async def test_a_task_that_outlives_its_request_does_not_log_the_request_id(records) -> None:
    ended, seen = asyncio.Event(), []

    async def later() -> None:
        seen.append(dict(request_fields()))
        await ended.wait()
        seen.append(dict(request_fields()))

    async def app(scope, receive, send):
        task = asyncio.create_task(later())
        await asyncio.sleep(0)
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        site.tasks = [task]

    site = AccessLog(app)
    transport = httpx.ASGITransport(app=site)
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as browser:
        assert (await browser.get("/")).status_code == 204
    ended.set()
    await asyncio.gather(*site.tasks)
    assert seen[0]["method"] == "GET" and seen[1] == {}
