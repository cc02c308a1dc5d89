"""Encode messages as JSON texts, once for all sockets that receive them."""

from collections.abc import Mapping

import msgspec

ENCODER = msgspec.json.Encoder()
Frame = str  # the text of a WebSocket message


def topic_head(name: str) -> str:
    """Return the beginning of every message on a topic, which names it."""
    return f'{{"topic":{ENCODER.encode(name).decode()},'


def put_on_topic(frame: Frame, head: str) -> Frame:
    """Return a frame on the topic of a head from `topic_head`; empty: the frame itself."""
    return head + frame[1:] if head else frame


def encode_frame(message: Mapping[str, object] | msgspec.Struct, head: str = "") -> Frame:
    """Return the frame of a message; with a head from `topic_head`, on that topic."""
    return put_on_topic(ENCODER.encode(message).decode(), head)


def encode_head(message: msgspec.Struct) -> str:
    """Return the JSON of a shared message part up to its closing brace; it must not be empty."""
    return f"{ENCODER.encode(message)[:-1].decode()},"


def join_frame(head: str, rest: msgspec.Struct, topic: str = "") -> Frame:
    """Return the frame that consists of a head from `encode_head` and the rest.

    With a head from `topic_head`, it is on that topic.
    """
    return put_on_topic(head + ENCODER.encode(rest)[1:].decode(), topic)
