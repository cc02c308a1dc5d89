"""Clients that flood, that do not read, and that never finish: a real Daphne on loopback."""

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
from real_server import free_port

ROOT = Path(__file__).parents[2]
# An application that answers "big" with a megabyte, "slow" after a while, and everything else by
# how many frames it has had and what is known of the line.
ECHO = """
import asyncio, gc, json, os, sys
gc.disable()  # what stays of a connection then leads back to itself
sys.path[:0] = ["site", "."]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
import daphne.server
from config import backpressure, lines
from config.server import BoundedServer

if len(sys.argv) > 2:
    lines.PATIENCE, backpressure.MESSAGE_TIME = 3.0, 1.0

async def application(scope, receive, send):
    if scope["type"] != "websocket":
        await send({"type": "http.response.start", "status": 404, "headers": []})
        return await send({"type": "http.response.body", "body": b""})
    await receive()
    await send({"type": "websocket.accept"})
    count = 0
    while (event := await receive())["type"] == "websocket.receive":
        count += 1
        text = event.get("text")
        if text == "slow":
            await asyncio.sleep(4)
        elif text == "policy":
            await send({"type": "websocket.close", "code": 1008})
        elif text == "big":
            for _ in range(40):
                await send({"type": "websocket.send", "text": "x" * 60_000})
        line = scope["line"]
        told = {"count": count, "trip": line.round_trip, "unsent": line.unsent}
        if text == "kept":
            told["kept"] = sum(type(o) is backpressure.BoundedProtocol for o in gc.get_objects())
        await send({"type": "websocket.send", "text": json.dumps(told)})

BoundedServer(
    application, endpoints=["tcp:port=" + sys.argv[1] + ":interface=127.0.0.1"],
    signal_handlers=False, websocket_max_message_size=65536, websocket_max_frame_size=65536,
    verbosity=0,
).run()
"""


@contextlib.contextmanager
def server(data: Path, *hurry: str) -> Iterator[int]:
    """Such a server; its port."""
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
def patient(tmp_path_factory) -> Iterator[int]:
    with server(tmp_path_factory.mktemp("patient")) as port:
        yield port


@pytest.fixture(scope="module")
def hurried(tmp_path_factory) -> Iterator[int]:
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


def raw(port: int, buffer: int | None = None) -> socket.socket:
    """A websocket whose bytes the test writes itself, and reads only if it wants to."""
    line = socket.socket()
    if buffer:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    line.settimeout(15)
    line.connect(("127.0.0.1", port))
    key = base64.b64encode(os.urandom(16))
    line.sendall(
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + key + b"\r\n\r\n"
    )
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += line.recv(1)
    assert b" 101 " in head
    return line


def close_code(line: socket.socket) -> int | None:
    """The code of the close frame that comes, whatever comes before; None if the line drops."""
    data = b""
    with contextlib.suppress(ConnectionError):
        while chunk := line.recv(65536):
            data += chunk
    while len(data) >= 2:
        size, head = data[1], 2
        if size == 126:
            size, head = struct.unpack("!H", data[2:4])[0], 4
        if data[0] & 15 == 8:
            return struct.unpack("!H", data[head : head + 2])[0]
        data = data[head + size :]
    return None


async def test_the_round_trip_is_measured_by_the_server_right_after_the_handshake(patient):
    async with websockets.connect(f"ws://127.0.0.1:{patient}/", proxy=None) as page:
        for _ in range(100):
            await page.send("?")
            told = json.loads(await page.recv())
            if told["trip"] is not None:
                break
            await asyncio.sleep(0.05)
        assert told["trip"] is not None


async def test_nothing_of_a_closed_connection_waits_for_a_search_for_garbage(tmp_path):
    with server(tmp_path) as port:
        for _ in range(5):
            async with websockets.connect(f"ws://127.0.0.1:{port}/", proxy=None) as page:
                await page.send("?")
                await page.recv()
        async with websockets.connect(f"ws://127.0.0.1:{port}/", proxy=None) as page:
            for _ in range(100):
                await page.send("kept")
                if (kept := json.loads(await page.recv())["kept"]) == 1:
                    break
                await asyncio.sleep(0.05)
            assert kept == 1


def test_a_flood_is_read_no_faster_than_it_is_handled_and_nothing_of_it_is_lost(patient):
    with raw(patient) as line:
        line.sendall(frame(b"slow"))
        line.settimeout(1)
        sent, block = 0, frame(b"y" * 16_000)
        with pytest.raises(TimeoutError):
            while sent < 2_000:
                line.sendall(block)
                sent += 1
        assert sent < 2_000, "everything was taken in while the handler was busy"
    with raw(patient) as line:
        line.sendall(frame(b"slow") + frame(b"y") * 500)
        answers = b""
        while b'"count": 501' not in answers:
            answers = answers[-100:] + line.recv(65536)


@pytest.mark.parametrize("size", [65_537, 5_000_000])
def test_a_frame_that_is_too_large_is_closed_with_1009(patient, size):
    with raw(patient) as line:
        line.sendall(frame(b"x" * size))
        assert close_code(line) == 1009


def test_a_message_of_many_fragments_is_as_large_as_all_of_them(patient):
    with raw(patient) as line:
        line.sendall(frame(b"x" * 40_000, is_last=False) + frame(b"x" * 40_000, 0, is_last=False))
        assert close_code(line) == 1009


@pytest.mark.parametrize("opcode", [0, 9, 10])
def test_a_flood_of_empty_fragments_pings_or_pongs_is_closed_with_1008(patient, opcode):
    with raw(patient) as line:
        begin = frame(b"", 1, is_last=False) if opcode == 0 else b""
        line.sendall(begin + frame(b"", opcode, is_last=opcode != 0) * 2_000)
        assert close_code(line) == 1008


def test_a_message_that_never_ends_is_given_up(hurried):
    with raw(hurried) as line:
        line.sendall(frame(b"x", is_last=False))
        assert close_code(line) == 1008


def test_the_application_may_close_with_1008(patient):
    with raw(patient) as line:
        line.sendall(frame(b"policy"))
        assert close_code(line) == 1008


def test_whoever_talks_but_does_not_read_is_cut(hurried):
    with raw(hurried, buffer=4096) as line:
        line.sendall(frame(b"big") * 5)
        end = time.monotonic() + 15
        with pytest.raises(ConnectionError):
            while time.monotonic() < end:
                line.sendall(frame(b"still here"))
                time.sleep(0.1)


def test_whoever_reads_but_answers_no_ping_is_cut(hurried):
    with raw(hurried) as line:
        began = time.monotonic()
        line.sendall(frame(b"hello"))
        assert close_code(line) is None
        assert time.monotonic() - began < 14


async def test_whoever_reads_stays(hurried):
    async with websockets.connect(
        f"ws://127.0.0.1:{hurried}/", proxy=None, max_size=None, ping_interval=None
    ) as page:
        for count in range(1, 8):
            await page.send("big")
            while (text := await page.recv()).startswith("x"):
                pass
            assert json.loads(text)["count"] == count
            await asyncio.sleep(0.8)
