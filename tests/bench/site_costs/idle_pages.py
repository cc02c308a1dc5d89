"""`python -m tests.bench.site_costs.idle_pages`: measure what waiting pages cost, before and after.

    python -m tests.bench.site_costs.idle_pages [--before FOLDER] [--pages 400] [--seconds 75]

`FOLDER` is a checkout of an earlier commit; both sites run at the same time, on SQLite, and are
measured over the same seconds. A light client holds the sockets: it pings as the pages of that
commit do (`--beat-before`, `--beat`, in seconds, spread by a fifth), with the revs that it was
shown, and answers the server's pings. Figures are CPU milliseconds of the server's processes for a
page and second, less what the site costs with a single page, and kilobytes of resident memory.
"""

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

from tests.bench.processes import ROOT, Program, free_port, more_files, say, tree
from tests.faults.clients.game_setup import OPEN

TICKS = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
QUIET = {"QUIVER_BOTS": "0", "QUIVER_NOTICES": "0", "QUIVER_EXHIBITION": "0"}
DAYS = ("days", 86_400_000, 0)
PER_ADDRESS = 200  # sockets from one address of loopback, fewer than the site allows
AT_ONCE = 20  # handshakes
SETTLE_S = 8.0  # after the last page has come
EMPTY_S = 20.0  # in which the site with one page is measured
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10  # opcodes
SPREAD = 0.2  # of the time between two pings
KINDS = ("lists", "spectators", "seats")
MASK = b"\0\0\0\0"  # leaves a payload as it is
HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nOrigin: http://127.0.0.1:{port}\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{cookie}\r\n"
)


@dataclass
class Site:
    """One checkout that serves, and how often its pages ping."""

    name: str
    folder: Path
    beat_s: float
    program: Program
    port: int
    games: list[dict[str, Any]]
    pages: list["Page"] = field(default_factory=list)

    def cpu_s(self) -> float:
        """CPU seconds of its processes so far."""
        return sum(int(x) for stat in self._stats() for x in stat[11:13]) / TICKS

    def resident_bytes(self) -> int:
        """Resident memory of its processes."""
        return sum(int(stat[21]) for stat in self._stats()) * PAGE_BYTES

    def _stats(self) -> Iterator[list[str]]:
        for pid in tree([self.program.pid]):
            yield Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()


class Page(asyncio.Protocol):
    """One page that waits: answers pings of the server, and pings with its revs."""

    def __init__(self, port: int, topics: Sequence[str], cookie: str, beat_s: float) -> None:
        self._port, self._topics, self._cookie = port, topics, cookie
        self._beat_s = beat_s
        self._random = Random(port)
        self._revs: dict[str, Any] = {}
        self._data = b""
        self._is_open = False
        self._timer: asyncio.TimerHandle | None = None
        self.has_states = asyncio.Event()  # of all its topics
        self.pongs = 0
        self.is_lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the handshake."""
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport
        cookie = f"Cookie: sessionid={self._cookie}\r\n" if self._cookie else ""
        head = HANDSHAKE.format(path="/ws/?lang=en", port=self._port, cookie=cookie)
        transport.write(head.encode())

    def data_received(self, data: bytes) -> None:
        """Read the frames that are complete."""
        self._data += data
        if not self._is_open:
            head, end, rest = self._data.partition(b"\r\n\r\n")
            if not end:
                return
            assert head.startswith(b"HTTP/1.1 101"), head[:200]
            self._is_open, self._data = True, rest
            for topic in self._topics:
                self._send({"t": "subscribe", "topic": topic, "rev": -1})
            self._timer = asyncio.get_running_loop().call_later(2.0, self._beat)
        while (frame := split_frame(self._data)) is not None:
            opcode, payload, self._data = frame
            if opcode == PING:
                self._write(PONG, payload)
            elif opcode == TEXT:
                self._hear(payload)

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the server has closed the page's socket."""
        self.is_lost = True
        self.close()

    def close(self) -> None:
        """Leave."""
        if self._timer is not None:
            self._timer.cancel()
        self._transport.close()

    def _hear(self, payload: bytes) -> None:
        if payload.startswith(b'{"t":"pong"'):
            self.pongs += 1
            return
        message = json.loads(payload)
        assert message["t"] not in ("ended", "refused"), message
        if "rev" in message and "topic" in message:
            self._revs[message["topic"]] = message["rev"]
        if len(self._revs) == len(self._topics):
            self.has_states.set()

    def _beat(self) -> None:
        self._send({"t": "ping", "revs": self._revs, "visible": True})
        wait = self._beat_s * (1 + SPREAD * (2 * self._random.random() - 1))
        self._timer = asyncio.get_running_loop().call_later(wait, self._beat)

    def _send(self, message: dict[str, Any]) -> None:
        self._write(TEXT, json.dumps(message).encode())

    def _write(self, opcode: int, payload: bytes) -> None:
        size = len(payload)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2)
        self._transport.write(bytes([0x80 | opcode]) + length + MASK + payload)


def split_frame(data: bytes) -> tuple[int, bytes, bytes] | None:
    """Return opcode and payload of the first frame and what follows it; None if it is not whole."""
    if len(data) < 2:
        return None
    size, head = data[1], 2
    if size >= 126:
        head = 4 if size == 126 else 10
        size = int.from_bytes(data[2:head])
    if len(data) < head + size:
        return None
    return data[0] & 15, data[head : head + size], data[head + size :]


