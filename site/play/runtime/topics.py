"""Topics that pages watch, the sources of their frames, and the sockets that watch them.

A topic is `(kind, ident)`: a game, a lobby, the lists. Each app registers its kinds when it is
ready.
"""

import asyncio
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from play.domain.game_state import GameState
from play.domain.wire_types import Frame, put_on_topic
from telemetry.redaction import shorten_key

Topic = tuple[str, str]
Rev = int | str
KIND_WORD = re.compile(r"[a-z-]+")
V = TypeVar("V")  # the value that a source loads


@dataclass(frozen=True, slots=True)
class TopicKind:
    """A kind of topic, as its app registers it."""

    name: str  # as the protocol shows it, such as `game:SLUG`
    make_source: Callable[[Any], "TopicSource[Any]"]  # gets the `WebRuntime`
    handler: Any = None  # a `TopicHandler`; None: pages do not ask for it
    from_page: Any = None  # union of the messages of pages
    from_site: tuple[type, ...] = ()  # messages of the site


KINDS: dict[str, TopicKind] = {}


def register_topic(kind: TopicKind) -> None:
    """Register a kind of topic by the word that its name begins with."""
    KINDS[KIND_WORD.match(kind.name)[0]] = kind  # type: ignore[index]


def topic_name(kind: str, ident: str) -> str:
    """Return the name of a topic in messages, such as `game:SLUG`, or `lists` without an ident."""
    return f"{kind}:{ident}" if ident else kind


def topic_label(topic: Topic) -> str:
    """Return the name of a topic for logs: its kind and the beginning of its key."""
    return f"{topic[0]} {shorten_key(topic[1])}".strip()


class TopicSource(ABC, Generic[V]):
    """The source of frames of one kind of topic: loads a value, numbers and renders it.

    A source implements `load`, `rev`, `render` and `revs`. The rest has a default: no page is sent
    presence, no value shows a name, and there is nothing to close. `load`, `learn` and `close` are
    coroutines; `revs` runs in the database thread; everything else runs in the event loop and
    returns at once.
    """

    pause_s: float = 0.0  # least time between two reads after hints
    # Greatest share of the time for which `revs` runs after commits that this process has not made.
    # Almost all of them are a worker's, which plays games and writes notices.
    poll_share: float = 0.01
    shows_people: bool = False  # whether `crowd` renders the viewers of a topic

    @abstractmethod
    async def load(self, ident: str) -> V | None:
        """Return the current value in the database; None if there is no such topic."""

    async def load_many(self, idents: Sequence[str]) -> Mapping[str, V | BaseException | None]:
        """Return the results of `load` for many topics; an exception is returned as a value."""
        found = await asyncio.gather(*map(self.load, idents), return_exceptions=True)
        return dict(zip(idents, found, strict=True))

    @abstractmethod
    def rev(self, value: V) -> Rev:
        """Return the number of a value: an integer that grows, or a text that differs."""

    @abstractmethod
    def render(self, value: V, audience: str) -> Frame:
        """Return the frame of a value for one audience."""

    def render_on_topic(self, value: V, audience: str, head: str) -> Frame:
        """Return the frame of `render` on the topic of a head from `encoding.topic_head`."""
        return put_on_topic(self.render(value, audience), head)

    @abstractmethod
    def revs(self, idents: Sequence[str]) -> Mapping[str, Rev]:
        """Return the current revs of many topics, with as many queries as for one."""

    def page_name(self, topic: Topic) -> str:
        """Return the name of a topic in its frames; empty for one that no page subscribes to."""
        return topic_name(*topic)

    def concerns(self, value: V, user: int) -> bool:
        """Return whether a value shows the name of a user."""
        return False

    def on_socket_opened(self, value: V, audience: str) -> None:
        """Note that a socket of an audience was opened in this process."""

    def on_last_socket_closed(self, value: V, audience: str) -> None:
        """Note that the last socket of an audience in this process was closed."""

    def on_visibility_changed(self, value: V, audience: str, is_visible: bool) -> None:
        """Note that a page of an audience became visible here, or that none is any more."""

    def crowd(self, value: V, audiences: Counter[str]) -> Struct:
        """Return the presence message, from the number of sockets by audience in all processes.

        It is asked only where `shows_people`.
        """
        raise NotImplementedError

    def hidden(self, audiences: Counter[str]) -> frozenset[tuple[int, int]]:
        """Return the pairs of a reader and a user whom the message does not name to that reader."""
        return frozenset()

    def without_names(self, audiences: Counter[str], users: Collection[int]) -> Counter[str]:
        """Return the audiences with some users counted, but not named."""
        return audiences

    def is_final(self, message: Struct) -> bool:
        """Return whether a message of `crowd` stays true for every later value."""
        return False

    def unknown(self, value: V, audiences: Counter[str]) -> set[int]:
        """Return the users whose names have to be read before `crowd` is asked."""
        return set()

    async def learn(self, users: set[int]) -> None:
        """Read the names of users that `unknown` has returned."""

    def forget_name(self, user: int) -> None:
        """Drop the name of a renamed user."""

    async def close(self) -> None:
        """Stop the background work of the source in the running event loop."""


class Socket(Protocol):
    """The interface of a subscription for the hub."""

    audience: str
    viewer: int | None  # the user to name among the viewers; None: counted only

    @property
    def reader(self) -> int | None:
        """The user whose page it is; None for a stranger, and where nobody is named."""

    @property
    def is_visible(self) -> bool:
        """Whether its page is visible to somebody."""

    def show(self, frame: Frame) -> None:
        """Put the newest state into the send queue; an older unsent one is dropped."""

    def post(self, frame: Frame) -> None:
        """Put a frame into the send queue that must not be dropped."""


@dataclass(slots=True)
class Watched:
    """A topic that sockets of this process watch, and its newest value."""

    head: str  # the beginning of its frames, see `encoding.topic_head`
    sockets: set[Socket] = field(default_factory=set)
    value: Any = None
    people_timer: asyncio.TimerHandle | None = None
    people_frame: Frame = ""  # the last presence frame
    people_hidden: frozenset[tuple[int, int]] = frozenset()  # pairs (reader, user not named in it)
    is_settled: bool = False  # that frame stays true for later values
    frames: dict[str, Frame] = field(default_factory=dict)  # just drawn, by audience


def concerned_topics(game: GameState) -> Sequence[Topic]:
    """Return the topics besides its own that a game's change concerns."""
    white, black = game.people["white"].user, game.people["black"].user
    return _topics_of_players(game.rules.key, white, black)


@lru_cache(maxsize=10_000)
def _topics_of_players(key: str, *users: int) -> Sequence[Topic]:
    return (("lists", ""), ("lists", key), *(("mine", str(user)) for user in users))


def is_newer(one: Rev, other: Rev) -> bool:
    """Return whether a rev is newer than another; of texts, whether they differ."""
    return one > other if isinstance(one, int) and isinstance(other, int) else one != other
