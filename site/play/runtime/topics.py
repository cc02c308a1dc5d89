"""Topics that pages watch, the sources of their frames, and the sockets that watch them.

A topic is `(kind, ident)`: a game, a lobby, the lists. Each app registers its kinds when it is
ready.
"""

import asyncio
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from msgspec import Struct

from play.domain.game_state import GameState
from play.domain.wire_types import Frame, put_on_topic
from telemetry.redaction import shorten_key

if TYPE_CHECKING:
    from play.runtime.viewer_names import Viewer

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
    presence, no value shows a name, and there is nothing to close. `load` and `close` are
    coroutines; `revs` runs in the database thread; everything else runs in the event loop and
    returns at once.
    """

    pause_s: float = 0.0  # least time between two reads after hints
    # Greatest share of the time for which `revs` runs after commits that this process has not made.
    # Almost all of them are a worker's, which plays games and writes notices.
    poll_share: float = 0.01
    shows_people: bool = False  # whether `crowd` renders the viewers of a topic
    follows_departures: bool = False  # whether `Presence.take_departed` is asked for the kind

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

    def on_pages_changed(self, value: V, audience: str) -> None:
        """Note that pages of an audience came, left, or became visible or hidden.

        It is called for every page that comes to this process or is shown or hidden there, and when
        the last of an audience has left this process, or all the others.
        """

    def crowd(self, value: V, audiences: Counter[str], viewers: "Sequence[Viewer]") -> Struct:
        """Return the presence message, from the number of sockets by audience in all processes.

        `viewers` are those whom it may name. It is asked only where `shows_people`.
        """
        raise NotImplementedError

    def is_final(self, message: Struct) -> bool:
        """Return whether a message of `crowd` stays true for every later value."""
        return False

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
