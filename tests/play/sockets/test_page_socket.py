"""One socket of a page: its topics, their limits, and what ends one of them."""

import asyncio
import itertools
import json
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.login import revocations
from accounts.login.sessions import digest_of
from chat import chat_service
from play.domain import visibility, wire_types
from play.models import Entry
from play.routing import websocket_urlpatterns
from play.runtime import open_sockets
from play.sockets import send_queue, topic_handlers
from play.sockets.consumers import PageConsumer
from play.sockets.messages import MAX_TOPICS
from play.sockets.send_queue import RESTART_CODE
from tests.support.chat_people import lobby_of
from tests.support.game_page_client import Page
from tests.support.loop_runtime import game_service, has_frame, hub, is_silent, runtime, settle
from tests.support.malformed_frames import objects
from tests.support.topic_frames import subscribe
from tests.support.waiting import run_ready

pytestmark = pytest.mark.django_db
ids = (f"id-{n}" for n in itertools.count())
Frame = dict[str, Any]


class Tab:
    """A page that follows several topics, and all that it hears, by topic ("" for none)."""

    def __init__(self, user: Any = None, session: str | None = None, path: str = "/ws/") -> None:
        self.socket = WebsocketCommunicator(URLRouter(websocket_urlpatterns), path)
        digest = digest_of(session) if session else None
        self.socket.scope |= {
            "runtime": runtime(),
            "user": user or AnonymousUser(), "session": SimpleNamespace(digest=digest)
        }  # fmt: skip
        self.heard: list[Frame] = []
        self._untaken: list[Frame] = []

    async def __aenter__(self) -> "Tab":
        assert (await self.socket.connect(timeout=5))[0]
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.socket.disconnect()

    async def say(self, t: str, **frame: Any) -> None:
        await self.socket.send_to(text_data=json.dumps({"t": t, **frame}))

    async def follow(self, *topics: str) -> None:
        """Subscribes to topics, and waits for the answer of each."""
        for topic in topics:
            await self.socket.send_to(text_data=subscribe(topic))
        for topic in topics:
            await self.next(topic, lambda frame: frame["t"] != "people")

    async def next(self, topic: str, fits: Any = lambda frame: True) -> Frame:
        """The next frame on a topic of which something holds; others wait to be taken."""
        for frame in self._untaken:
            if frame.get("topic", "") == topic and fits(frame):
                self._untaken.remove(frame)
                return frame
        while True:
            frame = json.loads(await self.socket.receive_from(timeout=10))
            self.heard.append(frame)
            if frame.get("topic", "") == topic and fits(frame):
                return frame
            self._untaken.append(frame)

    async def quiet(self) -> None:
        """Waits until nothing follows any more from what has happened."""
        await settle()
        while has_frame(self.socket):
            self.heard.append(json.loads(await self.socket.receive_from()))

    async def kind(self, topic: str, t: str) -> Frame:
        return await self.next(topic, lambda frame: frame["t"] == t)

    async def answer(self, topic: str, t: str, **frame: Any) -> Frame:
        """The receipt or refusal of a message with an id."""
        id = next(ids)
        await self.say(t, topic=topic, id=id, **frame)
        return await self.next(topic, lambda frame: frame.get("id") == id)

    async def revs(self, *topics: str) -> Frame:
        """Sends a ping with rev 0 of each topic; returns the revs of the pong."""
        await self.say("ping", revs=dict.fromkeys(topics, 0))
        return (await self.next("", lambda frame: frame["t"] == "pong"))["revs"]

    async def closed(self) -> int:
        while (event := await self.socket.receive_output(10))["type"] != "websocket.close":
            self.heard.append(json.loads(event["text"]))
        return event["code"]


async def changed(game: Any) -> int:
    return await game_service().run_in_db_thread(Entry.objects.filter(game=game.pk).count)


async def test_a_page_follows_all_that_it_shows_on_one_socket(table, people):
    game = await table("pincer")
    lobby = await sync_to_async(lobby_of)(people[0])
    shown = {
        f"game:{game.slug}": "game", f"chat:game/{game.slug}": "chat", "mine": "mine",
        f"lobby:{lobby.code}": "lobby", "lists": "lists", "lists:pincer": "lists",
    }  # fmt: skip
    async with Tab(people[0], path=f"/ws/g/{game.slug}/") as tab:
        await tab.follow(*shown)
        for topic, kind in shown.items():
            assert kind in {frame["t"] for frame in tab.heard if frame.get("topic") == topic}
        assert (await tab.answer(f"game:{game.slug}", "resign"))["t"] == "receipt"
        said = await tab.answer(f"chat:game/{game.slug}", "say", phrase="hello")
        assert said["t"] == "receipt"
        assert (await tab.kind(f"game:{game.slug}", "game"))["rev"] == 1


