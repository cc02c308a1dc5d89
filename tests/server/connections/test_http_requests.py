"""HTTP requests as bytes, under each server: targets, bodies, HEAD, names of the software."""

import asyncio
import socket

import pytest

from server.handler import use_origin_form
from server.http_limits import MAX_BODY_BYTES, MAX_STUDY_BODY_BYTES
from tests.support.cpu_time import spent_s
from tests.support.servers.any_server import KINDS, raw_answer
from tests.support.servers.server_process import COMMANDS, Server, Visitor, start_game
from tests.support.site_routes import addresses

pytestmark = [pytest.mark.embedded("on one SQLite file"), pytest.mark.timeout(300)]
REFUSED = {400, 404, 405}
HEADERS = (b"content-security-policy:", b"x-content-type-options:", b"x-request-id:")
SOFTWARE = (b"daphne", b"autobahn", b"twisted", b"uvicorn")


@pytest.fixture(scope="module", params=KINDS)
def site(request, shared_server_of) -> Server:
    """The site under each of the servers that we name."""
    return shared_server_of(request.param)


def status_and_head(answer: bytes) -> tuple[int, bytes]:
    head = answer.partition(b"\r\n\r\n")[0].lower()
    return int(head.split()[1]), head


def asked(site: Server, line: str, **headers: str) -> tuple[int, bytes]:
    """The status and the head of the answer to a request line."""
    about = {"Host": f"127.0.0.1:{site.port}", "Connection": "close", **headers}
    text = "".join(f"{name}: {value}\r\n" for name, value in about.items())
    return status_and_head(raw_answer(site, f"{line} HTTP/1.1\r\n{text}\r\n".encode()))


@pytest.mark.processes
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


@pytest.mark.processes
@pytest.mark.parametrize("path", ["/", "/log-in/", "/robots.txt", "/healthz", "/watch/?page=1"])
def test_the_absolute_form_of_an_address_is_accepted(site, path) -> None:
    status, head = asked(site, f"GET http://127.0.0.1:{site.port}{path}")
    assert status == 200, head
    assert b"content-security-policy:" in head and b"x-request-id:" in head


@pytest.mark.processes
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


@pytest.mark.processes
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


@pytest.mark.processes
@pytest.mark.parametrize("header", ["Odd(Name: x", "Odd: a\x0bb", "No-Colon", "Upgrade: websocket"])
def test_no_refusal_of_a_header_names_it(site, header) -> None:
    lines = ("GET / HTTP/1.1", f"Host: 127.0.0.1:{site.port}", "Connection: close", header)
    answer = raw_answer(site, "\r\n".join((*lines, "", "")).encode()).lower()
    assert answer.startswith(b"http/1.1 ")
    assert [name for name in SOFTWARE if name in answer] == []


@pytest.mark.processes
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


@pytest.mark.processes
@pytest.mark.parametrize(
    "header",
    [
        b"Sec-WebSocket-Protocol: \xe9",
        b"Sec-WebSocket-Extensions: permessage-deflate; \xe9",
        b"Daphne-Root-Path: \xff",
        b"Cookie: sessionid=\xe9\xff",
    ],
)
def test_a_header_that_is_not_ascii_is_no_error_of_the_server(site, header) -> None:
    lines = (
        "GET /ws/ HTTP/1.1", f"Host: 127.0.0.1:{site.port}", "Upgrade: websocket",
        "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13", f"Origin: http://127.0.0.1:{site.port}",
    )  # fmt: skip
    request = "\r\n".join((*lines, "")).encode() + header + b"\r\n\r\n"
    assert handshake(site, request)[0] in (101, 400)  # Daphne never sees the first three


