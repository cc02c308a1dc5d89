"""Messages of the sockets; messages from pages are parsed strictly.

Those of the socket itself are parsed here, those about a topic by the handler of its kind (see
`topic_handlers`). The commands among them are the types of `domain.commands` and are decided as
they were parsed.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta

from accounts.refusals import Refused
from play.domain.commands import GameCommand
from play.domain.game_refusals import Reason
from play.domain.wire_types import (
    PLAIN,
    Count,
    Id,
    Message,
    Outgoing,
    Rev,
    SquareName,
    TopicName,
)

MAX_FRAME_BYTES = 16 * 1024
MAX_TOPICS = 8  # of one socket
MAX_TURN_SQUARES = 4

KnownRev = Rev | Annotated[str, Meta(max_length=64, pattern=PLAIN)]


class Subscribe(Message, frozen=True, tag="subscribe"):
    """Follows a topic of which the page has `rev` (-1: none).

    Answered with the state if that is newer, else with a pong; with `ended` if there is nothing to
    follow. A page that follows the topic already is answered in the same way. A spectator is named
    to the others unless the page says `unseen`; without that word it stays as it was.
    """

    rev: KnownRev = -1
    unseen: bool | None = None


class Unsubscribe(Message, frozen=True, tag="unsubscribe"):
    """Follows a topic no longer; answered with `ended`."""


class Ping(Message, frozen=True, tag="ping"):
    """The heartbeat, with the revs that the page has.

    Answered with a pong, and on each topic of which the page has an old rev with the state. A page
    says with it whether it is `visible`, which holds until its next ping: it sends one as soon as
    it is shown or hidden.
    """

    visible: bool = False
    revs: Annotated[Mapping[TopicName, KnownRev], Meta(max_length=MAX_TOPICS)] = {}


class Plan(Message, frozen=True, tag="plan"):
    """Asks for the premove options at this rev; a newer state is sent instead."""

    rev: Rev


class Explain(Message, frozen=True, tag="explain"):
    """Asks why a turn of the sender cannot go on to the last of these squares.

    `squares` are those of the draft, then the one that was tried. Answered with `explained` or a
    refusal; more than a few in a second are dropped without an answer. Changes nothing.
    """

    id: Id
    step: Count
    squares: Annotated[tuple[SquareName, ...], Meta(min_length=1, max_length=MAX_TURN_SQUARES)]


class Flag(Message, frozen=True, tag="flag"):
    """Asks the server to look at the clocks."""


class Pong(Outgoing, frozen=True, tag="pong"):
    """Answers the heartbeat; with a topic, a page that subscribes and has the newest state."""

    now: int  # ms since the epoch
    revs: Mapping[str, int | str]  # the newest revs of the topics that were asked about


class Ended(Outgoing, frozen=True, tag="ended"):
    """The topic is not followed, or no longer; the socket stays open."""

    reason: str  # a `Reason` of a refusal, or "unsubscribed"
    say: str  # a sentence for people


class Refusal(Outgoing, frozen=True, tag="refused"):
    """Refuses the message with that id, or one without an id."""

    id: str | None
    reason: str  # a `Reason` of `refusals`
    code: str | None  # why an action is illegal
    squares: Sequence[str]  # the squares concerned
    say: str  # a sentence for people
    index: int  # which of the actions sent it was


class Anew(Outgoing, frozen=True, tag="anew"):
    """Tells the page to reload, because the database lacks a rev that the page has seen."""


class Bye(Outgoing, frozen=True, tag="bye"):
    """The server goes away; the page reconnects after `retry` ms."""

    reason: Literal["restart"]
    retry: int


class Header(msgspec.Struct, frozen=True, gc=False):
    """The fields by which a frame finds its handler."""

    t: str
    topic: str = ""


SocketMessage = Subscribe | Unsubscribe | Ping
SOCKET_KINDS = {kind.__struct_config__.tag for kind in get_args(SocketMessage)}
FROM_SOCKET = (Pong, Ended, Refusal, Bye)  # sent by every socket
GameMessage = Plan | Explain | GameCommand | Flag
_header = msgspec.json.Decoder(Header)
_UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError)


def read_header(text: str | None) -> Header:
    """Return the header of a text frame (None: a binary one).

    Raise `Refused`: too large or malformed.
    """
    if text is None:
        raise Refused(Reason.MALFORMED, say="Only text frames are read here.")
    if len(text) > MAX_FRAME_BYTES or len(text.encode(errors="replace")) > MAX_FRAME_BYTES:
        raise Refused(Reason.TOO_LARGE)
    try:
        return _header.decode(text)
    except _UNREADABLE as error:
        raise _malformed(error) from None


def message_decoder(messages: Any) -> Callable[[str], Any]:
    """Return a function that parses frames as one of a union of messages.

    A frame has passed `read_header`. The function raises `Refused`: malformed, or of an unknown
    kind.
    """
    decoder = msgspec.json.Decoder(messages)
    kinds = {kind.__struct_config__.tag for kind in get_args(messages)}

    def read(text: str) -> Any:
        try:
            return decoder.decode(text)
        except _UNREADABLE as error:
            if _header.decode(text).t in kinds:
                raise _malformed(error) from None
            raise Refused(Reason.UNKNOWN_MESSAGE) from None

    return read


parse_socket_message: Callable[[str], SocketMessage] = message_decoder(SocketMessage)
parse_game_message: Callable[[str], GameMessage] = message_decoder(GameMessage)


def _malformed(error: Exception) -> Refused:
    return Refused(Reason.MALFORMED, say=f"That message could not be read: {error}")
