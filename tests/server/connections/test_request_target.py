"""Invalid request targets and software names in responses, under each server."""

from collections.abc import Iterator

import pytest

from server.handler import use_origin_form
from tests.support.servers.any_server import KINDS, any_server, raw_answer
from tests.support.servers.server_process import Server

pytestmark = [pytest.mark.embedded("on one SQLite file"), pytest.mark.timeout(300)]
REFUSED = {400, 404, 405}
HEADERS = (b"content-security-policy:", b"x-content-type-options:", b"x-request-id:")
SOFTWARE = (b"daphne", b"autobahn", b"twisted", b"uvicorn")


@pytest.fixture(scope="module", params=KINDS)
def site(request, tmp_path_factory) -> Iterator[Server]:
    """The site under each of the servers that we name."""
    with any_server(request.param, tmp_path_factory.mktemp("target"), {}) as server:
        yield server


def status_and_head(answer: bytes) -> tuple[int, bytes]:
    head = answer.partition(b"\r\n\r\n")[0].lower()
    return int(head.split()[1]), head


def asked(site: Server, line: str, **headers: str) -> tuple[int, bytes]:
    """The status and the head of the answer to a request line."""
    about = {"Host": f"127.0.0.1:{site.port}", "Connection": "close", **headers}
    text = "".join(f"{name}: {value}\r\n" for name, value in about.items())
    return status_and_head(raw_answer(site, f"{line} HTTP/1.1\r\n{text}\r\n".encode()))


@pytest.mark.parametrize(
    "line",
    ["OPTIONS *", "GET *", "CONNECT play.example:443", "GET play.example:443", "GET http:/log-in/",
     "GET //", "GET http://", "POST *"],
)  # fmt: skip
def test_a_target_that_is_no_address_is_refused_in_order(site, line) -> None:
    status, head = asked(site, line)
    assert status in REFUSED, head
    if b"x-request-id:" in head:  # it came as far as the site
        assert [name for name in HEADERS if name not in head] == []


@pytest.mark.parametrize("path", ["/", "/log-in/", "/robots.txt", "/healthz", "/watch/?page=1"])
def test_the_absolute_form_of_an_address_is_accepted(site, path) -> None:
    status, head = asked(site, f"GET http://127.0.0.1:{site.port}{path}")
    assert status == 200, head
    assert b"content-security-policy:" in head and b"x-request-id:" in head


@pytest.mark.parametrize("target", ["http://evil.example/", "http://a@127.0.0.1/"])
def test_the_host_of_the_absolute_form_has_to_be_ours(site, target) -> None:
    status, head = asked(site, f"GET {target}", Host="evil.example")
    assert status == 400, head


@pytest.mark.parametrize(
    ("raw", "path"),
    [(b"HTTP://game.example:81/l%20m", "/l m"), (b"https://game.example:81", "/"),
     (b"http://game.example:81/%ff", "/\ufffd")],
)  # fmt: skip
def test_the_host_of_the_absolute_form_replaces_the_header(raw, path) -> None:
    scope = {"path": raw.decode(), "raw_path": raw, "headers": [(b"host", b"evil.example")]}
    use_origin_form(scope)
    assert scope["path"] == path and scope["headers"] == [(b"host", b"game.example:81")]


@pytest.mark.parametrize("path", ["*", "play.example:443", "ftp://game.example/", "http:/x", ""])
def test_other_targets_stay_as_they_are(path) -> None:
    scope = {"path": path, "raw_path": path.encode(), "headers": [(b"host", b"game.example")]}
    before = {**scope}
    use_origin_form(scope)
    assert scope == before


@pytest.mark.parametrize(
    "line", ["GET /", "GET /robots.txt", "GET /healthz", "GET /nowhere/", "OPTIONS *", "BAD\x01 /"]
)
def test_no_answer_names_the_software(site, line) -> None:
    answer = raw_answer(
        site,
        f"{line} HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nConnection: close\r\n\r\n".encode(),
    ).lower()
    assert answer.startswith(b"http/1.1 ")
    assert b"\r\nserver:" not in answer
    assert [name for name in SOFTWARE if name in answer] == []


@pytest.mark.parametrize("header", ["Odd(Name: x", "Odd: a\x0bb", "No-Colon", "Upgrade: websocket"])
def test_no_refusal_of_a_header_names_it(site, header) -> None:
    lines = ("GET / HTTP/1.1", f"Host: 127.0.0.1:{site.port}", "Connection: close", header)
    answer = raw_answer(site, "\r\n".join((*lines, "", "")).encode()).lower()
    assert answer.startswith(b"http/1.1 ")
    assert [name for name in SOFTWARE if name in answer] == []


@pytest.mark.parametrize("key", ["dGhlIHNhbXBsZSBub25jZQ==", "short"])
@pytest.mark.parametrize("is_ours", [True, False])
def test_no_handshake_names_it_either(site, key, is_ours) -> None:
    origin = f"http://127.0.0.1:{site.port}" if is_ours else "https://evil.example"
    lines = (
        "GET /ws/ HTTP/1.1", f"Host: 127.0.0.1:{site.port}", "Upgrade: websocket",
        "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13",
        f"Origin: {origin}",
    )  # fmt: skip
    status, head = handshake(site, "\r\n".join((*lines, "", "")).encode())
    assert (status == 101) == (is_ours and key != "short"), head
    assert b"\r\nserver:" not in head
    assert [name for name in SOFTWARE if name in head] == []


def handshake(site: Server, request: bytes) -> tuple[int, bytes]:
    """The status and the head of the answer; the connection is dropped after it."""
    import socket

    with socket.create_connection(("127.0.0.1", site.port), timeout=20) as line:
        line.sendall(request)
        head = b""
        while b"\r\n\r\n" not in head and (part := line.recv(4096)):
            head += part
    return status_and_head(head)