def handshake(site: Server, request: bytes) -> tuple[int, bytes]:
    """The status and the head of the answer; the connection is dropped after it."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=20) as line:
        line.sendall(request)
        head = b""
        while b"\r\n\r\n" not in head and (part := line.recv(4096)):
            head += part
    return status_and_head(head)


def nested_form(size: int) -> bytes:
    """A multipart form of `size` bytes, whose parts nest 300 deep: Twisted's parser of forms looks
    at each line 300 times, which takes 8 s for half a megabyte."""
    head = b"".join(
        b"--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n" % (depth, depth + 1)
        for depth in range(300)
    )
    return head + b"x\r\n" * ((size - len(head)) // 3)


def sent(site: Server, path: str, body: bytes, *lines: str) -> tuple[int, bytes]:
    """The status and the head of the answer to a form, from a browser with a token of forms."""
    head = (
        f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{site.port}", "Connection: close",
        "Content-Type: multipart/form-data; boundary=b0", f"Cookie: csrftoken={'x' * 32}",
        *(lines or [f"Content-Length: {len(body)}"]),
    )  # fmt: skip
    return status_and_head(raw_answer(site, "\r\n".join((*head, "", "")).encode() + body))


@pytest.mark.processes
@pytest.mark.parametrize("path", ["/studies/import", "/", "/nowhere/"])
def test_a_form_with_nested_parts_costs_little_cpu_time(site, path) -> None:
    size = MAX_STUDY_BODY_BYTES if path == "/studies/import" else MAX_BODY_BYTES
    before = spent_s(site.web_pid)
    status, head = sent(site, path, nested_form(size))
    assert status in REFUSED | {403}, head
    assert spent_s(site.web_pid) - before < 2


@pytest.mark.processes
@pytest.mark.parametrize(
    ("path", "size", "is_taken"),
    [("/log-in/", MAX_BODY_BYTES, True), ("/log-in/", MAX_BODY_BYTES + 1, False),
     ("/nowhere/", MAX_BODY_BYTES + 1, False), ("/studies/import", MAX_BODY_BYTES + 1, True),
     ("/studies/import", MAX_STUDY_BODY_BYTES, True)],
)  # fmt: skip
def test_the_size_of_a_body_is_bounded_by_its_route(site, path, size, is_taken) -> None:
    status, head = sent(site, path, b"x" * size)
    assert (status != 413) == is_taken, head


@pytest.mark.processes
@pytest.mark.parametrize(
    ("line", "expected"),
    [(f"Content-Length: {MAX_STUDY_BODY_BYTES + 1}", {413}),
     ("Content-Length: 9000000000000000000", {400, 413}), (f"Content-Length: {'9' * 5000}", {400}),
     ("Content-Length: -1", {400}), ("Transfer-Encoding: chunked", {411}),
     ("Transfer-Encoding: chunked\r\nContent-Length: 3", {400, 411})],
)  # fmt: skip
def test_a_body_is_refused_by_its_head(site, line, expected) -> None:
    status, head = sent(site, "/studies/import", b"", line)
    assert status in expected, head


@pytest.mark.processes
@pytest.mark.parametrize(
    "coding",
    ["chunked", "CHUNKED", "\tchunked", "identity", "xchunked", "chunked, chunked", "gzip, chunked",
     "chunked\r\nTransfer-Encoding: identity", "\x0bchunked", ""],
)  # fmt: skip
@pytest.mark.parametrize("size", ["3", "0x3", "+3", "-3", " 3", "3 ", "0_3", "3;a=b", "\t3"])
def test_a_transfer_coding_is_refused_and_its_chunks_are_never_read(site, coding, size) -> None:
    lines = ("POST /studies/import HTTP/1.1", f"Host: 127.0.0.1:{site.port}",
             f"Transfer-Encoding: {coding}")  # fmt: skip
    smuggled = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n\r\n"
    body = f"{size}\r\nabc\r\n0\r\n\r\n{smuggled}"
    answer = raw_answer(site, "\r\n".join((*lines, "", body)).encode())
    assert status_and_head(answer)[0] in {400, 411}
    assert b"alive" not in answer


@pytest.mark.processes
@pytest.mark.parametrize("line", [" c: d", "\tc: d", " ", "\t"])
def test_folded_header_lines_are_refused(site, line) -> None:
    lines = ("GET / HTTP/1.1", f"Host: 127.0.0.1:{site.port}", "Connection: close", "A: b", line)
    status, head = status_and_head(raw_answer(site, "\r\n".join((*lines, "", "")).encode()))
    assert status == 400, head


def first_with_body(site: Server, paths: list[str], language: str, cookie: str) -> str | None:
    """The first path whose answer to HEAD is not followed at once by the next answer; None if all
    are. All are asked on one connection, which is out of step after such an answer."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=20) as line:
        reader = line.makefile("rb")
        for path in paths:
            head = f" HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nAccept-Language: {language}\r\n"
            line.sendall(f"HEAD {path}{head}Cookie: {cookie}\r\n\r\n".encode())
            answer = [*iter(reader.readline, b"\r\n")]
            line.sendall(f"HEAD /healthz{head}\r\n".encode())
            following = [*iter(reader.readline, b"\r\n")]
            if not answer[0].startswith(b"HTTP/1.1 ") or following[0] != b"HTTP/1.1 200 OK\r\n":
                return path
    return None