async def test_the_address_names_the_game_and_follows_nothing(table, people):
    game = await table("pincer")
    async with Tab(people[0], path=f"/ws/g/{game.slug}/") as tab:
        assert await is_silent(tab.socket)
        assert hub().presence.audiences(("game", game.slug)) == {}
        await tab.follow(f"game:{game.slug}")
        assert hub().presence.audiences(("game", game.slug)) == {"white": 1}


async def test_a_ninth_topic_is_refused_until_one_is_left(table, people):
    games = [await table("pincer") for _ in range(MAX_TOPICS + 1)]
    topics = [f"game:{game.slug}" for game in games]
    async with Tab(people[0]) as tab:
        await tab.follow(*topics[:MAX_TOPICS])
        await tab.say("subscribe", topic=topics[-1])
        ended = await tab.next(topics[-1])
        assert (ended["t"], ended["reason"]) == ("ended", "too_many_topics")
        assert len(await tab.revs(*topics[:MAX_TOPICS])) == MAX_TOPICS
        await tab.say("unsubscribe", topic=topics[0])
        assert (await tab.kind(topics[0], "ended"))["reason"] == "unsubscribed"
        assert hub().presence.audiences(("game", games[0].slug)) == {}
        await tab.follow(topics[-1])
        assert (await tab.answer(topics[-1], "resign"))["t"] == "receipt"


@pytest.mark.parametrize(
    "topic",
    ["game:nothing", "lobby:nothing", "lists:nothing", "mine:1", "chat:game/nothing", "chat:x/y",
     "chat-member:1", "nothing", "nothing:x", "game", "lobby"],
)  # fmt: skip
async def test_a_topic_of_nothing_is_answered_and_leaves_the_others_alone(table, people, topic):
    game = await table("pincer")
    async with Tab(people[0]) as tab:
        await tab.follow(f"game:{game.slug}")
        await tab.socket.send_to(text_data=subscribe(topic))
        answer = await tab.next(topic if "-" not in topic else "")
        reasons = {"ended": "gone", "refused": "malformed"}
        assert answer["reason"] == reasons[answer["t"]]
        assert (await tab.answer(f"game:{game.slug}", "resign"))["t"] == "receipt"


async def test_who_may_not_see_one_topic_follows_the_others(table, people):
    hidden, other = await table("pincer", watch=False), await table("pincer")
    async with Tab(people[2]) as tab:
        await tab.say("subscribe", topic=f"game:{hidden.slug}")
        await tab.say("subscribe", topic=f"chat:game/{hidden.slug}")
        assert (await tab.kind(f"game:{hidden.slug}", "ended"))["reason"] == "gone"
        assert (await tab.kind(f"chat:game/{hidden.slug}", "ended"))["reason"] == "gone"
        refused = await tab.answer(f"game:{hidden.slug}", "resign")
        assert refused["reason"] == "not_subscribed"
        await tab.follow(f"game:{other.slug}")
        assert hub().presence.audiences(("game", hidden.slug)) == {}


async def test_subscribing_again_is_answered_again_and_counts_once(table, people):
    game = await table("pincer")
    topic = f"game:{game.slug}"
    async with Tab(people[0]) as tab:
        await tab.follow(topic)
        await tab.say("subscribe", topic=topic, rev=0)
        assert (await tab.kind(topic, "pong"))["revs"] == {topic: 0}
        await tab.say("subscribe", topic=topic)
        assert (await tab.kind(topic, "game"))["rev"] == 0
        assert hub().presence.audiences(("game", game.slug)) == {"white": 1}
        await tab.say("unsubscribe", topic=topic)
        await tab.say("subscribe", topic=topic)
        await tab.kind(topic, "ended")
        await tab.kind(topic, "game")
        assert hub().presence.audiences(("game", game.slug)) == {"white": 1}
    assert hub().presence.audiences(("game", game.slug)) == {}


