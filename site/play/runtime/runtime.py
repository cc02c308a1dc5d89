"""The objects of a running process: built at its start, passed on, and closed in reverse.

A web process has a `WebRuntime`; a worker of the computer players, which has no pages, a `Runtime`.
There is one for each event loop, and a process has one loop; a test suite has many. Apps register
their kinds of topics and their periodic tasks when they are ready; the runtime calls them with
itself.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Any, TypeVar

from channels.layers import get_channel_layer

from play.domain import clocks
from play.runtime.game_service import GameService
from play.runtime.hub import Hub
from play.runtime.layer import RENAMED, REVOKED, ProcessChannel
from play.runtime.open_sockets import ACCEPTING, every_open
from play.runtime.periodic import Background
from play.runtime.presence import open_users
from play.runtime.reply_player import ReplyPlayer
from play.runtime.seat_presence import SeatPresence
from play.runtime.session_watch import SessionUsers, SessionWatch
from play.runtime.topics import KINDS, Rev, Topic, TopicSource

ANSWER_TIMEOUT_S = 2.0  # for pending answers at shutdown
BYE_TIMEOUT_S = 2.0  # for the restart notice of a page to be queued, on a busy machine
FLUSH_S = 0.5  # for the last frames to be written

# Pages that are sent the first state of a topic at a time, in order of arrival: if thousands come
# back at once, none would have its game before the last.
MAX_JOINS = 60

P = TypeVar("P")
Task = Callable[["WebRuntime"], Awaitable[None]]
PERIODIC_TASKS: list[tuple[float, Task]] = []  # interval in s, function
RUNNING: dict[asyncio.AbstractEventLoop, "Runtime"] = {}  # of this process, by event loop


def register_periodic_task(interval_s: float, run: Task) -> None:
    """Register a task to run every so many seconds in web processes; call it when an app is ready.

    An error is logged, and the task runs again at the next time. Several processes may run it at
    once.
    """
    PERIODIC_TASKS.append((interval_s, run))


class Runtime:
    """The channel to other processes and the game service of one event loop."""

    def __init__(self) -> None:
        self.channel = ProcessChannel(get_channel_layer())
        self.games = GameService()
        self.games.watchers.append(self.channel.say_changed)
        self.is_closed = False
        self._parts: dict[Callable[[], Any], Any] = {}
        RUNNING[asyncio.get_running_loop()] = self

    def part(self, make: Callable[[], P]) -> P:
        """Return the object that `make` returns, made on the first call with it.

        For objects of upper apps that last as long as the runtime and need not be closed.
        """
        if make not in self._parts:
            self._parts[make] = make()
        return self._parts[make]  # type: ignore[no-any-return]

    def publish(self, topic: Topic, rev: Rev | None = None) -> None:
        """Hint to all processes that a topic has changed; called in the loop."""
        self.channel.say(topic, rev)

    def publish_name(self, user: int) -> None:
        """Hint to all processes that a user was renamed; called in the loop."""
        self.channel.publish_to_all(RENAMED, str(user))

    async def close(self) -> None:
        """Close the service, then the channel, by which its last changes are sent."""
        await self.games.close()
        await self.channel.close()
        self.is_closed = True


class WebRuntime(Runtime):
    """The runtime of a process that serves pages; `start` begins its background tasks."""

    def __init__(self) -> None:
        super().__init__()
        sources: dict[str, TopicSource[Any]] = {}
        self.hub = Hub(self.games, self.channel, sources)
        self.games.is_watched = lambda slug: self.hub.rev(("game", slug)) is not None
        self.presence = self.hub.presence
        self.seats = SeatPresence(self.games, self.hub)
        self.session_watch = SessionWatch(self.games)
        self.session_users = SessionUsers(self.games, self.session_watch)
        self.channel.handle(REVOKED, lambda _: self.follow_revocations())
        self.joins = asyncio.Semaphore(MAX_JOINS)
        self.background = Background(self.games, self.channel.is_alone)
        self.games.watchers.insert(0, self.hub.show_change)  # pages of this process come first
        self.replies = ReplyPlayer(self.games, self.publish)
        self.games.watchers.append(self.replies.on_change)
        self.games.before_claim = self.seats.note
        sources.update({word: kind.make_source(self) for word, kind in KINDS.items()})

    def start(self) -> None:
        """Start the background tasks, once."""
        self.background.start([(every, run, self) for every, run in PERIODIC_TASKS])

    def publish(self, topic: Topic, rev: Rev | None = None) -> None:
        """Hint to all processes that a topic has changed; called in the loop."""
        self.hub.hint(topic, rev)
        super().publish(topic, rev)

    def publish_name(self, user: int) -> None:
        """Hint to all processes that a user was renamed; called in the loop."""
        self.hub.show_new_name(user)
        super().publish_name(user)

    def follow_revocations(self) -> None:
        """Close the sockets of sessions that ended in other processes, as one has just said.

        If this fails, or the hint is lost, the next poll closes them half a second later.
        """
        self.hub.run_in_background(self.session_watch.follow())

    async def shut_down(self) -> None:
        """Send every page a restart notice, accept no more frames, and wait for running commits.

        Nobody can act here from the first moment on; the time that clocks run meanwhile is
        credited.
        """
        ACCEPTING.is_shut = True
        at = clocks.now()
        await ACCEPTING.wait_until_idle(ANSWER_TIMEOUT_S)
        goings = [asyncio.wait_for(queue.say_bye(), BYE_TIMEOUT_S) for queue in every_open()]
        await asyncio.gather(*goings, return_exceptions=True)
        await asyncio.sleep(FLUSH_S if goings else 0)
        await self.background.write_last_heartbeat(at)
        await self.close()

    async def close(self) -> None:
        """Stop the background tasks and the hub, wait until presence is written, and close."""
        await self.background.stop()
        await self.replies.close()
        await self.hub.close()
        await self.seats.wait_until_stored()
        await super().close()


def web_runtime() -> WebRuntime:
    """Return the running loop's runtime, made on the first call; for the ASGI application.

    While the process shuts down, the last requests get the one that is closed.
    """
    found = RUNNING.get(asyncio.get_running_loop())
    if isinstance(found, WebRuntime) and (ACCEPTING.is_shut or not found.is_closed):
        return found
    return WebRuntime()


def list_here(users: Iterable[int]) -> set[int]:
    """Return those of some users who have a page open in any process; from any thread."""
    webs = [each for each in list(RUNNING.values()) if isinstance(each, WebRuntime)]
    return set(users) & open_users().union(*(web.presence.users_elsewhere() for web in webs))


def call_in_each(do: Callable[[Runtime], None]) -> None:
    """Call a function with each runtime of this process, in its loop; from any thread."""
    for loop, runtime in list(RUNNING.items()):
        with suppress(RuntimeError):  # that loop has just closed
            loop.call_soon_threadsafe(do, runtime)
