"""A reference client: what the site's own page does on its line, and a log of all that it was told.

It comes back when the line drops (to another process where there is one), says hello with its rev,
and sends what is unanswered again under the same ids. It beats, and gives up a line that is silent.
"""

import asyncio
import itertools
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any
from zlib import crc32

import websockets
from real_page import digest, in_common

from tests.faults.canaries import Canaries
from tests.faults.seating import ORIGIN

BEAT = 2.0  # seconds, as the page's
DEAD = 9.0  # seconds of silence after which a line is given up
FIRST, LONGEST = 0.5, 8.0  # seconds to wait before coming back, at least and at most
AGAIN = 0.3  # seconds after which what the server was too busy for is sent again
ids = itertools.count()
State = dict[str, Any]
Frame = dict[str, Any]
TOLD = ("id", "rev", "again", "at", "lag", "clock", "hash", "commitment", "reason")


def spelled(value: Any) -> bytes:
    """A value as bytes; alike if and only if the values are."""
    return json.dumps(value, sort_keys=True).encode()


@dataclass(frozen=True)
class Told:
    """What a client knew at a moment."""

    name: str
    role: str | None
    log: list[dict[str, Any]]
    rev: int
    is_open: bool  # it had a line


class Client:
    """One open page; `role` is None for a spectator, who has no session either."""

    def __init__(
        self,
        ports: Callable[[], list[int]],
        slug: str,
        role: str | None,
        session: str,
        canaries: Canaries,
        seed: str,
    ) -> None:
        self.slug, self.role = slug, role
        self.name = f"{slug[:6]} {role or 'spectator'} {seed}"
        self.session = session
        self.log: list[dict[str, Any]] = []
        self.state: State | None = None
        self.line: Any = None
        self.haste = 1.0  # times how long it waits before it comes back
        self.is_orderly = True  # it does not send things in a wrong order on purpose
        self.reconnects = 0
        self.ports = ports
        self._canaries = canaries
        self._random = Random(f"{seed}{slug}{role}")
        self._at = self._random.randrange(2)  # which process it goes to
        self._asked: dict[str, Frame] = {}
        self._answers: dict[str, asyncio.Future[Frame]] = {}
        self._news = asyncio.Event()
        self._heard = 0.0
        self._retry: float | None = None  # seconds, as the server has said
        self._tasks: list[asyncio.Task[None]] = []
        self.is_frozen = False
        self._running = asyncio.Event()
        self._running.set()

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

    @property
    def is_over(self) -> bool:
        """Whether it has seen the end."""
        return self.state is not None and self.state["status"] == "over"

    def told(self) -> Told:
        """What it knows now."""
        return Told(self.name, self.role, list(self.log), self.rev, self.line is not None)

    @property
    def unanswered(self) -> list[str]:
        """The ids of frames without an answer yet."""
        return list(self._asked)

    def note(self, event: str, **what: Any) -> None:
        """Writes down what happened, and when."""
        self.log.append({"e": event, "ns": time.monotonic_ns(), **what})

    def compose(self, kind: str, **body: Any) -> Frame:
        """A frame that wants an answer, with an id of its own."""
        return {"t": kind, "id": f"f-{next(ids)}", **body}

    async def ask(self, frame: Frame) -> Frame:
        """Sends a frame; its answer, however many lines that takes."""
        answer = self.expect(frame)
        await self.send(frame)
        return await answer

    def expect(self, frame: Frame) -> "asyncio.Future[Frame]":
        """Keeps a frame to be sent with the next line, until it is answered."""
        self.note("sent", id=frame["id"], frame=frame)
        self._asked[frame["id"]] = frame
        answer = self._answers[frame["id"]] = asyncio.get_running_loop().create_future()
        return answer

    async def send(self, *frames: Frame) -> None:
        """Sends frames at one go if there is a line; what gets lost is sent with the next one."""
        await self._running.wait()
        try:
            for frame in frames:
                if self.line is not None:
                    await self.line.send(json.dumps(frame))
        except (websockets.ConnectionClosed, OSError):
            return

    def cut(self) -> None:
        """Drops the line without a word."""
        if self.line is not None:
            self.line.transport.abort()

    def freeze(self) -> None:
        """Neither reads nor says anything, as if its process had been stopped."""
        self.is_frozen = True
        self._running.clear()
        if self.line is not None:
            self.line.transport.pause_reading()

    def thaw(self) -> None:
        """Goes on."""
        self.is_frozen = False
        self._running.set()
        self._heard = time.monotonic()
        if self.line is not None:
            self.line.transport.resume_reading()

    async def until(self, holds: Callable[[State], bool]) -> State:
        """The state as soon as something holds of it."""
        while self.state is None or not holds(self.state):
            self._news.clear()
            await self._news.wait()
        return self.state

    async def _live(self) -> None:
        failures = 0
        while True:
            ports = self.ports()
            port = ports[self._at % len(ports)]
            code: int | None = None
            try:
                async with websockets.connect(
                    f"ws://127.0.0.1:{port}/ws/game/{self.slug}/",
                    origin=ORIGIN,  # type: ignore[arg-type]
                    additional_headers={"Cookie": f"sessionid={self.session}"}
                    if self.session
                    else {},
                    compression=None,
                    ping_interval=None,
                    open_timeout=DEAD,
                    close_timeout=0.2,
                    max_size=None,
                    proxy=None,
                ) as line:
                    failures = 0
                    self._heard = time.monotonic()
                    await self._talk(line, port)
                code = line.close_code
            except (OSError, websockets.WebSocketException, TimeoutError) as trouble:
                code = getattr(getattr(trouble, "rcvd", None), "code", None)
            if self.line is not None:
                self.note("closed", code=code)
            self.line = None
            self._at += 1
            failures += 1
            await asyncio.sleep(self._wait(failures))

    def _wait(self, failures: int) -> float:
        if self._retry is not None:
            told, self._retry = self._retry, None
            return told * (1 + self._random.random()) * self.haste
        ceiling = min(LONGEST, 2 * FIRST * 1.5 ** max(0, failures - 1))
        return (FIRST + (ceiling - FIRST) * self._random.random()) * self.haste

    async def _talk(self, line: Any, port: int) -> None:
        unanswered = list(self._asked.values())
        self.line = line
        self.reconnects += 1
        self.note("open", port=port)
        for frame in ({"t": "hello", "rev": self.rev}, *unanswered):
            await line.send(json.dumps(frame))
        async for text in line:
            self._heard = time.monotonic()
            self._canaries.heard(self.slug, self.role, "socket", text)
            await self._hear(json.loads(text))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            if self.is_frozen or self.line is None:
                continue
            if time.monotonic() - self._heard > DEAD:
                self.note("dead")
                self.cut()
            else:
                await self.send({"t": "ping", "rev": self.rev})

    async def _hear(self, frame: Frame) -> None:
        match frame["t"]:
            case "game":
                self._see(frame)
            case "pong":
                self.note("pong", rev=frame["rev"])
            case "bye":
                self.note("bye", retry=frame["retry"])
                self._retry = frame["retry"] / 1000
            case "receipt" | "refused":
                self.note(frame["t"], **{key: frame[key] for key in TOLD if key in frame})
                await self._answered(frame)

    def _see(self, frame: Frame) -> None:
        over = frame["status"] == "over"
        outcome = digest(frame["outcome"]) if over else None
        common = {field: crc32(spelled(value)) for field, value in in_common(frame).items()}
        self.note("state", rev=frame["rev"], common=common, outcome=outcome)
        if frame["rev"] >= self.rev:
            self.state = frame
            self._news.set()

    async def _answered(self, frame: Frame) -> None:
        asked = self._asked.get(frame["id"])
        if (
            asked is not None
            and frame["t"] == "refused"
            and frame["reason"] in ("busy", "slow_down", "unsure")
        ):
            asyncio.get_running_loop().call_later(AGAIN, self._send_soon, asked)
            return  # the same id again: nothing was done, or the receipt will say that it was
        self._asked.pop(frame["id"], None)
        answer = self._answers.pop(frame["id"], None)
        if answer is not None and not answer.done():
            answer.set_result(frame)

    def _send_soon(self, frame: Frame) -> None:
        if frame["id"] in self._asked:
            self._sending = asyncio.ensure_future(self.send(frame))