async def test_a_page_that_comes_back_asks_for_what_it_has_missed_alone(table, people):
    game = await table("pincer")
    topic, talk = f"game:{game.slug}", f"chat:game/{game.slug}"
    async with Tab(people[0]) as tab:
        await tab.follow(topic, talk)
        rev = next(frame["rev"] for frame in tab.heard if frame["t"] == "chat")
    async with Page(game.slug, people[1]) as other:
        await other.say(t="resign", id="r")
        await other.next("receipt")
    async with Tab(people[0]) as tab:
        await tab.say("subscribe", topic=topic, rev=0)
        await tab.say("subscribe", topic=talk, rev=rev)
        assert (await tab.next(topic, lambda frame: frame["t"] != "people"))["rev"] == 1
        answer = await tab.next(talk)
        assert answer["t"] in ("pong", "chat")  # the game's end may have changed who reads along


async def test_one_ping_asks_about_all_topics(table, people):
    one, two = await table("pincer"), await table("amazons-8x8")
    topics = [f"game:{game.slug}" for game in (one, two)]
    async with Tab(people[0]) as tab:
        await tab.follow(*topics)
        await tab.say("ping", revs={topics[0]: 0, topics[1]: -1, "game:nothing": 5})
        assert (await tab.kind("", "pong"))["revs"] == {topics[0]: 0, topics[1]: 0}
        assert (await tab.kind(topics[1], "game"))["rev"] == 0
        assert (await tab.revs(*topics)) == dict.fromkeys(topics, 0)
        assert [f for f in tab.heard if f.get("topic") == topics[0] and f["t"] == "game"][1:] == []


async def test_a_flood_in_chat_costs_the_chat_and_the_game_goes_on(table, people, caplog):
    game = await table("pincer")
    topic, talk = f"game:{game.slug}", f"chat:game/{game.slug}"
    async with Tab(people[0]) as tab:
        await tab.follow(topic, talk)
        for _ in range(600):
            await tab.say("mute", topic=talk, name="bob", on=1)
        assert (await tab.kind(talk, "ended"))["reason"] == "slow_down"
        assert "slow_down" in {f.get("reason") for f in tab.heard if f["t"] == "refused"}
        assert (await tab.answer(topic, "act", step=0, actions=["move 1 5 2 5"]))["t"] == "receipt"
        assert (await tab.answer(talk, "say", text="x"))["reason"] == "not_subscribed"
    floods = [each for each in caplog.records if getattr(each, "event", "") == "flood"]
    assert [each.kind for each in floods] == ["chat"]


async def test_a_flood_that_belongs_to_no_topic_closes_the_socket(table, people):
    async with Tab(people[0]) as tab:
        for _ in range(1_000):
            await tab.say("flag", topic="game:nothing")
        assert await tab.closed() in (1008, 4009)


async def test_a_topic_that_is_joined_slowly_delays_no_other(table, people, monkeypatch):
    game = await table("pincer")
    topic, talk = f"game:{game.slug}", f"chat:game/{game.slug}"
    gate = asyncio.Event()

    async def slow(self, scope, ident):
        await gate.wait()
        raise AssertionError("it is never let in")

    monkeypatch.setattr("chat.chat_handler.ChatHandler.admit", slow)
    async with Tab(people[0]) as tab:
        await tab.say("subscribe", topic=talk)
        await tab.follow(topic)
        assert (await tab.answer(topic, "act", step=0, actions=["move 1 5 2 5"]))["t"] == "receipt"
        await tab.say("say", topic=talk, id="early", text="x")
        gate.set()
        assert (await tab.kind(talk, "ended"))["reason"] == "busy"
        assert (await tab.kind(talk, "refused"))["id"] == "early"


async def test_what_was_sent_before_the_page_left_is_done(table, people):
    game = await table("pincer")
    async with Tab(people[0]) as tab:
        await tab.follow(f"game:{game.slug}")
        await tab.say("resign", topic=f"game:{game.slug}", id="last")
    assert await changed(game) == 2


async def test_an_action_is_committed_though_its_page_leaves_meanwhile(table, people):
    game = await table("pincer")
    async with Tab(people[0]) as tab:
        await tab.follow(f"game:{game.slug}")
        act = {"id": "last", "step": 0, "actions": ["move 1 5 2 5"]}
        await tab.say("act", topic=f"game:{game.slug}", **act)
    assert await changed(game) == 2
    assert open_sockets.ACCEPTING.busy == 0


