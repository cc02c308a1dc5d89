"""The hub of a process: turns hints into frames for sockets that watch topics.

A topic is `(kind, ident)`: a game, a lobby, the lists. Each kind has a source that loads a value,
numbers it and renders it for an audience. A hint says only that there is something newer; the hub
loads once, renders once for each audience, and puts the frame into the send queues.
"""

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Awaitable, Coroutine, Iterable, Mapping, Sequence
from typing import Any

from play.domain import clocks
from play.domain.game_state import GameState
from play.domain.wire_types import Frame, encode_frame, topic_head
from play.runtime.commit_watcher import CommitWatcher, PacedReads, timed
from play.runtime.game_service import GameService
from play.runtime.layer import RENAMED, ProcessChannel
from play.runtime.presence import Presence, named_users
from play.runtime.topics import (
    Rev,
    Socket,
    Topic,
    TopicSource,
    Watched,
    is_newer,
    topic_label,
)
from play.runtime.viewer_names import ViewerNames
from play.storage.last_seen import recently_renamed
from telemetry import counters
from telemetry.outage_log import note_outage

RENAME_LOOKBACK_MS = 2 * 60_000  # renames that are shown again, whose hints may have been lost
RELOAD_DELAY_S = 1.0  # after a failed read
MAX_FRAME_AGE_S = 0.1  # of a frame that is sent to pages that come
PEOPLE_DELAY_S = 0.2  # before a presence message, so that several changes share one
log = logging.getLogger("quiver.play")


