"""Game page without a browser: a socket, its newest state and all its messages."""

import asyncio
import itertools
import json
from functools import partial
from types import SimpleNamespace
from typing import Any

from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator

from accounts.login.sessions import digest_of
from play.domain.lag import ConnectionStats
from play.routing import websocket_urlpatterns
from tests.support.loop_runtime import has_frame, runtime, settle, settle_until
from tests.support.topic_frames import heard, on_topic, text_on_topic
from tests.support.waiting import TIMEOUT_S

ids = (f"page-{n}" for n in itertools.count())


class Anonymous:
    """A visitor who is nobody."""

    pk = None


class Page:
    """Opens a game's socket as a user and keeps what it hears, as a browser would.

    `session` is the key of the session, as a cookie has it; `line` has the measurements of its
    connection, which a server of the site makes.
    """

    def __init__(
        self,
        slug: str,
        user: Any = None,
        topic: str | None = None,
        session: str | None = None,
        line: ConnectionStats | None = None,
    ) -> None:
        self.topic = topic or f"game:{slug}"
        self.socket = WebsocketCommunicator(URLRouter(websocket_urlpatterns), f"/ws/g/{slug}/")
        self.socket.scope["runtime"] = runtime()
        self.socket.scope["user"] = user or Anonymous()
        digest = digest_of(session) if session else None
        self.socket.scope["session"] = SimpleNamespace(digest=digest)
        if line is not None:
            self.socket.scope["line"] = line
        self.state: dict[str, Any] | None = None
        self.heard: list[dict[str, Any]] = []

    async def __aenter__(self) -> "Page":
        connected, _ = await self.socket.connect(timeout=TIMEOUT_S)
        assert connected
        await self.say(t="subscribe", rev=-1)
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.socket.disconnect(timeout=TIMEOUT_S)  # returns when the consumer has ended

    async def say(self, **frame: Any) -> None:
        """Sends a frame on the page's topic."""
        await self.socket.send_to(text_data=json.dumps(on_topic(frame, self.topic)))

    async def say_text(self, text: str) -> None:
        """Sends a frame that may be malformed, on the page's topic."""
        await self.socket.send_to(text_data=text_on_topic(text, self.topic))

    async def next(self, kind: str) -> dict[str, Any]:
        """The next frame of a kind; states met on the way are kept if they are newer."""
        while True:
            frame = await self.take()
            if frame["t"] == kind:
                return frame

    async def next_due(self, kind: str) -> dict[str, Any]:
        """The next frame of a kind; the loop's clock is turned until it comes."""
        while True:
            await settle_until(partial(has_frame, self.socket), f"a frame of the kind {kind}")
            frame = await self.take()
            if frame["t"] == kind:
                return frame

    async def take(self) -> dict[str, Any]:
        """The next frame of any kind."""
        frame = heard(await self.socket.receive_from(timeout=TIMEOUT_S), self.topic)
        self.heard.append(frame)
        if frame["t"] == "game" and (self.state is None or frame["rev"] >= self.state["rev"]):
            self.state = frame
        return frame

    async def until(self, rev: int) -> dict[str, Any]:
        """The state at a rev or a later one."""
        while self.state is None or self.state["rev"] < rev:
            await self.take()
        return self.state

    async def act(
        self, *actions: str, step: int | None = None, id: str | None = None
    ) -> dict[str, Any]:
        """Sends actions for the step that the page knows; returns the receipt or the refusal."""
        id = id or next(ids)
        if step is None:
            assert self.state is not None, "no state has come"
            step = self.state["step"]
        await self.say(t="act", id=id, step=step, actions=actions)
        while True:
            frame = await self.take()
            if frame["t"] in ("receipt", "refused") and frame["id"] == id:
                return frame

    async def quiet(self) -> list[dict[str, Any]]:
        """The frames that arrive until nothing follows any more from what has happened."""
        await settle()
        return [await self.take() for _ in range(self.socket.output_queue.qsize())]


async def all_at(rev: int, *pages: Page) -> None:
    """Waits until every page has a rev."""
    await asyncio.gather(*(page.until(rev) for page in pages))
