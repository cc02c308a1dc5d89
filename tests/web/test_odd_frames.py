"""Whatever a client sends is answered in words, the socket stays, and nothing of ours breaks."""

import json
import logging
from types import SimpleNamespace

import pytest
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from odd_frames import CORPUS, frames, loose, objects
from people_who_talk import lobby_of

from accounts.models import User
from lobby.routing import websocket_urlpatterns as of_lobbies
from pages.routing import websocket_urlpatterns as of_pages
from play import mailbox, wire
from play.desk import desk
from play.refusals import Refused
from play.routing import websocket_urlpatterns as of_games
from talk import wire as talk
from talk.routing import websocket_urlpatterns as of_talk

pytestmark = pytest.mark.django_db(transaction=True)
SITE = URLRouter([*of_games, *of_lobbies, *of_pages, *of_talk])
PLACES = ["game", "lobby", "lists", "mine", "talk"]
STATES = {"game", "lobby", "lists", "mine", "talk"}


@pytest.mark.parametrize("parse", [wire.parse, talk.parse])
@settings(max_examples=400, deadline=None)
@given(text=objects | loose)
def test_a_text_is_a_message_or_refused_and_nothing_else(parse, text) -> None:
    try:
        message = parse(text)
    except Refused as refused:
        assert refused.say
    else:
        assert "\x00" not in json.dumps(getattr(message, "id", ""))


@pytest.fixture(autouse=True)
def _as_fast_as_it_likes(monkeypatch) -> None:
    """Floods have tests of their own."""
    monkeypatch.setattr(mailbox.Bucket, "take", lambda self, at: True)


async def socket_of(place: str, game, user: User) -> WebsocketCommunicator:
    """An open socket of one of the five kinds."""
    ident = (await desk().read(lobby_of, user)).code if place == "lobby" else game.slug
    address = {"lists": "/ws/lists/", "mine": "/ws/mine/", "talk": f"/ws/talk/game/{ident}/"}
    path = address.get(place, f"/ws/{place}/{ident}/")
    socket = WebsocketCommunicator(SITE, path)
    socket.scope |= {"user": user, "session": SimpleNamespace(digest=None)}
    assert (await socket.connect(timeout=5))[0]
    return socket


async def replies(socket: WebsocketCommunicator, frame: str | bytes) -> list[dict]:
    """What one frame gets, up to the state that a hello gets afterwards; fails if it closes."""
    kind = "text" if isinstance(frame, str) else "bytes"
    await socket.send_input({"type": "websocket.receive", kind: frame})
    await socket.send_to(text_data='{"t":"hello"}')
    got: list[dict] = []
    while True:
        event = await socket.receive_output(10)
        assert event["type"] == "websocket.send", (event, frame)
        told = json.loads(event["text"])
        assert told.get("reason") not in ("busy", "unsure"), frame
        if told["t"] in STATES and (got or is_asking(frame)):
            return [*got, told]
        if told["t"] in ("refused", "receipt", "pong", "plan"):
            got.append(told)


def is_asking(frame: str | bytes) -> bool:
    """Whether the answer to a frame may be a state alone: that of a hello, ping, plan or flag."""
    return isinstance(frame, str) and any(
        f'"{kind}"' in frame for kind in ("hello", "ping", "plan", "flag")
    )


@pytest.mark.parametrize("place", PLACES)
async def test_the_corpus_is_answered_everywhere(table, people, place, caplog) -> None:
    game = await table("pincer")
    socket = await socket_of(place, game, people[0])
    for frame in CORPUS:
        assert await replies(socket, frame)
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
    socket = await socket_of(place, game, people[0])
    for frame in odd:
        assert await replies(socket, frame)
    await socket.disconnect()
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]
