"""Frames of a page that follows one topic, for clients without a browser."""

import json
from typing import Any

Frame = dict[str, Any]


def subscribe(topic: str, rev: int = -1) -> str:
    """The frame by which a page begins to follow a topic."""
    return json.dumps({"t": "subscribe", "topic": topic, "rev": rev})


def on_topic(frame: Frame, topic: str) -> Frame:
    """A frame as it is sent: with its topic; a ping has the rev of the topic among its revs."""
    if frame.get("t") == "ping" and "revs" not in frame:
        rest = {key: value for key, value in frame.items() if key != "rev"}
        return {**rest, "revs": {topic: frame.get("rev", -1)}}
    return {"topic": topic, **frame}


def text_on_topic(text: str, topic: str) -> str:
    """A frame that may be malformed, with its topic put in front where it begins as an object."""
    if text.startswith('{"'):
        return f'{{"topic":{json.dumps(topic)},{text[1:]}'
    return text


def heard(text: str | bytes, topic: str) -> Frame:
    """A frame as it was received, without its topic.

    A pong has the rev of the topic, if the page asked for it. Everything but a pong of
    the socket is on the topic; an answer to what named none is on none.
    """
    frame: Frame = json.loads(text)
    assert frame.pop("topic", topic) == topic, frame
    if frame["t"] == "pong":
        frame["rev"] = frame["revs"].get(topic)
    return frame