class Hub:
    """The sockets of this process by topic; `sources` are those of its topics by kind."""

    def __init__(
        self, games: GameService, channel: ProcessChannel, sources: Mapping[str, TopicSource[Any]]
    ) -> None:
        self._topics: dict[Topic, Watched] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._stale: defaultdict[str, dict[Topic, Watched]] = defaultdict(dict)  # by kind
        self._reloads: dict[str, asyncio.Task[None]] = {}  # of those, by kind
        self._service = games
        self._channel = channel
        self._channel.handle(RENAMED, lambda user: self.show_new_name(int(user)))
        self._sources = sources
        self.presence = Presence(games, sources)
        self._names = ViewerNames(games)
        self.commit_watcher = CommitWatcher(self._poll, self._service.version_of_others)
        self._reads = PacedReads(self._read_revs)

    def show_change(self, game: GameState, others: Sequence[Topic]) -> None:
        """Show a game that this process has changed; `others` are the other topics concerned."""
        self.offer(("game", game.slug), game)
        for topic in others:
            self.hint(topic)

    async def join(self, topic: Topic, socket: Socket) -> Any:
        """Add a socket and load the topic; return its value, None if there is no such topic.

        The socket is not sent the state: its page states its rev when it subscribes.
        """
        watched = self._topics.get(topic)
        if watched is None:
            name = self._sources[topic[0]].page_name(topic)
            watched = self._topics[topic] = Watched(topic_head(name) if name else "")
        self.presence.add(topic, socket)
        self.commit_watcher.ensure_started()
        self._channel.listen(self.hint)
        value = await self._load(topic)
        if value is None:
            self.leave(topic, socket)
            return None
        self._accept(topic, watched, value, newcomer=socket)
        self.report_pages(topic, socket.audience)
        watched.people_frame = ""  # so that the new socket gets it too
        self._schedule_people(topic, watched)
        return watched.value

    def leave(self, topic: Topic, socket: Socket) -> None:
        """Remove a socket; drop a topic without sockets."""
        watched = self._topics.get(topic)
        if watched is None or socket not in self.presence.sockets(topic):
            return
        self.presence.remove(topic, socket)
        rest = self.presence.sockets(topic)
        if socket.is_visible or all(other.audience != socket.audience for other in rest):
            self.report_pages(topic, socket.audience)
        if rest:
            self._schedule_people(topic, watched)
        else:
            del self._topics[topic]

    def hint(self, topic: Topic, rev: Rev | None = None) -> None:
        """Reload a topic that has changed, perhaps to `rev`, unless its value is as new."""
        watched = self._topics.get(topic)
        if watched is None or (rev is not None and not self._is_news(topic, watched, rev)):
            return
        kind = topic[0]
        self._stale[kind][topic] = watched
        reload = self._reloads.get(kind)
        if reload is None or reload.done():
            self._reloads[kind] = asyncio.create_task(self._reload(kind))

    def offer(self, topic: Topic, value: Any) -> None:
        """Show a value that this process has just written or read, if it is newer."""
        watched = self._topics.get(topic)
        if watched is not None:
            self._accept(topic, watched, value)

    def source(self, kind: str) -> TopicSource[Any]:
        """Return the source of a kind of topic."""
        return self._sources[kind]

    def list_watched(self, kind: str) -> list[tuple[Any, Counter[str]]]:
        """Return the newest value of each watched topic of a kind, and its sockets by audience."""
        return [
            (watched.value, self.presence.audiences(topic))
            for topic, watched in self._topics.items()
            if topic[0] == kind and watched.value is not None
        ]

    def tell(self, topic: Topic) -> None:
        """Send the presence message of a topic to its sockets, if it has changed."""
        self.presence.note_change(topic)
        watched = self._topics.get(topic)
        if watched is not None:
            self._schedule_people(topic, watched)

    def show_new_name(self, user: int) -> None:
        """Show the new name of a user on all pages that show the old one."""
        self.run_in_background(self._rename(user))

    async def exchange_presence(self) -> None:
        """Tell other processes who looks at the topics here, and show who does there."""
        changed = await self.presence.exchange(self._channel.is_alone)
        for topic, gone in changed.items():
            watched = self._topics.get(topic)
            if watched is not None:
                for audience in gone - self.presence.audiences(topic).keys():
                    self.report_pages(topic, audience)
                self._schedule_people(topic, watched)

    async def show_recent_names(self) -> None:
        """Show the names that were changed lately in other processes, whose hints may be lost."""
        if not self._channel.is_alone:
            since = clocks.now() - RENAME_LOOKBACK_MS
            for user in await self._service.run_in_db_thread(recently_renamed, since):
                await self._rename(user)

    def frame(self, topic: Topic, audience: str) -> Frame | None:
        """Return the newest state of a watched topic for one audience.

        Pages that come at the same time share it, for `MAX_FRAME_AGE_S` because it may tell the
        time.
        """
        watched = self._topics.get(topic)
        if watched is None or watched.value is None:
            return None
        frames = watched.frames
        if audience not in frames:
            if not frames:
                asyncio.get_running_loop().call_later(MAX_FRAME_AGE_S, frames.clear)
            source = self._sources[topic[0]]
            frames[audience] = source.render_on_topic(watched.value, audience, watched.head)
        return frames[audience]

    def rev(self, topic: Topic) -> Rev | None:
        """Return the rev of the newest value of a watched topic."""
        watched = self._topics.get(topic)
        if watched is None or watched.value is None:
            return None
        return self._sources[topic[0]].rev(watched.value)

    def report_pages(self, topic: Topic, audience: str) -> None:
        """Tell the source of a topic that pages of an audience came, left or became visible."""
        watched = self._topics.get(topic)
        if watched is not None and watched.value is not None:
            self._sources[topic[0]].on_pages_changed(watched.value, audience)

    def is_behind(self, topic: Topic, rev: Rev) -> bool:
        """Return whether a page that has `rev` should be sent a newer state."""
        watched = self._topics.get(topic)
        if watched is None or watched.value is None:
            return False
        return is_newer(self._sources[topic[0]].rev(watched.value), rev)

    def _is_news(self, topic: Topic, watched: Watched, rev: Rev) -> bool:
        if watched.value is None:
            return True
        return is_newer(rev, self._sources[topic[0]].rev(watched.value))

    def _is_older(self, topic: Topic, watched: Watched, value: Any) -> bool:
        rev = self._sources[topic[0]].rev
        return isinstance(rev(value), int) and is_newer(rev(watched.value), rev(value))

    def _accept(
        self, topic: Topic, watched: Watched, value: Any, newcomer: Socket | None = None
    ) -> None:
        if self._is_news(topic, watched, self._sources[topic[0]].rev(value)):
            self._show(topic, watched, value, newcomer)
            if not watched.is_settled:
                self._schedule_people(topic, watched)

    def _show(
        self, topic: Topic, watched: Watched, value: Any, newcomer: Socket | None = None
    ) -> None:
        """Render a value once for each audience and send it, to small ones first: the players."""
        render = self._sources[topic[0]].render_on_topic
        by_audience: defaultdict[str, list[Socket]] = defaultdict(list)
        for socket in self.presence.sockets(topic):
            if socket is not newcomer:
                by_audience[socket.audience].append(socket)
        # All are drawn first: a value that cannot be drawn does not count as shown.
        frames = {audience: render(value, audience, watched.head) for audience in by_audience}
        watched.value = value
        watched.frames.clear()
        for audience, sockets in sorted(by_audience.items(), key=lambda each: len(each[1])):
            for socket in sockets:
                socket.show(frames[audience])

    async def _load(self, topic: Topic) -> Any:
        counters.READS.labels(topic[0]).inc()
        return await self._sources[topic[0]].load(topic[1])

    async def _reload(self, kind: str) -> None:
        """Load the topics of a kind that were hinted at, in batches, until none is left."""
        source = self._sources[kind]
        while stale := self._stale[kind]:
            await asyncio.sleep(source.pause_s)
            topics = {topic: each for topic, each in stale.items() if topic in self._topics}
            stale.clear()
            counters.READS.labels(kind).inc(len(topics))
            try:
                found = await source.load_many([ident for _, ident in topics])
            except Exception as error:
                found = {ident: error for _, ident in topics}
            for topic, watched in topics.items():
                self._accept_loaded(topic, watched, found.get(topic[1]))

    def _accept_loaded(self, topic: Topic, watched: Watched, value: Any) -> None:
        """Show a value that was loaded; load it again later if it was not."""
        if isinstance(value, BaseException):
            self._report_failed_load(topic, value)
            asyncio.get_running_loop().call_later(RELOAD_DELAY_S, self.hint, topic)
        elif value is not None:
            try:
                self._accept(topic, watched, value)
            except Exception:
                log.exception("topic %s could not be shown", topic_label(topic))

    def _report_failed_load(
        self, topic: Topic, error: BaseException, then: str = "retrying"
    ) -> None:
        if not note_outage(error):
            about, label = {"event": "topic_load_failed"}, topic_label(topic)
            log.error("topic %s could not be loaded; %s", label, then, exc_info=error, extra=about)

    async def _rename(self, user: int) -> None:
        await self._service.forget_user(user)
        self._names.forget(user)
        for topic, watched in list(self._topics.items()):
            is_reader = self._sources[topic[0]].shows_people and any(
                socket.reader == user for socket in self.presence.sockets(topic)
            )
            if is_reader or user in named_users(self.presence.everywhere(topic)):
                self._schedule_people(topic, watched)
            if watched.value is not None and self._sources[topic[0]].concerns(watched.value, user):
                try:
                    value = await self._load(topic)
                except Exception as error:
                    self._report_failed_load(topic, error, "the old name stays")
                    continue
                if value is not None and not self._is_older(topic, watched, value):
                    self._show(topic, watched, value)

    async def _learn(self, topic: Topic, users: set[int]) -> None:
        await self._names.learn(users)
        self.tell(topic)

    def run_in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine as a task that is kept; its errors are logged."""
        task = asyncio.create_task(_run_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _schedule_people(self, topic: Topic, watched: Watched) -> None:
        """Send the presence message soon after a socket came or left, or the value changed."""
        if watched.people_timer is None and self._sources[topic[0]].shows_people:
            loop = asyncio.get_running_loop()
            watched.people_timer = loop.call_later(
                PEOPLE_DELAY_S, self._send_people, topic, watched
            )

    def _send_people(self, topic: Topic, watched: Watched) -> None:
        watched.people_timer = None
        if watched.value is None:
            return
        source = self._sources[topic[0]]
        here = self.presence.everywhere(topic)
        if users := self._names.unknown(here):
            self.run_in_background(self._learn(topic, users))
            return
        viewers, hidden = self._names.shown(here), self._names.hidden(here)
        message = source.crowd(watched.value, here, viewers)
        watched.is_settled = source.is_final(message)
        frame = encode_frame(message, watched.head)
        if frame == watched.people_frame and hidden == watched.people_hidden:
            return
        watched.people_frame, watched.people_hidden = frame, hidden
        own: dict[int | None, Frame] = {}
        for reader in {reader for reader, _ in hidden}:
            rest = [viewer for viewer in viewers if (reader, viewer.user) not in hidden]
            own[reader] = encode_frame(source.crowd(watched.value, here, rest), watched.head)
        for socket in self.presence.sockets(topic):
            socket.post(own.get(socket.reader, frame) if own else frame)

    async def _poll(self) -> None:
        """Read the revs of the watched topics from the database, each kind now or soon."""
        kinds = {kind for kind, _ in self._topics}
        await self._reads.poll({kind: self._sources[kind].poll_share for kind in sorted(kinds)})

    async def _read_revs(self, kind: str) -> float:
        """Read the revs of the watched topics of a kind; return the seconds that it took."""
        idents = [ident for each, ident in self._topics if each == kind]
        revs, took_s = await self._service.run_in_db_thread(timed, self._sources[kind].revs, idents)
        for ident, rev in revs.items():
            self.hint((kind, ident), rev)
        return took_s

    async def close(self) -> None:
        """Stop the background tasks and close the sources."""
        loading = [*self._tasks, *self._reloads.values()]
        for task in loading:
            task.cancel()
        await self.commit_watcher.stop()
        self._reads.close()
        await wait_for_tasks(loading)
        await _run_logged(self.presence.delete())
        await wait_for_tasks(source.close() for source in self._sources.values())


async def _run_logged(work: Coroutine[Any, Any, None]) -> None:
    """Run background work and log its error; asyncio would log it only at garbage collection."""
    try:
        await work
    except Exception as error:
        if not note_outage(error):
            log.exception("a background task of the hub failed")


async def wait_for_tasks(tasks: Iterable[Awaitable[None]]) -> None:
    """Wait for tasks that log their own errors."""
    await asyncio.gather(*tasks, return_exceptions=True)
