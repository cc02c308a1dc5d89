"""Hints between processes, by Channels' layer (setting CHANNEL_LAYERS).

A web process is one channel, and all of them are in one group. A hint says that a topic has
changed, perhaps to a rev; it never holds content. Hints are sent after the commit, in the
background: those that wait together are one message, in which each topic has its newest rev.

A group for each topic was tried. `group_send` of channels_redis takes 170 µs of CPU and an action
concerns four topics, so that it cost more than the action itself; in the group of all processes
twelve actions share a message on a busy site, and a page that opens subscribes to nothing.

A hint may be lost, doubled or late. While Redis is away, or after the layer has subscribed again
(which it does without a word), the commit watcher finds what has changed, a second later.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from play.domain.game_state import GameState
from play.runtime.topics import Rev, Topic
from telemetry import counters
from telemetry.outage_log import LAYER

GROUP = "web"
RENAMED = "renamed"  # the kind of a hint about a renamed user
REVOKED = "revoked"  # the kind of a hint that sessions have ended
SEND_INTERVAL_S = 0.02  # between messages; the first after a pause is sent at once
SEND_TIMEOUT_S = 0.25
FAILED_SEND_PAUSE_S = 0.5
RECEIVE_ERROR_PAUSE_S = 1.0
CLOSE_TIMEOUT_S = 1.0
MAX_PENDING_HINTS = 5_000  # more are dropped; the commit watcher finds them
log = logging.getLogger("quiver.play")


class HintMessage(msgspec.Struct, frozen=True, gc=False):
    """A message of the layer: `type` is Channels' own field, hints are kind, ident and rev."""

    type: str
    sender: str
    hints: Sequence[tuple[str, str, Rev | None]]


class ProcessChannel:
    """The channel of one event loop; without a layer it sends nothing."""

    def __init__(self, layer: Any | None) -> None:
        self._layer = layer
        self._name = ""  # of the channel, once it has joined the group
        self._pending: dict[Topic, Rev | None] = {}
        self._handlers: dict[str, Callable[[str], None]] = {}  # by kind of hint
        self._hint: Callable[[Topic, Rev | None], None] | None = None
        self._sending: asyncio.Task[None] | None = None
        self._receiving: asyncio.Task[None] | None = None
        self._has_logged_invalid = False

    @property
    def is_alone(self) -> bool:
        """Whether this is the only web process: without a layer a second one is refused."""
        return self._layer is None

    def handle(self, kind: str, do: Callable[[str], None]) -> None:
        """Have hints of a kind that is no topic's passed to `do`, with their ident."""
        self._handlers[kind] = do

    def listen(self, hint: Callable[[Topic, Rev | None], None]) -> None:
        """Start to receive the hints of other processes, once."""
        if self._layer is not None and self._receiving is None:
            self._hint = hint
            self._receiving = asyncio.create_task(self._receive(self._layer))

    def say(self, topic: Topic, rev: Rev | None = None) -> None:
        """Tell other processes that a topic has changed, perhaps to `rev`; returns at once."""
        if self._layer is None or (
            len(self._pending) >= MAX_PENDING_HINTS and topic not in self._pending
        ):
            return
        self._pending[topic] = rev
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send(self._layer))

    def publish_to_all(self, kind: str, ident: str) -> None:
        """Have other processes call their handler of a kind, see `handle`; returns at once."""
        self.say((kind, ident))

    def say_changed(self, game: GameState, others: Sequence[Topic]) -> None:
        """Tell other processes that this one has changed a game and the `others` topics."""
        self.say(("game", game.slug), game.rev)
        for topic in others:
            self.say(topic)

    async def close(self) -> None:
        """Leave the group and disconnect; later hints are dropped."""
        layer, self._layer = self._layer, None
        if self._sending:
            self._sending.cancel()
        if layer is not None:
            # First, because a channel that is cancelled while it receives unsubscribes, for which
            # it would wait until Redis is there.
            with suppress(Exception):
                async with asyncio.timeout(CLOSE_TIMEOUT_S):
                    await layer.flush()
        tasks = [task for task in (self._sending, self._receiving) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _send(self, layer: Any) -> None:
        """Send what is pending until nothing is; what could not be sent is sent again."""
        while self._pending:
            batch, self._pending = self._pending, {}
            hints = [(*topic, rev) for topic, rev in batch.items()]
            message = {"type": "hints", "sender": self._name, "hints": hints}
            try:
                async with asyncio.timeout(SEND_TIMEOUT_S):
                    await layer.group_send(GROUP, message)
            except Exception as error:
                counters.HINT_FAILURES.inc()
                LAYER.fail("layer", error)
                self._pending = batch | self._pending
                await asyncio.sleep(FAILED_SEND_PAUSE_S)
                continue
            LAYER.succeed()
            counters.HINTS.inc(len(hints))
            await asyncio.sleep(SEND_INTERVAL_S)

    async def _receive(self, layer: Any) -> None:
        """Join the group, and pass on what other processes send to it."""
        self._name = await self._join(layer)
        while True:
            try:
                self._dispatch(msgspec.convert(await layer.receive(self._name), HintMessage))
            except Exception:
                self._log_invalid()
                await asyncio.sleep(RECEIVE_ERROR_PAUSE_S)
            await asyncio.sleep(0)  # taking messages that wait never suspends this task

    async def _join(self, layer: Any) -> str:
        while True:
            try:
                name: str = await layer.new_channel()
                await layer.group_add(GROUP, name)
            except Exception as error:
                LAYER.fail("layer", error)
                await asyncio.sleep(FAILED_SEND_PAUSE_S)
            else:
                return name

    def _dispatch(self, message: HintMessage) -> None:
        if message.sender == self._name or self._hint is None:
            return
        counters.HINTS_RECEIVED.inc(len(message.hints))
        for kind, ident, rev in message.hints:
            if kind in self._handlers:
                self._handlers[kind](ident)
            else:
                self._hint((kind, ident), rev)

    def _log_invalid(self) -> None:
        """Log the first dropped message, with where it failed."""
        if not self._has_logged_invalid:
            self._has_logged_invalid = True
            log.warning(
                "A message of the channel layer could not be read and was dropped. Further ones "
                "are dropped without a log entry. Check who else can write to REDIS_URL.",
                extra={"event": "layer_invalid_message"},
            )