@pytest.fixture(scope="module")
def played(site) -> tuple[str, str]:
    """The slug of a game, and the cookie of one who plays it."""

    async def play() -> tuple[str, str]:
        host, guest = Visitor(site), Visitor(site)
        path = await start_game(host, guest, "amazons-10x10", "none")
        cookie = host.session
        for visitor in (host, guest):
            await visitor.client.aclose()
        return path.rstrip("/").rsplit("/", 1)[1], cookie

    return asyncio.run(play())


@pytest.mark.processes
@pytest.mark.parametrize("language", ["en", "tr"])
@pytest.mark.parametrize("is_signed_in", [False, True])
def test_no_answer_to_head_has_a_body(site, played, language, is_signed_in) -> None:
    slug, session = played
    values = {"slug": slug, "key": "pincer", "name": "ada", "verb": "sit", "number": "1"}
    paths = [path for path in addresses(values) if path.isascii() and " " not in path]
    assert len(paths) > 120
    cookie = f"django_language={language}; " + (session if is_signed_in else "")
    assert first_with_body(site, paths, language, cookie) is None


@pytest.mark.processes
@pytest.mark.parametrize("lines", [["A: " + "x" * 17_000], ["A: b"] * 600])
def test_a_head_of_more_than_16_kib_or_500_lines_is_refused_by_daphne(site, lines) -> None:
    head = ("GET / HTTP/1.1", f"Host: 127.0.0.1:{site.port}", "Connection: close", *lines)
    status, _ = status_and_head(raw_answer(site, "\r\n".join((*head, "", "")).encode()))
    is_uvicorn = "uvicorn" in getattr(site, "command", ())  # 64 KiB, any number of lines
    assert status == (200 if is_uvicorn else 400)


@pytest.mark.processes
@pytest.mark.parametrize("part", ["&", "a=%", ";=&"])
def test_a_long_query_or_cookie_costs_little_cpu_time(site, part) -> None:
    before = spent_s(site.web_pid)
    text = (part * 7_000)[:7_000]
    for _ in range(5):
        status, _ = asked(site, f"GET /robots.txt?{text}", Cookie=text.replace("&", ";"))
        assert status in {200, 400}
    assert spent_s(site.web_pid) - before < 1


@pytest.mark.processes
def test_expect_100_continue_is_answered_unless_the_body_is_too_large(site) -> None:
    for size, expected in ((10, b" 100 "), (MAX_STUDY_BODY_BYTES + 1, b" 413 ")):
        lines = ("POST /studies/import HTTP/1.1", f"Host: 127.0.0.1:{site.port}",
                 "Expect: 100-continue", f"Content-Length: {size}")  # fmt: skip
        _, head = handshake(site, "\r\n".join((*lines, "", "")).encode())
        assert expected in head.partition(b"\r\n")[0], head


@pytest.mark.processes
def test_a_header_with_an_underscore_is_not_taken_for_another_one(site) -> None:
    lines = ("GET /log-in/ HTTP/1.1", f"Host: 127.0.0.1:{site.port}", "Connection: close")
    ask = [
        "\r\n".join((*lines, f"{name}: tr", "", ""))
        for name in ("Accept-Language", "Accept_Language")
    ]
    turkish, english = (raw_answer(site, each.encode()) for each in ask)
    assert b'lang="tr"' in turkish and b'lang="en"' in english


@pytest.mark.processes
def test_no_socket_is_compressed(site) -> None:
    lines = (
        "GET /ws/ HTTP/1.1", f"Host: 127.0.0.1:{site.port}", "Upgrade: websocket",
        "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13", f"Origin: http://127.0.0.1:{site.port}",
        "Sec-WebSocket-Extensions: permessage-deflate",
    )  # fmt: skip
    status, head = handshake(site, "\r\n".join((*lines, "", "")).encode())
    is_plain_uvicorn = getattr(site, "command", ()) == COMMANDS["uvicorn"]  # not in the deploy kit
    assert status == 101
    assert (b"sec-websocket-extensions" in head) == is_plain_uvicorn
