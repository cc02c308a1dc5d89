"""A page of a game on a real line: it keeps what it has asked for until it is answered.

Like the site's own page it comes back when the line drops, says hello with the rev that it has,
and sends what is unanswered again under the same ids. It also asks for the flag, as a page does
whose clock has run down meanwhile. All that it says and hears is logged.
"""

import asyncio
import hashlib
import itertools
import json
from collections.abc import Callable
from random import Random
from typing import Any

import websockets
from real_server import Server

BEAT = 0.5  # seconds; a page in a browser beats every 2.5
KEPT = ("id", "rev", "again", "at", "reason", "lag", "clock", "hash", "commitment")
ids = itertools.count()
# What differs between pages by right, and is left out when their states are compared.
OWN = {"now", "you", "may", "prompt", "your_seal"}
State = dict[str, Any]


def in_common(state: State) -> State:
    """What every page has to see alike at one rev."""
    return {key: value for key, value in state.items() if key not in OWN}


def digest(value: Any) -> str:
    """A short name for a value; two are alike if and only if the values are."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


class Page:
    """One open page; `role` is None for a spectator, who has no session either."""

    def __init__(self, server: Server, slug: str, name: str, role: str | None, session: str = ""):
        self.name, self.role, self.slug = name, role, slug
        self.state: State | None = None
        self.log: list[dict[str, Any]] = []
        self.on_sent: Callable[[dict[str, Any]], None] = lambda frame: None
        self._address = f"ws://127.0.0.1:{server.port}/ws/game/{slug}/"
        self._headers = {"Cookie": session} if session else {}
        self._origin = server.origin
        self._line: Any = None
        self._asked: dict[str, dict[str, Any]] = {}  # without an answer yet, by id
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._news = asyncio.Event()
        self._random = Random(name)
        self._tasks: list[asyncio.Task[None]] = []

    def open(self) -> None:
        """Begins to live; `close` ends it."""
        self._tasks = [asyncio.create_task(self._live()), asyncio.create_task(self._beat())]

    async def close(self) -> None:
        """Goes away."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def rev(self) -> int:
        """The rev of the state that it shows."""
        return -1 if self.state is None else self.state["rev"]

    def compose(self, kind: str, prefix: str = "a", **body: Any) -> dict[str, Any]:
        """A frame that wants an answer, with an id of its own."""
        return {"t": kind, "id": f"{prefix}-{next(ids)}", **body}

    async def ask(self, frame: dict[str, Any]) -> dict[str, Any]:
        """Sends a frame; its answer, however many lines that takes."""
        answer = self.expect(frame)
        await self.send(frame)
        return await answer

    def expect(self, frame: dict[str, Any]) -> "asyncio.Future[dict[str, Any]]":
        """Keeps a frame to be sent with the next line, until it is answered."""
        self.log.append({"e": "sent", "frame": frame})
        self._asked[frame["id"]] = frame
        answer = self._answers[frame["id"]] = asyncio.get_running_loop().create_future()
        return answer

    async def send(self, *frames: dict[str, Any]) -> None:
        """Sends frames at one go if there is a line; what gets lost is sent with the next one."""
        try:
            for frame in frames:
                if self._line is not None:
                    await self._line.send(json.dumps(frame))
                    self.on_sent(frame)
        except websockets.ConnectionClosed:
            return

    def cut(self) -> None:
        """Drops the line without a word."""
        if self._line is not None:
            self._line.transport.abort()

    async def until(self, holds: Callable[[State], bool]) -> State:
        """The state as soon as something holds of it."""
        while self.state is None or not holds(self.state):
            self._news.clear()
            await self._news.wait()
        return self.state

    async def _live(self) -> None:
        while True:
            try:
                async with websockets.connect(
                    self._address,
                    origin=self._origin,
                    additional_headers=self._headers,
                    compression=None,
                    ping_interval=None,
                    close_timeout=0.2,
                    proxy=None,
                ) as line:
                    await self._talk(line)
            except (OSError, websockets.WebSocketException):
                pass  # a line that breaks is what this page is for: it comes back
            self._line = None
            self.log.append({"e": "lost"})
            await asyncio.sleep(self._random.uniform(0.02, 0.2))

    async def _talk(self, line: Any) -> None:
        unanswered = list(self._asked.values())
        self._line = line
        for frame in ({"t": "hello", "rev": self.rev}, {"t": "flag"}, *unanswered):
            await line.send(json.dumps(frame))
        async for text in line:
            self._hear(json.loads(text))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            await self.send({"t": "ping", "rev": self.rev})

    def _hear(self, frame: dict[str, Any]) -> None:
        match frame["t"]:
            case "game":
                common = digest(in_common(frame))
                self.log.append({"e": "state", "rev": frame["rev"], "common": common})
                if frame["rev"] >= self.rev:
                    self.state = frame
                    self._news.set()
            case "pong":
                self.log.append({"e": "pong", "rev": frame["rev"]})
            case "receipt" | "refused":
                kept = {key: frame[key] for key in KEPT if key in frame}
                self.log.append({"e": frame["t"], **kept})
                self._answered(frame)

    def _answered(self, frame: dict[str, Any]) -> None:
        self._asked.pop(frame["id"], None)
        answer = self._answers.pop(frame["id"], None)
        if answer is not None:
            answer.set_result(frame)
