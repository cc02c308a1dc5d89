"""Clients that flood, never read or never finish, against real servers on loopback."""

import asyncio
import base64
import contextlib
import json
import os
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import websockets

from tests.support.run.gates import nightly
from tests.support.servers.server_process import free_port

ROOT = Path(__file__).parents[4]
# An application that answers "big" with megabytes, "slow" after a while, and other frames with the
# number of frames so far and the round trip of the connection.
ECHO = """
import asyncio, json, os, sys
sys.path[:0] = ["site", "."]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
port, hurry = int(sys.argv[1]), sys.argv[2:]
import daphne.server
from server import daphne as bounded_daphne, http_limits, sockets
from server.quota import Quota

if hurry:
    bounded_daphne.HEAD_TIMEOUT_S = bounded_daphne.BODY_TIMEOUT_S = 1.0
    bounded_daphne.CONNECTIONS = Quota(256, 8)
    bounded_daphne.PING_INTERVAL_S, bounded_daphne.PING_TIMEOUT_S = 2, 1
    sockets.UNREAD_TIMEOUT_S = 3.0

async def application(scope, receive, send):
    if scope["type"] != "websocket":
        while (await receive()).get("more_body"):
            pass
        headers = [(b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 404, "headers": headers})
        return await send({"type": "http.response.body", "body": b""})
    await receive()
    if scope["path"] == "/never":
        await asyncio.sleep(60)
    if scope["path"] == "/raise":
        raise RuntimeError("before the handshake")
    await send({"type": "websocket.accept"})
    count = 0
    while (event := await receive())["type"] == "websocket.receive":
        count += 1
        text = event.get("text")
        if text == "slow":
            await asyncio.sleep(2.5)
        elif text == "policy":
            await send({"type": "websocket.close", "code": 1008})
        elif text == "raise":
            raise RuntimeError("after the handshake")
        elif text == "big":
            for _ in range(40):
                await send({"type": "websocket.send", "text": "x" * 60_000})
        trips = scope["line"].round_trips_s
        told = {"count": count, "trips": trips, "late": application.has_sent_late}
        await send({"type": "websocket.send", "text": json.dumps(told)})
        application.has_sent_late |= text == "policy"

application.has_sent_late = False
bounded = http_limits.bound_bodies(application)

async def site(scope, receive, send):
    await (bounded if scope["type"] == "http" else application)(scope, receive, send)

endpoints = [f"tcp:port={port}:interface=127.0.0.1"]
options = {"websocket_connect_timeout": 1} if hurry else {}
async def shut_down():
    pass

bounded_daphne.BoundedServer(
    site, shut_down, endpoints=endpoints, signal_handlers=False, verbosity=0, **options
).run()
"""