async def test_a_page_that_leaves_during_an_action_leaves_nothing_behind(table, people):
    game = await table("pincer")
    topic = f"game:{game.slug}"
    async with Tab(people[0]) as tab:
        await tab.follow(topic)
        await tab.say("act", topic=topic, id="one", step=0, actions=["move 1 5 2 5"])
        await tab.say("draw", topic=topic, id="two", do="offer")  # waits behind the action
        await tab.socket.send_input({"type": "websocket.disconnect", "code": 1001})
        # `disconnect` would cancel the application after a second, as no server does.
        done, _ = await asyncio.wait([tab.socket.future], timeout=5)
        assert done
    assert await changed(game) == 3
    assert open_sockets.ACCEPTING.busy == 0
    assert hub().rev(("game", game.slug)) is None  # nobody is there any more


async def test_a_frame_during_a_stop_is_not_answered_and_its_page_still_gets_the_notice(
    people, at_work, monkeypatch
):
    async with Tab(people[0]) as tab:
        await tab.follow("lists")
        monkeypatch.setattr(open_sockets.ACCEPTING, "is_shut", True)
        await tab.say("unsubscribe", topic="lists")
        await run_ready()
        (queue,) = open_sockets.every_open()
        await queue.say_bye()
        assert (await tab.next(""))["t"] == "bye"
        assert (await tab.socket.receive_output())["code"] == RESTART_CODE


async def test_a_page_that_is_let_in_as_the_server_stops_gets_the_notice(
    people, at_work, monkeypatch
):
    accept = PageConsumer.accept

    async def accept_late(self: PageConsumer) -> None:
        await accept(self)
        monkeypatch.setattr(open_sockets.ACCEPTING, "is_shut", True)  # the others are told now

    monkeypatch.setattr(PageConsumer, "accept", accept_late)
    async with Tab(people[0]) as tab:
        assert json.loads(await tab.socket.receive_from())["t"] == "bye"
        assert (await tab.socket.receive_output())["code"] == RESTART_CODE


async def test_an_error_in_deciding_an_action_is_answered_and_the_socket_goes_on(
    table, people, monkeypatch
):
    game = await table("pincer")
    topic = f"game:{game.slug}"

    def broken(*args):
        raise RuntimeError("a fault in the rules")

    async with Tab(people[0]) as tab:
        await tab.follow(topic)
        with monkeypatch.context() as patched:
            patched.setattr("play.runtime.game_service.decide", broken)
            refused = await tab.answer(topic, "act", step=0, actions=["move 1 5 2 5"])
        assert (refused["t"], refused["reason"]) == ("refused", "unsure")
        receipt = await tab.answer(topic, "act", step=0, actions=["move 1 5 2 5"])
        assert receipt["t"] == "receipt"


async def test_what_follows_an_action_at_once_is_answered_after_it(table, people):
    game = await table("pincer")
    topic = f"game:{game.slug}"
    async with Tab(people[0]) as tab:
        await tab.follow(topic)
        await tab.say("act", topic=topic, id="one", step=0, actions=["move 1 5 2 5"])
        await tab.say("draw", topic=topic, id="two", do="offer")
        await tab.say("draw", topic=topic, id="three", do="withdraw")
        answers = [await tab.kind(topic, "receipt") for _ in range(3)]
        assert [(each["id"], each["rev"]) for each in answers] == [
            ("one", 1),
            ("two", 2),
            ("three", 3),
        ]


async def test_presence_in_a_lobby_lasts_as_long_as_its_topic(people, at_work):
    lobby = await sync_to_async(lobby_of)(people[0])
    async with Tab(people[0]) as tab:
        await tab.follow(f"lobby:{lobby.code}")
        assert hub().presence.users("lobby") == {(lobby.code, people[0].pk)}
        await tab.say("unsubscribe", topic=f"lobby:{lobby.code}")
        await tab.kind(f"lobby:{lobby.code}", "ended")
        assert not hub().presence.users("lobby")
        await tab.follow("lists")


def end_of(session: str) -> None:
    """Writes the revocation of a session, as another process does."""
    revocations.write_revocation(session=digest_of(session))


async def test_nothing_leaves_on_any_topic_after_a_revocation(table, people):
    game = await table("pincer")
    topic, talk = f"game:{game.slug}", f"chat:game/{game.slug}"
    async with Tab(people[0], "hers") as tab, Page(game.slug, people[1], session="his") as bob:
        await tab.follow(topic, talk, "mine")
        await bob.until(0)
        await tab.quiet()
        open_sockets.revoke(lambda permit: permit.session == digest_of("hers"))
        for text in (subscribe("lists"), subscribe(topic)):
            await tab.socket.send_to(text_data=text)
        await tab.say("act", topic=topic, id="late", step=0, actions=["move 1 5 2 5"])
        await bob.say(t="resign", id="r")
        await bob.next("receipt")
        await game_service().run_in_db_thread(
            chat_service.say, "game", game.slug, people[1].pk, "x", "", "hello"
        )
        before = len(tab.heard)
        assert await tab.closed() == send_queue.SIGNED_OUT_CODE
        assert tab.heard[before:] == []
        assert hub().presence.audiences(("game", game.slug)) == {"black": 1}
    assert await changed(game) == 2


