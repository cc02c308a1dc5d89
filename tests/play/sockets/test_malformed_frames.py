"""Invalid frames get an error answer, and the socket stays open."""

import json
import logging
from types import SimpleNamespace

import pytest
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from accounts.refusals import Refused
from chat import chat_messages as talk
from play.routing import websocket_urlpatterns
from play.sockets import messages, send_queue
from tests.support.chat_people import lobby_of
from tests.support.loop_runtime import game_service, runtime
from tests.support.malformed_frames import CORPUS, frames, loose, objects
from tests.support.topic_frames import subscribe, text_on_topic

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
SITE = URLRouter(websocket_urlpatterns)
PLACES = ["game", "lobby", "lists", "mine", "notices", "chat"]
STATES = {"game", "lobby", "lists", "mine", "notices", "chat"}


@pytest.mark.parametrize(
    "parse", [messages.parse_socket_message, messages.parse_game_message, talk.parse]
)
@settings(max_examples=400, deadline=None)
@given(text=objects | loose)
def test_a_text_is_a_message_or_refused_and_nothing_else(parse, text) -> None:
    try:
        messages.read_header(text)
        message = parse(text)
    except Refused as refused:
        assert refused.say
    else:
        assert "\x00" not in json.dumps(getattr(message, "id", ""))


@pytest.fixture(autouse=True)
def _as_fast_as_it_likes(monkeypatch) -> None:
    """Floods have tests of their own."""
    monkeypatch.setattr(send_queue.Bucket, "take", lambda self, at: True)


async def socket_of(place: str, game, user: User) -> tuple[WebsocketCommunicator, str]:
    """An open socket that follows a topic of one of the kinds of `PLACES`, and that topic."""
    topics = {
        "lists": "lists",
        "mine": "mine",
        "notices": "notices",
        "chat": f"chat:game/{game.slug}",
    }
    topic = topics.get(place, f"game:{game.slug}")
    if place == "lobby":
        topic = f"lobby:{(await game_service().run_in_db_thread(lobby_of, user)).code}"
    socket = WebsocketCommunicator(SITE, "/ws/")
    socket.scope |= {"runtime": runtime(), "user": user, "session": SimpleNamespace(digest=None)}
    assert (await socket.connect(timeout=5))[0]
    await socket.send_to(text_data=subscribe(topic))
    while json.loads(await socket.receive_from(5))["t"] not in STATES:
        pass
    return socket, topic


async def replies(socket: WebsocketCommunicator, topic: str, frame: str | bytes) -> list[dict]:
    """Send a frame on a topic; return the answers up to the state requested afterwards.

    Fails if the socket closes.
    """
    kind = "text" if isinstance(frame, str) else "bytes"
    if isinstance(frame, str):
        frame = text_on_topic(frame, topic)
    await socket.send_input({"type": "websocket.receive", kind: frame})
    await socket.send_to(text_data=subscribe(topic))
    got: list[dict] = []
    while True:
        event = await socket.receive_output(10)
        assert event["type"] == "websocket.send", (event, frame)
        told = json.loads(event["text"])
        assert told.get("reason") not in ("busy", "unsure"), frame
        if told["t"] in STATES and (got or is_asking(frame)):
            return [*got, told]
        if told["t"] in ("refused", "receipt", "pong", "plan", "ended"):
            got.append(told)


def is_asking(frame: str | bytes) -> bool:
    """Whether the answer to a frame may be a state alone: that of a question."""
    return isinstance(frame, str) and any(
        f'"{kind}"' in frame for kind in ("subscribe", "ping", "plan", "flag")
    )


@pytest.mark.parametrize("place", PLACES)
async def test_the_corpus_is_answered_everywhere(table, people, place, caplog) -> None:
    game = await table("pincer")
    socket, topic = await socket_of(place, game, people[0])
    for frame in CORPUS:
        assert await replies(socket, topic, frame)
    await socket.disconnect()
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]


@pytest.mark.parametrize("place", PLACES)
@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(odd=st.lists(frames, min_size=4, max_size=12))
async def test_made_up_frames_are_answered_everywhere(table, people, place, caplog, odd) -> None:
    game = await table("pincer")
    socket, topic = await socket_of(place, game, people[0])
    for frame in odd:
        assert await replies(socket, topic, frame)
    await socket.disconnect()
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]