@contextlib.contextmanager
def server(data: Path, *hurry: str) -> Iterator[int]:
    """Run the application ECHO under Daphne; yield its port."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-c", ECHO, str(port), *hurry],
        cwd=ROOT,
        env={**os.environ, "QUIVER_DATA": str(data)},
    )
    try:
        for _ in range(600):
            assert process.poll() is None
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.05)
        yield port
        assert process.poll() is None, "the server has died"
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def lenient_port(tmp_path_factory) -> Iterator[int]:
    with server(tmp_path_factory.mktemp("patient")) as port:
        yield port


@pytest.fixture(scope="module")
def strict_port(tmp_path_factory) -> Iterator[int]:
    with server(tmp_path_factory.mktemp("hurried"), "hurry") as port:
        yield port


def frame(text: bytes, opcode: int = 1, is_last: bool = True) -> bytes:
    """A masked frame of a client."""
    size = len(text)
    head = bytes([opcode | (0x80 if is_last else 0)])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 65536:
        head += bytes([0x80 | 126]) + struct.pack("!H", size)
    else:
        head += bytes([0x80 | 127]) + struct.pack("!Q", size)
    return head + b"\0\0\0\0" + text


def raw(port: int, buffer: int | None = None, path: str = "/") -> socket.socket:
    """A websocket whose bytes the test writes itself, and reads only if it wants to."""
    line, head = handshake(port, buffer, path)
    assert b" 101 " in head
    return line


def handshake(port: int, buffer: int | None, path: str) -> tuple[socket.socket, bytes]:
    """A connection that has asked for a websocket, and the head of the answer."""
    line = socket.socket()
    if buffer:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    line.settimeout(15)
    line.connect(("127.0.0.1", port))
    key = base64.b64encode(os.urandom(16))
    line.sendall(
        b"GET %b HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %b\r\n\r\n" % (path.encode(), key)
    )
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += line.recv(1)
    return line, head


def close_code(line: socket.socket) -> int | None:
    """The code of the close frame, after any other frames; None if the connection drops."""
    data = b""
    with contextlib.suppress(ConnectionError):
        while chunk := line.recv(65536):
            data += chunk
            while len(data) >= 4:  # the head of a frame, and the code if it is a close frame
                size, head = data[1], 2
                if size == 126:
                    size, head = struct.unpack("!H", data[2:4])[0], 4
                if data[0] & 15 == 8:
                    return struct.unpack("!H", data[head : head + 2])[0]
                if len(data) < head + size:
                    break
                data = data[head + size :]
    return None


async def test_the_round_trip_is_measured_by_the_server_right_after_the_handshake(lenient_port):
    async with websockets.connect(f"ws://127.0.0.1:{lenient_port}/", proxy=None) as page:
        for _ in range(100):
            await page.send("?")
            told = json.loads(await page.recv())
            if told["trips"]:
                break
            await asyncio.sleep(0.05)
        assert told["trips"]


def test_a_flood_is_read_no_faster_than_it_is_handled_and_nothing_of_it_is_lost(lenient_port):
    with raw(lenient_port) as line:
        line.sendall(frame(b"slow"))
        line.settimeout(1)
        sent, block = 0, frame(b"y" * 16_000)
        with pytest.raises(TimeoutError):
            while sent < 2_000:
                line.sendall(block)
                sent += 1
        assert sent < 2_000, "everything was taken in while the handler was busy"
    with raw(lenient_port) as line:
        line.sendall(frame(b"slow") + frame(b"y") * 500)
        answers = b""
        while b'"count": 501' not in answers:
            answers = answers[-100:] + line.recv(65536)


@pytest.mark.parametrize("size", [65_537, 5_000_000])
def test_a_frame_that_is_too_large_ends_the_connection(lenient_port, size):
    with raw(lenient_port) as line:
        with contextlib.suppress(ConnectionError):
            line.sendall(frame(b"x" * size))
        assert close_code(line) is None


def test_a_message_of_many_fragments_is_as_large_as_all_of_them(lenient_port):
    with raw(lenient_port) as line:
        line.sendall(frame(b"x" * 40_000, is_last=False) + frame(b"x" * 40_000, 0, is_last=False))
        assert close_code(line) is None


@pytest.mark.parametrize("opcode", [0, 9, 10])
def test_a_flood_of_empty_fragments_pings_or_pongs_is_closed_with_1008(lenient_port, opcode):
    with raw(lenient_port) as line:
        begin = frame(b"", 1, is_last=False) if opcode == 0 else b""
        line.sendall(begin + frame(b"", opcode, is_last=opcode != 0) * 2_000)
        assert close_code(line) == 1008


def test_the_application_may_close_with_1008(lenient_port):
    with raw(lenient_port) as line:
        line.sendall(frame(b"policy"))
        assert close_code(line) == 1008


async def test_the_application_may_send_after_it_has_closed(lenient_port):
    with raw(lenient_port) as line:
        line.sendall(frame(b"policy"))
        assert close_code(line) == 1008
    async with websockets.connect(f"ws://127.0.0.1:{lenient_port}/", proxy=None) as page:
        await page.send("?")
        assert json.loads(await page.recv())["late"]


def test_a_peer_that_answers_no_close_is_disconnected(strict_port):
    with raw(strict_port) as line:
        line.sendall(frame(b"policy"))
        assert close_code(line) == 1008
        assert everything(line) == b""  # the line ends, or this waits in vain


def test_a_peer_that_sends_but_does_not_read_is_disconnected(strict_port):
    with raw(strict_port, buffer=4096) as line:
        line.sendall(frame(b"big") * 5)
        end = time.monotonic() + 15
        with pytest.raises(ConnectionError):
            while time.monotonic() < end:
                line.sendall(frame(b"still here"))
                time.sleep(0.1)


def test_a_peer_that_reads_but_answers_no_ping_is_disconnected(strict_port):
    with raw(strict_port) as line:
        began = time.monotonic()
        line.sendall(frame(b"hello"))
        assert close_code(line) is None
        assert time.monotonic() - began < 30


async def test_a_peer_that_reads_stays_connected(strict_port):
    async with websockets.connect(
        f"ws://127.0.0.1:{strict_port}/", proxy=None, max_size=None, ping_interval=None
    ) as page:
        for count in range(1, 8):
            await page.send("big")
            while (text := await page.recv()).startswith("x"):
                pass
            assert json.loads(text)["count"] == count
            await asyncio.sleep(0.8)


@pytest.mark.parametrize(("said", "code"), [(b"raise", 1011), (b"\xff", None)])
def test_an_error_ends_the_connection(lenient_port, said, code):
    with raw(lenient_port) as line:
        line.sendall(frame(said))
        assert close_code(line) == code


def test_an_application_that_fails_before_the_handshake_answers_500(lenient_port):
    line, head = handshake(lenient_port, None, "/raise")
    line.close()
    assert b" 500 " in head


def test_a_handshake_has_a_deadline(strict_port):
    line, head = handshake(strict_port, None, "/never")
    line.close()
    assert b" 403 " in head


@contextlib.contextmanager
def plain(port: int) -> Iterator[socket.socket]:
    """A connection on which nothing has been said yet."""
    with socket.create_connection(("127.0.0.1", port), timeout=15) as line:
        yield line


def everything(line: socket.socket) -> bytes:
    """Read all bytes until the server closes the connection."""
    data = b""
    with contextlib.suppress(ConnectionError):
        while chunk := line.recv(65536):
            data += chunk
    return data


PAGE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
FORM = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
FILLED = FORM % 3 + b"a=b"
LINES = b"GET / HTTP/1.1\r\nHost: x\r\nA: "


@pytest.mark.parametrize(
    ("first", "head"),
    [
        (b"", LINES),
        (PAGE, b"GET /"),
        *nightly((b"", b"GET /"), (PAGE, LINES), (FILLED, b"GET /"), (FILLED, LINES)),
    ],
)
def test_a_head_that_comes_byte_by_byte_has_a_deadline(strict_port, first, head):
    with plain(strict_port) as line:
        if first:
            line.sendall(first)
            assert b" 404 " in line.recv(65536)
        began = time.monotonic()
        line.sendall(head)
        line.settimeout(0.2)
        data = b""
        with contextlib.suppress(ConnectionError):
            while time.monotonic() < began + 30:
                line.sendall(b"x")
                with contextlib.suppress(TimeoutError):
                    if not (chunk := line.recv(65536)):
                        break
                    data += chunk
        assert time.monotonic() - began < 25
        assert data.startswith(b"HTTP/1.1 408 ")


def test_a_connection_on_which_nothing_is_said_is_closed(strict_port):
    with plain(strict_port) as line:
        began = time.monotonic()
        everything(line)
        assert time.monotonic() - began < 25


def test_a_body_that_does_not_come_has_a_deadline(strict_port):
    with plain(strict_port) as line:
        line.sendall(FORM % 100)
        assert everything(line).startswith(b"HTTP/1.1 408 ")


def test_an_idle_connection_may_ask_again_after_longer_than_a_head_may_take(strict_port):
    with plain(strict_port) as line:
        for _ in range(3):
            line.sendall(PAGE)
            assert b" 404 " in line.recv(65536)
            time.sleep(1.5)


def test_connections_that_speak_http_are_bounded_and_sockets_are_not_among_them(strict_port):
    with contextlib.ExitStack() as stack:
        for _ in range(12):
            stack.enter_context(raw(strict_port))
        for _ in range(8):
            line = stack.enter_context(plain(strict_port))
            line.sendall(PAGE)
            assert b" 404 " in line.recv(65536)
        with plain(strict_port) as line:
            assert everything(line).startswith(b"HTTP/1.1 503 ")
    time.sleep(0.3)
    with plain(strict_port) as line:
        line.sendall(PAGE)
        assert b" 404 " in line.recv(65536)
