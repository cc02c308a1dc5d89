"""One hub a process: it turns hints into frames for the sockets of this process.

A topic is `(kind, ident)`: a game, a lobby, the lists. Each kind has a source that reads a value,
numbers it and draws it for an audience. A hint says only that there is something newer; the hub
reads once, draws once for each audience, and puts the frame into its sockets' mailboxes.
"""

import asyncio
import inspect
import logging
from collections import Counter, defaultdict
from collections.abc import Awaitable, Coroutine, Iterable
from typing import Any

from accounts.outage_log import note_outage
from play import clocks, meters
from play.bus import bus
from play.desk import Desk, desk
from play.frames import Frame, encoded
from play.live import Live
from play.perloop import per_loop
from play.seen import newly_named
from play.tail import Tail
from play.topics import Rev, Socket, Source, Topic, Watched, concerned, is_newer, topic_label

MISSED = 3_600_000  # ms for which names that were given are shown anew when hints come again
AGAIN = 1.0  # seconds after which a topic that could not be read is read again
log = logging.getLogger("quiver.play")


SOURCES: dict[str, Source] = {}


def register(kind: str, source: Source) -> None:
    """Names the source of a kind of topic; called when an app is ready."""
    SOURCES[kind] = source


class Hub:
    """The sockets of this process by topic."""

    def __init__(self) -> None:
        self._topics: dict[Topic, Watched] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._desk: Desk = desk()
        self._desk.on_change = self._changed
        self._bus = bus()
        self.tail = Tail(self._poll, self._desk.version_of_others)

    def _changed(self, live: Live) -> None:
        self.offer(("game", live.slug), live)
        for topic in concerned(live):
            self.hint(topic)

    async def join(self, topic: Topic, socket: Socket) -> Any:
        """Adds a socket, then reads the topic; None if there is no such thing.

        The socket is not shown the state: its page says in its hello what it has already.
        """
        watched = self._topics.setdefault(topic, Watched())
        watched.sockets.add(socket)
        self.tail.ensure_started()
        self._bus.listen(self)
        value = await self._load(topic)
        if value is None:
            self.leave(topic, socket)
            return None
        self._take(topic, watched, value, newcomer=socket)
        self._report("came", topic, watched, socket.audience)
        watched.told = b""  # so that the newcomer is told as well
        self._crowd_soon(topic, watched)
        return watched.value

    def leave(self, topic: Topic, socket: Socket) -> None:
        """Takes a socket away; a topic that nobody looks at is forgotten."""
        watched = self._topics.get(topic)
        if watched is None or socket not in watched.sockets:
            return
        watched.sockets.discard(socket)
        if not any(other.audience == socket.audience for other in watched.sockets):
            self._report("left", topic, watched, socket.audience)
        if watched.sockets:
            self._crowd_soon(topic, watched)
            return
        del self._topics[topic]
        if hasattr(SOURCES[topic[0]], "crowd"):
            self._bus.share(topic, Counter())

    def hint(self, topic: Topic, rev: Rev | None = None) -> None:
        """Hears that a topic has changed, perhaps to `rev`; reads it if that is news."""
        watched = self._topics.get(topic)
        if watched is None or (rev is not None and not self._is_news(topic, watched, rev)):
            return
        watched.is_stale = True
        if watched.loading is None or watched.loading.done():
            watched.loading = asyncio.create_task(self._reload(topic, watched))

    def offer(self, topic: Topic, value: Any) -> None:
        """Shows a value that this process has just written or read, if it is news."""
        watched = self._topics.get(topic)
        if watched is not None:
            self._take(topic, watched, value)

    def watched(self, kind: str) -> list[tuple[Any, Counter[str]]]:
        """The newest value of each watched topic of a kind, and its sockets by audience."""
        return [
            (watched.value, self.audiences(topic))
            for topic, watched in self._topics.items()
            if topic[0] == kind and watched.value is not None
        ]

    def tell(self, topic: Topic) -> None:
        """Tells everybody who looks at a topic who is there, if that is not what they know."""
        watched = self._topics.get(topic)
        if watched is not None:
            self._crowd_soon(topic, watched)

    def renamed(self, user: int) -> None:
        """Hears that a user has another name, and shows it on all pages that show the old one."""
        self._aside(self._rename(user))

    def left_elsewhere(self, topic: Topic, audience: str) -> None:
        """Hears that nobody of an audience looks at a topic in other processes any more."""
        watched = self._topics.get(topic)
        if watched is not None and not self.audiences(topic)[audience]:
            self._report("left", topic, watched, audience)

    def recovered(self) -> None:
        """Hears that hints come again after a time without: shows the names that were given then.

        Everything else has been found by the tail.
        """
        self._aside(self._catch_up())

    def frame(self, topic: Topic, audience: str) -> Frame | None:
        """The newest state of a watched topic, drawn now for one audience."""
        watched = self._topics.get(topic)
        if watched is None or watched.value is None:
            return None
        return SOURCES[topic[0]].render(watched.value, audience)

    def rev(self, topic: Topic) -> Rev | None:
        """The rev of the newest value this process has of a watched topic."""
        watched = self._topics.get(topic)
        if watched is None or watched.value is None:
            return None
        return SOURCES[topic[0]].rev(watched.value)

    def audiences(self, topic: Topic) -> Counter[str]:
        """How many sockets of this process look at a topic, by audience."""
        watched = self._topics.get(topic)
        return Counter(socket.audience for socket in watched.sockets) if watched else Counter()

    def everywhere(self, topic: Topic) -> Counter[str]:
        """How many sockets look at a topic in all processes, by audience."""
        return self.audiences(topic) + self._bus.crowds.elsewhere(topic)

    def is_behind(self, topic: Topic, rev: Rev) -> bool:
        """Whether a page that has `rev` should be shown a newer state."""
        watched = self._topics.get(topic)
        if watched is None or watched.value is None:
            return False
        return is_newer(SOURCES[topic[0]].rev(watched.value), rev)

    def _is_news(self, topic: Topic, watched: Watched, rev: Rev) -> bool:
        if watched.value is None:
            return True
        return is_newer(rev, SOURCES[topic[0]].rev(watched.value))

    def _is_older(self, topic: Topic, watched: Watched, value: Any) -> bool:
        rev = SOURCES[topic[0]].rev
        return isinstance(rev(value), int) and is_newer(rev(watched.value), rev(value))

    def _take(
        self, topic: Topic, watched: Watched, value: Any, newcomer: Socket | None = None
    ) -> None:
        if self._is_news(topic, watched, SOURCES[topic[0]].rev(value)):
            self._show(topic, watched, value, newcomer)
            if not watched.is_settled:
                self._crowd_soon(topic, watched)

    def _show(
        self, topic: Topic, watched: Watched, value: Any, newcomer: Socket | None = None
    ) -> None:
        """Draws a value once for each audience; the smallest is shown it first: those who play."""
        source = SOURCES[topic[0]]
        watched.value = value
        crowds: defaultdict[str, list[Socket]] = defaultdict(list)
        for socket in watched.sockets:
            if socket is not newcomer:
                crowds[socket.audience].append(socket)
        for audience, crowd in sorted(crowds.items(), key=lambda each: len(each[1])):
            frame = source.render(value, audience)
            for socket in crowd:
                socket.show(frame)

    async def _load(self, topic: Topic) -> Any:
        meters.READS.labels(topic[0]).inc()
        load = SOURCES[topic[0]].load
        if inspect.iscoroutinefunction(load):
            return await load(topic[1])
        return await self._desk.read(load, topic[1])

    async def _reload(self, topic: Topic, watched: Watched) -> None:
        while watched.is_stale:
            await asyncio.sleep(getattr(SOURCES[topic[0]], "pause", 0))
            watched.is_stale = False
            try:
                value = await self._load(topic)
            except Exception as error:
                if not note_outage(error):
                    log.exception("topic %s could not be read; trying again", topic_label(topic))
                watched.is_stale = topic in self._topics
                await asyncio.sleep(AGAIN)
                continue
            if value is not None:
                self._take(topic, watched, value)

    async def _rename(self, user: int) -> None:
        await self._desk.forget_user(user)
        for topic, watched in list(self._topics.items()):
            concerns = getattr(SOURCES[topic[0]], "concerns", None)
            if concerns and watched.value is not None and concerns(watched.value, user):
                try:
                    value = await self._load(topic)
                except Exception as error:
                    if not note_outage(error):
                        log.exception(
                            "topic %s could not be shown under a new name", topic_label(topic)
                        )
                    continue
                if value is not None and not self._is_older(topic, watched, value):
                    self._show(topic, watched, value)

    async def _learn(self, topic: Topic, who: Any) -> None:
        await self._desk.read(SOURCES[topic[0]].learn, who)  # type: ignore[attr-defined]
        self.tell(topic)

    def _aside(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _catch_up(self) -> None:
        for user in await self._desk.read(newly_named, clocks.now() - MISSED):
            await self._rename(user)

    def _report(self, what: str, topic: Topic, watched: Watched, audience: str) -> None:
        hears = getattr(SOURCES[topic[0]], what, None)
        if hears and watched.value is not None:
            hears(watched.value, audience)

    def _crowd_soon(self, topic: Topic, watched: Watched) -> None:
        """Tells everybody who is there, a moment after a coming, a going or a change."""
        if watched.crowd is None:
            loop = asyncio.get_running_loop()
            watched.crowd = loop.call_later(0.2, self._crowd, topic, watched)

    def _crowd(self, topic: Topic, watched: Watched) -> None:
        watched.crowd = None
        crowd = getattr(SOURCES[topic[0]], "crowd", None)
        if crowd is None or watched.value is None:
            return
        here = self.audiences(topic)
        self._bus.share(topic, here)
        here = here + self._bus.crowds.elsewhere(topic)
        unknown = getattr(SOURCES[topic[0]], "unknown", None)
        if unknown and (who := unknown(watched.value, here)):
            self._aside(self._learn(topic, who))
            return
        message = crowd(watched.value, here)
        settled = getattr(SOURCES[topic[0]], "settled", None)
        watched.is_settled = settled is not None and settled(message)
        frame = encoded(message)
        if frame.wire != watched.told:
            watched.told = frame.wire
            for socket in watched.sockets:
                socket.post(frame)

    async def _poll(self) -> None:
        """Asks the database for the revs of what is watched, one query a kind."""
        kinds: dict[str, list[str]] = {}
        for kind, ident in self._topics:
            kinds.setdefault(kind, []).append(ident)
        for kind, idents in kinds.items():
            revs = getattr(SOURCES[kind], "revs", None)
            if revs is not None:
                for ident, rev in (await self._desk.read(revs, idents)).items():
                    self.hint((kind, ident), rev)

    async def close(self) -> None:
        """Stops what runs in the background and the desk with it."""
        loading = [w.loading for w in self._topics.values() if w.loading] + [*self._tasks]
        for task in loading:
            task.cancel()
        await self.tail.stop()
        await finished(loading)
        await finished(source.close() for source in SOURCES.values() if hasattr(source, "close"))
        await self._desk.close()
        await self._bus.close()  # after the desk, whose last changes are told
        hub.forget()
        desk.forget()


async def _logged(work: Coroutine[Any, Any, None]) -> None:
    """Run background work and log its error; asyncio would log it only at garbage collection."""
    try:
        await work
    except Exception as error:
        if not note_outage(error):
            log.exception("a background task of the hub failed")


async def finished(tasks: Iterable[Awaitable[None]]) -> None:
    """Waits for tasks that log their own errors."""
    await asyncio.gather(*tasks, return_exceptions=True)


hub = per_loop(Hub)
