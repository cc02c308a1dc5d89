"""Game page on a real connection: behaves as the site's page and logs all it receives.

It comes back when the line drops (to another process where there is one), subscribes with its rev,
and sends what is unanswered again under the same ids. It sends heartbeats, and gives up a line that
is silent. Frames are built and read in `compose`, `_talk`, `_beat` and `_hear` only.
"""

import asyncio
import hashlib
import itertools
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from zlib import crc32

import websockets

from tests.support.servers.server_process import Server
from tests.support.topic_frames import heard, on_topic

SILENCE_LIMIT_S = 9.0  # after which a line is given up
RETRY_DELAY_S = 0.3  # after which what the server was too busy for is sent again
SLOW_CODES = (1008, 1012, 1013)  # too many frames, a restart, an overload: no quick retries
ids = itertools.count()
State = dict[str, Any]
Frame = dict[str, Any]
LOGGED = ("id", "rev", "again", "at", "lag", "clock", "hash", "commitment", "reason")
# Keys that may differ between pages, left out when their states are compared.
OWN = {"now", "you", "may", "prompt", "your_seal"}


def in_common(state: State) -> State:
    """The part of a state that is equal on all pages at one rev."""
    return {key: value for key, value in state.items() if key not in OWN}


def canonical_json(value: Any) -> bytes:
    """A value as bytes; alike if and only if the values are."""
    return json.dumps(value, sort_keys=True).encode()


def digest(value: Any) -> str:
    """A short name for a value; two are alike if and only if the values are."""
    return hashlib.sha256(canonical_json(value)).hexdigest()[:16]


@dataclass(frozen=True)
class Timing:
    """Intervals of heartbeats and reconnection; by default those of a player's page."""

    beat_s: float = 4.0
    first_delay_s: float = 0.5  # before it comes back, at least and at most
    longest_delay_s: float = 8.0
    quick_for_s: float = 10.0  # after a loss it waits about `first_delay_s` each time for so long


QUICK = Timing(beat_s=0.5, first_delay_s=0.05, longest_delay_s=0.4)


@dataclass(frozen=True)
class PageLog:
    """The frames that a page had sent and received at a moment, and its state."""

    name: str
    role: str | None
    log: list[dict[str, Any]]
    state: State | None
    is_open: bool  # it had a line

    @property
    def rev(self) -> int:
        """The rev of the state that it showed."""
        return -1 if self.state is None else self.state["rev"]


