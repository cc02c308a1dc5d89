"""What pages look at: topics, where their frames come from, and who looks.

A topic is `(kind, ident)`: a game, a lobby, the lists.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

from accounts.redaction import shorten_key
from play.frames import Frame
from play.live import Live

Topic = tuple[str, str]
Rev = int | str


def topic_label(topic: Topic) -> str:
    """Return what a log may call a topic: its kind and the beginning of its key."""
    return f"{topic[0]} {shorten_key(topic[1])}".strip()


class Source(Protocol):
    """Where the frames of one kind of topic come from. `load` may also be a coroutine function.

    `rev` is an integer that grows, or a string that differs. `revs` answers for many idents
    with one query; a kind without it is not found out when another process changes it. `pause`
    is the least time in seconds between two reads after hints; `crowd` draws who is there, from
    a value and the number of sockets by audience, after `learn` has been told whom of them it
    finds `unknown`; `settled` says whether such a message holds for every later value; `came`
    and `left` hear of a socket's audience when it came, and when the last one of its audience
    has left this process; `concerns` says whether a value shows a user's name; `close` ends
    what the source has begun.
    """

    def load(self, ident: str) -> Any: ...
    def rev(self, value: Any) -> Rev: ...
    def render(self, value: Any, audience: str) -> Frame: ...


class Socket(Protocol):
    """What the hub needs of a connection."""

    audience: str

    def show(self, frame: Frame) -> None:
        """Puts the newest whole state in the mailbox; an older one not yet sent is dropped."""

    def post(self, frame: Frame) -> None:
        """Puts a frame in the mailbox that must not be dropped."""


@dataclass(slots=True)
class Watched:
    """A topic that sockets of this process look at, and its newest value."""

    sockets: set[Socket] = field(default_factory=set)
    value: Any = None
    is_stale: bool = False
    loading: asyncio.Task[None] | None = None
    crowd: asyncio.TimerHandle | None = None
    told: bytes = b""  # the newest frame that says who is there
    is_settled: bool = False  # whatever the value becomes, that frame stays true


def concerned(live: Live) -> Sequence[Topic]:
    """The topics besides its own that a game's change concerns."""
    white, black = live.people["white"].user, live.people["black"].user
    return _concerned(live.rules.key, white, black)


@lru_cache(maxsize=10_000)
def _concerned(key: str, *users: int) -> Sequence[Topic]:
    return (("lists", ""), ("lists", key), *(("mine", str(user)) for user in users))


def is_newer(one: Rev, other: Rev) -> bool:
    """Whether a rev says something that the other does not."""
    return one > other if isinstance(one, int) and isinstance(other, int) else one != other