def start(stack: ExitStack, name: str, folder: Path, beat_s: float, games: int) -> Site:
    """Start the site of a checkout with days games on file."""
    data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="quiver-idle-")))
    nothing = {"DATABASE_URL": "", "REDIS_URL": ""}
    environment = {**nothing, **QUIET, "PYTHONPATH": "site:.", "QUIVER_DATA": str(data)}
    manage = [sys.executable, "manage.py"]

    def run(*command: str, text: str = "") -> str:
        done = subprocess.run(
            [*manage, *command],
            cwd=folder,
            env={**os.environ, **environment},
            input=text,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    run("migrate", "-v", "0")
    wanted = {"key": "pincer", "clock": DAYS, "levels": {}, "password": "", "public": True}
    opened = run("shell", "-v", "0", "-c", OPEN, text=json.dumps([wanted] * games))
    port = free_port()
    command = ["sh", "-c", 'cd "$0" && exec "$@"', str(folder), *manage]
    program = Program(name, [*command, "serve", "--port", str(port)], data / "log", environment)
    stack.enter_context(program)
    program.answering(port)
    return Site(name, folder, beat_s, program, port, json.loads(opened.splitlines()[-1]))


def wanted_pages(site: Site, kind: str) -> Iterator[tuple[list[str], str]]:
    """Yield topics and session key of one page after the other, without end."""
    for game in cycle(site.games):
        topics = [f"game:{game['slug']}", f"chat:game/{game['slug']}"]
        if kind == "lists":
            yield ["lists"], ""
        elif kind == "spectators":
            yield topics, ""
        else:
            for key in game["sessions"].values():
                yield topics, key


async def open_pages(site: Site, kind: str, count: int) -> None:
    """Open pages of a kind, some at a time, until all have their states."""
    gate = asyncio.Semaphore(AT_ONCE)
    loop = asyncio.get_running_loop()

    async def open_one(number: int, topics: list[str], key: str) -> None:
        page = Page(site.port, topics, key, site.beat_s)
        address = (f"127.0.{1 + number // PER_ADDRESS}.1", 0)
        async with gate:
            await loop.create_connection(lambda: page, "127.0.0.1", site.port, local_addr=address)
            site.pages.append(page)
            await asyncio.wait_for(page.has_states.wait(), 60)

    wanted = enumerate(islice(wanted_pages(site, kind), count))
    await asyncio.gather(*(open_one(number, *each) for number, each in wanted))


@dataclass(frozen=True)
class Figures:
    """Cost of pages of one kind."""

    ms_per_page_s: float
    kb_per_page: float
    pongs: int


async def cpu_over(sites: Sequence[Site], seconds: float) -> list[float]:
    """Return the CPU seconds of each site within the same seconds, for one second."""
    before, began = [site.cpu_s() for site in sites], time.monotonic()
    await asyncio.sleep(seconds)
    took = time.monotonic() - began
    return [(site.cpu_s() - cpu) / took for site, cpu in zip(sites, before, strict=True)]


async def measure(sites: Sequence[Site], kind: str, pages: int, seconds: float) -> list[Figures]:
    """Return the figures of one kind of page at each site."""
    for site in sites:
        await open_pages(site, kind, 1)  # with the first page, watching the database begins
    await asyncio.sleep(SETTLE_S)
    empty = await cpu_over(sites, EMPTY_S)
    resident = [site.resident_bytes() for site in sites]
    for site in sites:
        await open_pages(site, kind, pages)
    await asyncio.sleep(SETTLE_S)
    busy = await cpu_over(sites, seconds)
    figures = []
    for site, idle_share, share, size in zip(sites, empty, busy, resident, strict=True):
        assert not any(page.is_lost for page in site.pages), f"{site.name} has closed sockets"
        figures.append(
            Figures(
                1000 * (share - idle_share) / pages,
                (site.resident_bytes() - size) / pages / 1024,
                sum(page.pongs for page in site.pages),
            )
        )
        for page in site.pages:
            page.close()
        site.pages.clear()
    await asyncio.sleep(SETTLE_S)
    return figures


def commit_of(folder: Path) -> str:
    """Return the short name of a checkout's commit."""
    command = ["git", "-C", str(folder), "rev-parse", "--short", "HEAD"]
    return re.sub(r"\s", "", subprocess.run(command, capture_output=True, text=True).stdout)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--before", type=Path, help="a checkout of an earlier commit")
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=75.0, help="of each kind of page")
    parser.add_argument("--beat-before", type=float, default=2.0, help="s between pings there")
    parser.add_argument("--beat", type=float, default=25.0, help="s between pings here")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    options = parser.parse_args()
    more_files()
    games = (options.pages + 1) // 2
    with ExitStack() as stack:
        sites = [start(stack, "after", ROOT, options.beat, games)]
        if options.before:
            before = options.before.resolve()
            sites.insert(0, start(stack, "before", before, options.beat_before, games))
        print(f"{options.pages} pages of each kind, {options.seconds:g} s")
        print(f"{'':22}{'commit':>10}{'ping every':>12}{'ms a page and s':>18}{'KB a page':>12}")
        for kind in options.kinds:
            say(f"{kind} wait")
            figures = asyncio.run(measure(sites, kind, options.pages, options.seconds))
            for site, each in zip(sites, figures, strict=True):
                row = f"{kind + ', ' + site.name:22}{commit_of(site.folder):>10}"
                print(
                    row
                    + f"{site.beat_s:>10g} s{each.ms_per_page_s:>18.4f}{each.kb_per_page:>12.1f}"
                )


if __name__ == "__main__":
    main()
