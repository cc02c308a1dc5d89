"""The bus between web processes: carries hints about changed topics, and viewer counts.

Hints carry a topic and a rev, never content. They are sent after the commit, in the background;
waiting hints share a command, and of one topic only the newest is sent.

Each topic has a Redis channel, to which the processes that watch it subscribe; messages for all
processes have one channel. A process that begins to watch a topic asks which others watch it. Once
a process knows all others that watch a topic (see `topic_watchers`), it sends hints about the topic
on the channels of those processes only, one message for all topics that changed meanwhile, and none
if nobody else watches.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import msgspec
from django.conf import settings

from play.domain.game_state import GameState
from play.runtime.bus.bus_messages import (
    ALL,
    RENAMED,
    Hints,
    channel_of,
    channel_of_process,
    decode_message,
    encode_message,
    topic_of,
)
from play.runtime.bus.bus_transport import BusTransport
from play.runtime.bus.hint_throttle import HintThrottle
from play.runtime.bus.outgoing import Batch, Outgoing
from play.runtime.bus.topic_watchers import TopicWatchers
from play.runtime.bus.viewer_counts import SHARE_INTERVAL_S, ViewerCounts
from play.runtime.topics import KINDS_OF_ALL, Rev, Topic
from telemetry import counters

SEND_INTERVAL_S = 0.02  # between messages; the first after a pause is sent at once
LISTS_INTERVAL_S = 0.25  # between hints of changed games about a list: each is read once a second
FAILED_SEND_PAUSE_S = 0.2  # after a message that could not be sent
JOIN_TIMEOUT_S = 0.25  # for Redis to confirm a subscription; later ones make the topic be re-read
log = logging.getLogger("quiver.play")


class BusListener(Protocol):
    """The receiver of messages from other processes: the hub."""

    def hint(self, topic: Topic, rev: Rev | None = None) -> None:
        """Note that a topic has changed."""

    def show_new_name(self, user: int) -> None:
        """Show the new name of a user."""

    def tell(self, topic: Topic) -> None:
        """Note that the viewers of a topic have changed."""

    def on_last_socket_closed_elsewhere(self, topic: Topic, audience: str) -> None:
        """Note that the last socket of an audience was closed in another process."""

    def on_bus_recovered(self) -> None:
        """Note that messages arrive again after an interruption."""


class Bus:
    """The bus of one event loop; without Redis it sends nothing."""

    def __init__(self) -> None:
        self._transport = (
            BusTransport(self._receive, self._report_recovered, self._on_subscribed)
            if settings.REDIS_URL
            else None
        )
        self._listener: BusListener | None = None
        self._watched: set[Topic] = set()  # with a channel of their own
        self._late: set[Topic] = set()  # loaded before Redis had confirmed the subscription
        self._watchers = TopicWatchers()
        self._outgoing = Outgoing()
        self._lists = HintThrottle(self.say, LISTS_INTERVAL_S)
        self._sending: asyncio.Task[None] | None = None
        self._sharing: asyncio.Task[None] | None = None
        self._has_logged_invalid = False  # an invalid message was logged
        self.crowds = ViewerCounts()

    @property
    def is_alone(self) -> bool:
        """Whether this is the only web process: without Redis a second one is refused."""
        return self._transport is None

    @property
    def is_disconnected(self) -> bool:
        """Whether messages of other processes should arrive and do not."""
        return self._transport is not None and self._transport.is_disconnected

    @property
    def lost_count(self) -> int:
        """The number of messages that could not be sent."""
        return self._transport.lost_count if self._transport else 0

    def listen(self, listener: BusListener) -> None:
        """Start to receive messages of other processes, and to share viewer counts."""
        self._listener = listener
        if self._transport and self._sharing is None:
            self._transport.channels.add(ALL)
            self._transport.channels.add(channel_of_process(self._transport.name))
            self._transport.listen()
            self._sharing = asyncio.create_task(self._share_periodically())

    async def watch(self, topic: Topic) -> None:
        """Receive the messages about a topic; returns when they arrive, and before it is loaded.

        If Redis does not confirm that in time, the topic is hinted at as soon as it does.
        """
        if self._transport is None or topic[0] in KINDS_OF_ALL:
            return
        channel = channel_of(topic)
        if topic not in self._watched and self._transport.channels.is_confirmed(channel):
            self._ask(topic)  # left a moment ago: no confirmation follows
        self._watched.add(topic)
        self._transport.channels.add(channel)
        is_confirmed = await self._transport.channels.wait(channel, JOIN_TIMEOUT_S)
        if not is_confirmed and topic in self._watched:
            self._late.add(topic)

    def unwatch(self, topic: Topic) -> None:
        """Receive no more messages about a topic."""
        if self._transport is None or topic not in self._watched:
            return
        self._watched.discard(topic)
        self._late.discard(topic)
        self._outgoing.all.forget(topic)
        is_known_alone = self._watchers.others(topic) is not None and self._watchers.has_none(topic)
        has_last, rev = self._watchers.mark_incomplete(topic)
        if has_last:
            self.say(topic, rev)  # a process whose question is under way gets no answer
        if not is_known_alone:
            self._outgoing.all.leaves[topic] = None
            self._send_soon()
        self._watchers.forget_topic(topic)
        self.crowds.forget_topic(topic)
        self._transport.channels.discard(channel_of(topic))

    def say(self, topic: Topic, rev: Rev | None = None) -> None:
        """Tell other processes that a topic has changed, perhaps to `rev`; sent in the background.

        The kind `renamed` says that the user with that id was renamed.
        """
        if self._transport is None:
            return
        others = self._watchers.others(topic)
        if others is None:
            self._outgoing.all.hint(topic, rev)
        else:
            self._watchers.note_hint(topic, rev)
            if not others:
                return
            for process in others:
                self._outgoing.single[process].hint(topic, rev)
        self._send_soon()

    def say_changed(self, game: GameState, others: Sequence[Topic]) -> None:
        """Tell other processes that this one has changed a game and the `others` topics.

        Hints about lists go to every process, so only a few of them are sent per second.
        """
        if self._transport is None:
            return
        self.say(("game", game.slug), game.rev)
        for topic in others:
            hint = self._lists.hint if topic[0] in KINDS_OF_ALL else self.say
            hint(topic)

    def share(self, topic: Topic, here: Counter[str]) -> None:
        """Tell other processes how many sockets watch a topic here; returns at once."""
        if self._transport is None or not self.crowds.update_own(topic, here):
            return
        self._say_counts(topic, here)

    def _say_counts(self, topic: Topic, here: Counter[str]) -> None:
        """Tell the processes that watch a topic how many sockets do here."""
        others = self._watchers.others(topic)
        if others is None:
            self._outgoing.count_for_all(topic, here)
        else:
            for process in others:
                self._outgoing.single[process].counts[topic] = here
        if self._outgoing:
            self._send_soon()

    def _send_soon(self) -> None:
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send())

    async def _send(self) -> None:
        while self._transport and self._outgoing:
            batch = self._outgoing.take()
            counters.HINTS.inc(batch.count_hints())
            channels = self._transport.channels
            has_channel = {name for name in batch.by_channel if channels.has(name)} - {ALL}
            self._watchers.begin_batch()
            texts = [(name, encode_message(message)) for name, message in batch.messages()]
            received = await self._transport.publish(texts)
            if received is None:
                self._note_unsent(batch)
                await asyncio.sleep(FAILED_SEND_PAUSE_S)
                continue
            counts = iter(received)
            for name in batch.by_channel:
                count = next(counts)
                if name in has_channel and topic_of(name) in self._watched:
                    self._watchers.note_received(topic_of(name), count - 1)
            for process, message in batch.by_process.items():
                if not next(counts):
                    self._note_gone(process, message)
            await asyncio.sleep(SEND_INTERVAL_S)

    def _note_gone(self, process: str, message: Hints) -> None:
        """Send to all the hints that a process missed because its channel is gone."""
        for topic in self._watchers.forget_process(process):
            self._tell_last(topic)
        for kind, ident, rev in message.hints:
            if self._watchers.others((kind, ident)) is None:  # else that process has left it
                self.say((kind, ident), rev)

    def _note_unsent(self, batch: Batch) -> None:
        """Requeue the questions, answers and leaves that could not be sent."""
        waited, waiting = batch.waited, self._outgoing.all
        waiting.asks.update({topic: None for topic in waited.asks if topic in self._watched})
        waiting.watches.update({topic: None for topic in waited.watches if topic in self._watched})
        waiting.leaves.update(
            {topic: None for topic in waited.leaves if topic not in self._watched}
        )

    def _tell_last(self, topic: Topic) -> None:
        """Send to all the last hint that only known processes got: another may lack it."""
        has_last, rev = self._watchers.mark_incomplete(topic)
        if has_last:
            self.say(topic, rev)

    def _on_subscribed(self, channel: str) -> None:
        """Ask the other processes about a topic whose messages arrive from now on."""
        topic = topic_of(channel)
        if topic not in self._watched:
            return
        if topic in self._late and self._listener:
            self._late.discard(topic)
            self._listener.hint(topic)
        self._answer(topic)  # after an interruption others may watch it by now
        self._watchers.forget_topic(topic)
        self._ask(topic)

    def _ask(self, topic: Topic) -> None:
        """Ask the other processes for their state of a topic, and for later changes."""
        self._outgoing.all.leaves.pop(topic, None)
        self._outgoing.all.asks[topic] = None
        self._send_soon()

    def _answer(self, topic: Topic) -> None:
        """Send a process that begins to watch a topic the last hint and the viewer counts."""
        if topic not in self._watched:
            return
        self._tell_last(topic)
        self._outgoing.all.watches[topic] = None
        if here := self.crowds.here(topic):
            self._outgoing.count_for_all(topic, here)
        self._send_soon()

    async def _share_periodically(self) -> None:
        """Repeat the viewer counts of this process: others drop counts that are not repeated."""
        while True:
            await asyncio.sleep(SHARE_INTERVAL_S)
            for topic, here in self.crowds.all_here().items():
                self._say_counts(topic, here)
            for topic, audience in self.crowds.drop_expired():
                self._report_left(topic, audience)

    def _receive(self, process: str, text: bytes) -> None:
        """Pass on a message of another process; drop one that no process of this site has sent."""
        listener = self._listener
        if listener is None:
            return
        try:
            heard = decode_message(text)
            renamed = [int(ident) for kind, ident, _ in heard.hints if kind == RENAMED]
        except (msgspec.DecodeError, ValueError):
            self._log_invalid()
            return
        counters.HINTS_RECEIVED.inc(len(heard.hints))
        for user in renamed:
            listener.show_new_name(user)
        for topic in heard.leaves:
            self._watchers.discard(topic, process)
        for kind, ident, rev in heard.hints:
            if kind != RENAMED:
                listener.hint((kind, ident), rev)
        for kind, ident, counts in heard.crowds:
            self._receive_crowd(process, (kind, ident), Counter(counts), listener)
        for topic in heard.watches:
            if topic in self._watched and self._watchers.add(topic, process):
                self._tell_last(topic)
        for topic in heard.asks:
            if topic in self._watched:
                self._watchers.add(topic, process)
                self._answer(topic)
        if heard.bye:
            for topic in self._watchers.forget_process(process):
                self._tell_last(topic)
            for topic, audience in self.crowds.forget_process(process):
                self._report_left(topic, audience)

    def _receive_crowd(
        self, process: str, topic: Topic, counts: Counter[str], listener: BusListener
    ) -> None:
        if topic not in self._watched:
            return  # the process has left it meanwhile
        for audience in self.crowds.update_other(process, topic, counts):
            self._report_left(topic, audience)
        listener.tell(topic)

    def _log_invalid(self) -> None:
        """Log the first dropped message, without its text, which is untrusted."""
        if not self._has_logged_invalid:
            self._has_logged_invalid = True
            log.warning(
                "An invalid message on the bus was dropped. Further ones are dropped without a "
                "log entry. Check who else can write to REDIS_URL.",
                extra={"event": "bus_odd_message"},
            )

    def _report_left(self, topic: Topic, audience: str) -> None:
        if self._listener:
            self._listener.on_last_socket_closed_elsewhere(topic, audience)
            self._listener.tell(topic)

    def _report_recovered(self) -> None:
        if self._listener:
            self._listener.on_bus_recovered()

    async def close(self) -> None:
        """Tell the other processes that this one leaves, and disconnect.

        Later messages are dropped.
        """
        transport, self._transport = self._transport, None
        self._lists.close()
        tasks = [task for task in (self._sending, self._sharing) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if transport:
            if self._sharing:
                await transport.publish([(ALL, encode_message(Hints(bye=True)))])
            await transport.close()