async def test_who_was_logged_out_unheard_follows_nothing_more(table, people, monkeypatch):
    """The socket is open for another half second at most; a new topic asks the database."""
    monkeypatch.setattr(topic_handlers, "SESSION_FRESH_S", 0)
    game = await table("pincer")
    async with Tab(people[0], "hers") as tab, Tab(people[1], "his") as other:
        await game_service().run_in_db_thread(end_of, "hers")
        await tab.say("subscribe", topic=f"game:{game.slug}")
        assert await tab.closed() == send_queue.SIGNED_OUT_CODE
        assert tab.heard == []
        await other.follow(f"game:{game.slug}")


class SlowReader:
    """A page whose server takes frames while `may_send` is set."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.may_send = asyncio.Event()

    async def send(self, text_data: str) -> None:
        await self.may_send.wait()
        self.sent.append(text_data)

    async def close(self, code: int) -> None:
        """Takes the close."""


async def test_the_newest_state_of_each_topic_waits_and_all_within_one_bound(at_work, monkeypatch):
    reader = SlowReader()
    queue = send_queue.SendQueue(reader, None)
    frames = [wire_types.encode_frame({"n": n}) for n in range(5)]
    queue.post(frames[4])
    await run_ready()  # from now on the server takes nothing
    queue.show("game:a", frames[0])
    queue.show("game:b", frames[1])
    queue.show("game:a", frames[2])
    queue.post(frames[3])
    reader.may_send.set()
    await run_ready()
    assert reader.sent == ['{"n":4}', '{"n":3}', '{"n":1}', '{"n":2}']
    reader.may_send.clear()
    queue.post(frames[4])
    await run_ready()
    big = wire_types.encode_frame({"text": "x" * (send_queue.MAX_UNSENT_CHARS // 3)})
    for _ in range(9):
        queue.show("game:a", big)  # each takes the place of the one before
        queue.show("game:b", big)
    assert not queue.is_stalled
    queue.show("game:c", big)
    assert queue.is_stalled
    queue.close()


async def test_a_state_is_encoded_once_for_many_sockets(table, people, monkeypatch):
    game = await table("pincer")
    topic, rendered = f"game:{game.slug}", []
    encode_rest = visibility.join_frame

    def counted(head, rest, topic):
        rendered.append(head)
        return encode_rest(head, rest, topic)

    tabs = [Tab() for _ in range(6)]
    for tab in tabs:
        assert (await tab.socket.connect(timeout=5))[0]
        await tab.follow(topic)
    async with Page(game.slug, people[0]) as ada:
        await ada.until(0)
        monkeypatch.setattr(visibility, "join_frame", counted)
        await ada.act("move 1 5 2 5")
        states = [await tab.next(topic, lambda f: f.get("rev") == 1) for tab in tabs]
        await ada.until(1)
    assert {state["you"] for state in states} == {None}
    assert len(rendered) == 2  # for white, and for the spectators
    for tab in tabs:
        await tab.socket.disconnect()


topics = st.sampled_from(["SLUG", "chat:game/x", "mine", "lists", "nothing", "", "\x00", "a:b:c"])
parts = st.tuples(objects, topics | st.none())


@pytest.mark.slow
@settings(
    max_examples=12, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@given(odd=st.lists(parts, min_size=5, max_size=20))
async def test_whatever_an_attacker_sends_the_game_goes_on(table, people, caplog, odd):
    game = await table("pincer")
    topic = f"game:{game.slug}"
    async with Tab(people[2]) as attacker, Page(game.slug, people[0]) as ada:
        await attacker.follow(topic)
        for text, named in odd:
            frame = json.loads(text)
            if named is not None:
                frame["topic"] = named.replace("SLUG", topic)
            await attacker.socket.send_to(text_data=json.dumps(frame))
        await attacker.say("ping", revs={})
        await attacker.next("", lambda frame: frame["t"] == "pong" and frame["revs"] == {})
        assert (await ada.act("move 1 5 2 5", step=0))["t"] == "receipt"
    assert await changed(game) == 2
    assert not [each for each in caplog.records if each.levelname == "ERROR"]
