"""Routing by nginx: one process for each game, and the other as a fallback."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from tests.support.servers.nginx import BINARY, Nginx

pytestmark = pytest.mark.skipif(BINARY is None, reason="needs nginx (apt install nginx)")
SLUGS = [f"{number:022}" for number in range(40)]


class Backend(ThreadingHTTPServer):
    """Records the requested paths, and answers with its status."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.status, self.asked = 200, list[str]()


class Handler(BaseHTTPRequestHandler):
    server: Backend

    def do_GET(self) -> None:
        self.server.asked.append(f"{self.command} {self.path}")
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(self.server.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_GET

    def log_message(self, *about: object) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def proxy(tmp_path_factory) -> Iterator[tuple[Nginx, list[Backend]]]:
    """The kit's nginx before two back-ends."""
    with ExitStack() as stack:
        backends = [stack.enter_context(Backend()) for _ in range(2)]
        for each in backends:
            threading.Thread(target=each.serve_forever, daemon=True).start()
            stack.callback(each.shutdown)
        one, other = (each.server_port for each in backends)
        nginx = Nginx(tmp_path_factory.mktemp("routing"), (one, other))
        assert nginx.check() == ""
        nginx.start()
        stack.callback(nginx.stop)
        yield nginx, backends


@pytest.fixture
def backends(proxy) -> list[Backend]:
    """Both, well and asked for nothing yet."""
    for each in proxy[1]:
        each.status = 200
        each.asked.clear()
    return proxy[1]


@pytest.fixture
def client(proxy) -> Iterator[httpx.Client]:
    """A visitor who comes through the proxy."""
    about = {"Host": Nginx.host}
    with httpx.Client(base_url=proxy[0].origin, headers=about, verify=False) as client:
        yield client


def asked_for(backends: list[Backend], slug: str) -> list[int]:
    """The numbers of the back-ends that were asked about a game."""
    return [n for n, each in enumerate(backends) if any(slug in line for line in each.asked)]


def test_all_pages_and_sockets_of_a_game_go_to_one_process(client, backends) -> None:
    for slug in SLUGS:
        for path in (f"/g/{slug}/", f"/g/{slug}/record.json", f"/ws/g/{slug}/?lang=en"):
            assert client.get(path).status_code == 200
    owners = [asked_for(backends, slug) for slug in SLUGS]
    assert {len(owner) for owner in owners} == {1}
    assert min(sum(owner == [n] for owner in owners) for n in (0, 1)) >= len(SLUGS) // 5


def test_other_pages_go_to_both(client, backends) -> None:
    for _ in range(8):
        client.get("/watch/")
        client.get("/ws/")
    assert all(len(each.asked) == 8 for each in backends)


@pytest.mark.parametrize("path", ["/watch/", f"/g/{SLUGS[0]}/", f"/ws/g/{SLUGS[0]}/"])
def test_what_one_process_refuses_with_503_the_other_answers(client, backends, path) -> None:
    for refusing in backends:
        for each in backends:
            each.status = 200
        refusing.status = 503
        assert {client.get(path).status_code for _ in range(4)} == {200}


def test_a_request_that_changes_something_is_sent_once(client, backends) -> None:
    for each in backends:
        each.status = 503
    assert client.post("/lobbies/", data={"game": "pincer"}).status_code == 503
    assert sum(len(each.asked) for each in backends) == 1


@pytest.mark.parametrize("path", ["/metrics", "/readyz", "/readyz?x", "/%72eadyz"])
def test_metrics_and_readiness_are_not_public(client, backends, path) -> None:
    assert client.get(path).status_code == 404
    assert [each.asked for each in backends] == [[], []]


def test_plain_http_leads_to_https(proxy) -> None:
    address = f"http://127.0.0.1:{proxy[0].plain_port}/watch/?page=2"
    answer = httpx.get(address, headers={"Host": Nginx.host}, trust_env=False)
    assert answer.status_code == 308
    assert answer.headers["Location"] == f"https://{Nginx.host}/watch/?page=2"