class PageClient:
    """One open page; `role` is None for a spectator, who has no session either.

    `ports` are those of the site's processes now; `on_text` hears every message as it came.
    """

    def __init__(
        self,
        ports: Callable[[], Sequence[int]],
        origin: str,
        slug: str,
        role: str | None,
        session: str = "",
        seed: str = "",
        on_text: Callable[[str], None] = lambda text: None,
        timing: Timing = Timing(),
    ) -> None:
        self.slug, self.role = slug, role
        self._topic = f"game:{slug}"
        self.name = f"{slug[:6]} {role or 'spectator'} {seed}"
        self.session = session  # the key, as the cookie has it
        self.log: list[dict[str, Any]] = []
        self.state: State | None = None
        self.line: Any = None
        self.reconnects = 0
        self.ports, self.origin = ports, origin
        self.asks_for_flag = False  # at each coming, as a page does whose clock has run down
        self.on_sent: Callable[[Frame], None] = lambda frame: None
        self.is_frozen = False
        self._on_text, self._timing = on_text, timing
        self._random = Random(f"{seed}{slug}{role}")
        self._at = self._random.randrange(2)  # which process it goes to
        self._asked: dict[str, Frame] = {}  # without an answer yet, by id
        self._answers: dict[str, asyncio.Future[Frame]] = {}
        self._news = asyncio.Event()
        self._heard = 0.0
        self._lost = float("-inf")  # when it last lost a line, as of time.monotonic
        self._retry_s: float | None = None  # as the server has said
        self._tasks: list[asyncio.Task[None]] = []
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

    def snapshot(self) -> PageLog:
        """The page's log and state now."""
        return PageLog(self.name, self.role, list(self.log), self.state, self.line is not None)

    @property
    def unanswered(self) -> list[str]:
        """The ids of frames without an answer yet."""
        return list(self._asked)

    def note(self, event: str, **what: Any) -> None:
        """Writes down what happened, and when."""
        self.log.append({"e": event, "ns": time.monotonic_ns(), **what})

    def compose(self, kind: str, prefix: str = "f", **body: Any) -> Frame:
        """A frame that wants an answer, with an id of its own."""
        return {"t": kind, "id": f"{prefix}-{next(ids)}", **body}

    async def ask(self, frame: Frame) -> Frame:
        """Sends a frame, again on new lines if needed; returns its answer."""
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
        """Sends frames together if there is a line; lost frames are sent with the next line."""
        await self._running.wait()
        try:
            for frame in frames:
                if self.line is not None:
                    await self.line.send(json.dumps(on_topic(frame, self._topic)))
                    self.on_sent(frame)
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
                    f"ws://127.0.0.1:{port}/ws/g/{self.slug}/",
                    origin=self.origin,  # type: ignore[arg-type]
                    additional_headers={"Cookie": f"sessionid={self.session}"}
                    if self.session
                    else {},
                    compression=None,
                    ping_interval=None,
                    open_timeout=SILENCE_LIMIT_S,
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
                if code not in SLOW_CODES:
                    self._lost = time.monotonic()
                self.note("closed", code=code)
            self.line = None
            self._at += 1
            failures += 1
            await asyncio.sleep(self._wait(failures))

    def _wait(self, failures: int) -> float:
        if self._retry_s is not None:
            told_s, self._retry_s = self._retry_s, None
            return told_s * (1 + self._random.random())
        first_s = self._timing.first_delay_s
        if time.monotonic() - self._lost < self._timing.quick_for_s:
            return first_s * (0.5 + self._random.random())
        ceiling_s = min(self._timing.longest_delay_s, 2 * first_s * 1.5 ** max(0, failures - 1))
        return first_s + (ceiling_s - first_s) * self._random.random()

    async def _talk(self, line: Any, port: int) -> None:
        unanswered = list(self._asked.values())
        self.line = line
        self.reconnects += 1
        self.note("open", port=port)
        flag = [{"t": "flag"}] if self.asks_for_flag else []
        subscription: dict[str, Any] = {"t": "subscribe", "rev": self.rev}
        for frame in (subscription, *flag, *unanswered):
            await line.send(json.dumps(on_topic(frame, self._topic)))
        async for text in line:
            self._heard = time.monotonic()
            self._on_text(text)
            await self._hear(heard(text, self._topic))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._timing.beat_s)
            if self.is_frozen or self.line is None:
                continue
            if time.monotonic() - self._heard > SILENCE_LIMIT_S:
                self.note("dead")
                self.cut()
            else:
                await self.send({"t": "ping", "rev": self.rev})

    async def _hear(self, frame: Frame) -> None:
        match frame["t"]:
            case "game":
                self._see(frame)
            case "pong" if frame["rev"] is not None:
                self.note("pong", rev=frame["rev"])
            case "bye":
                self.note("bye", retry=frame["retry"])
                self._retry_s = frame["retry"] / 1000
            case "receipt" | "refused":
                self.note(frame["t"], **{key: frame[key] for key in LOGGED if key in frame})
                await self._answered(frame)

    def _see(self, frame: Frame) -> None:
        over = frame["status"] == "over"
        outcome = digest(frame["outcome"]) if over else None
        common = {field: crc32(canonical_json(value)) for field, value in in_common(frame).items()}
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
            asyncio.get_running_loop().call_later(RETRY_DELAY_S, self._send_soon, asked)
            return  # the same id again: nothing was done, or the receipt will say that it was
        self._asked.pop(frame["id"], None)
        answer = self._answers.pop(frame["id"], None)
        if answer is not None and not answer.done():
            answer.set_result(frame)

    def _send_soon(self, frame: Frame) -> None:
        if frame["id"] in self._asked:
            self._sending = asyncio.ensure_future(self.send(frame))


def page_of(
    server: Server, slug: str, name: str, role: str | None, cookie: str = "", timing: Timing = QUICK
) -> PageClient:
    """A page of one server, quick to come back; `cookie` is that of `Visitor.session`."""
    session = cookie.removeprefix("sessionid=")
    return PageClient(
        lambda: [server.port], server.origin, slug, role, session, seed=name, timing=timing
    )
