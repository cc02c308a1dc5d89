"""Chat socket: its messages, refused users, and answers to hostile frames."""

import asyncio
import itertools
import json
from types import SimpleNamespace

import pytest
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser

from chat import chat_service
from chat.chat_service import Verdict
from chat.models import FOREVER_MS, ChatMember, Line, Report
from play.routing import websocket_urlpatterns
from tests.support.chat_people import account, end, game_of, guest, lobby_of
from tests.support.loop_runtime import game_service, runtime, settle
from tests.support.topic_frames import heard, on_topic, text_on_topic

pytestmark = pytest.mark.django_db
ids = (f"said-{n}" for n in itertools.count())


class Panel:
    """A page of talk without a browser: the newest frame, and every other one in its order."""

    def __init__(self, place, user=None) -> None:
        kind, ident = ("game", place.slug) if hasattr(place, "slug") else ("lobby", place.code)
        self.topic = f"chat:{kind}/{ident}"
        self.socket = WebsocketCommunicator(URLRouter(websocket_urlpatterns), "/ws/")
        self.socket.scope["runtime"] = runtime()
        self.socket.scope["user"] = user or AnonymousUser()
        self.socket.scope["session"] = SimpleNamespace(digest=None)
        self.heard: list[dict] = []

    async def __aenter__(self) -> "Panel":
        assert (await self.socket.connect(timeout=5))[0]
        await self.tell(t="subscribe", rev=-1)
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.socket.disconnect()

    async def tell(self, **frame) -> None:
        await self.socket.send_to(text_data=json.dumps(on_topic(frame, self.topic)))

    async def take(self) -> dict:
        frame = heard(await self.socket.receive_from(timeout=5), self.topic)
        self.heard.append(frame)
        return frame

    async def next(self, kind: str) -> dict:
        while (frame := await self.take())["t"] != kind:
            pass
        return frame

    async def until(self, *words: str) -> dict:
        """The frame whose lines are these."""
        while texts_of(frame := await self.next("chat")) != [*words]:
            pass
        return frame

    async def answer(self, **frame) -> dict:
        """Send a frame; return its receipt or refusal."""
        id = frame.setdefault("id", next(ids))
        await self.tell(**frame)
        while (got := await self.take())["t"] not in ("receipt", "refused") or got["id"] != id:
            pass
        return got

    async def say(self, text: str) -> dict:
        return await self.answer(t="say", text=text)

    async def quiet(self) -> list[dict]:
        """The frames that arrive until nothing follows any more from what has happened."""
        await settle()
        return [await self.take() for _ in range(self.socket.output_queue.qsize())]

    async def ended(self) -> str:
        """The reason of the `ended` frame; checks that the socket lives without this topic."""
        reason = (await self.next("ended"))["reason"]
        assert {frame["t"] for frame in self.heard} == {"ended"}
        assert (await self.say("hello"))["reason"] == "not_subscribed"
        await self.tell(t="ping")
        assert (await self.next("pong"))["revs"] == {}
        return reason


def texts_of(frame: dict) -> list[str]:
    return [line["text"] or line["phrase"] for line in frame["lines"]]


async def db(function, *args, **kwargs):
    return await game_service().run_in_db_thread(lambda: function(*args, **kwargs))


@pytest.fixture
async def people(at_work):
    return [await db(account, name) for name in ("ada", "bob", "cy")]


@pytest.fixture
async def game(people):
    return await db(game_of, people[0], people[1])


async def test_a_line_reaches_its_circle_and_nobody_else(people, game):
    ada, bob, cy = people
    async with Panel(game, ada) as one, Panel(game, bob) as two, Panel(game, cy) as three:
        for panel in (one, two, three):
            await panel.until()
        receipt = await one.say("good luck")
        assert (receipt["t"], receipt["again"]) == ("receipt", False)
        assert (await one.until("good luck"))["lines"][0]["you"] is True
        line = (await two.until("good luck"))["lines"][0]
        assert (line["by"], line["you"], line["role"], line["circle"]) == (
            "ada",
            False,
            "white",
            "players",
        )
        assert await three.quiet() == []


@pytest.mark.django_db(transaction=True)
async def test_players_hear_nothing_of_watchers_until_the_game_is_over(people, game):
    """Non-interference, over the wire: not a frame, not a rev, not an answer tells."""
    ada, _, cy = people
    async with Panel(game, ada) as player, Panel(game, cy) as watcher, Panel(game) as stranger:
        rev = (await player.until())["rev"]
        await watcher.until()
        line = (await watcher.say("white will lose"))["line"]
        await stranger.until("white will lose")
        await player.tell(t="ping", rev=rev)
        pong = await player.next("pong")
        assert pong["rev"] == rev
        refused = await player.answer(t="report", line=line, why="insult")
        unknown = await player.answer(t="report", line=line + 2, why="insult")
        assert {**refused, "id": ""} == {**unknown, "id": ""}
        await player.tell(t="subscribe", rev=-1)
        await player.quiet()
        assert "white will lose" not in json.dumps(player.heard)
        await db(end, game)
        assert (await player.until("white will lose"))["heard"] == "everybody"


async def test_repeated_ids_get_the_first_receipt(people, game):
    async with Panel(game, people[0]) as panel:
        first = await panel.answer(t="say", text="hello", id="x")
        second = await panel.answer(t="say", text="hello", id="x")
        assert (first["line"], first["again"]) == (second["line"], False)
        assert second["again"] is True
        assert (await panel.answer(t="say", text="bye", id="x"))["reason"] == "conflict"
    assert await db(Line.objects.count) == 1


async def test_a_mute_is_seen_at_once_on_all_devices_and_by_nobody_else(people, game):
    ada, bob, _ = people
    async with Panel(game, ada) as phone, Panel(game, ada) as desk_, Panel(game, bob) as other:
        await other.say("boo")
        for panel in (phone, desk_, other):
            await panel.until("boo")
        await phone.answer(t="mute", name="bob", on=True)
        assert (await phone.until())["muted"] == ["bob"]
        await desk_.until()
        assert await other.quiet() == []
        await desk_.answer(t="mute", name="bob", on=False)
        await phone.until("boo")
        async with Panel(game, ada) as later:
            await later.until("boo")


async def test_a_block_is_seen_at_once_by_both_and_by_nobody_else(people, game):
    ada, bob, cy = people
    async with Panel(game, ada) as panel, Panel(game, bob) as other, Panel(game, cy) as watcher:
        await other.say("boo")
        for page in (panel, other):
            await page.until("boo")
        await watcher.next("chat")
        assert (await panel.answer(t="block", name="bob"))["t"] == "receipt"
        for page, lines in ((panel, ()), (other, ("boo",))):
            while (frame := await page.next("chat"))["may"]["why"] != "unavailable":
                pass
            assert texts_of(frame) == [*lines]
        assert (await other.say("are you there?"))["reason"] == "unavailable"
        assert await watcher.quiet() == []
        assert (await panel.answer(t="block", name="ada"))["reason"] == "yourself"


async def test_mutes_hold_from_the_first_frame_on(people, game):
    ada, bob, _ = people
    await db(chat_service.mute, ada.pk, "bob", True)
    await db(chat_service.say, "game", game.slug, bob.pk, "x", "boo", "")
    async with Panel(game, ada) as panel:
        assert texts_of(await panel.next("chat")) == []


async def test_moderation_is_seen_at_once(people, game):
    ada, bob, cy = people
    async with Panel(game, ada) as author, Panel(game, bob) as reporter:
        line = (await author.say("bad"))["line"]
        await reporter.until("bad")
        assert (await reporter.answer(t="report", line=line, why="insult"))["t"] == "receipt"
        report = await db(Report.objects.get)
        await db(chat_service.moderate, report, Verdict.HIDE, cy)
        await author.until()
        await db(chat_service.moderate, report, Verdict.GOOD, cy)
        while (await author.next("chat"))["may"]["write"] != "no":
            pass
        while (await reporter.next("chat"))["reports"] != [{"line": line, "state": "acted"}]:
            pass
        assert (await author.say("but"))["reason"] == "silenced"


@pytest.mark.django_db(transaction=True)
async def test_lines_written_by_another_process_are_found_by_polling(people, game, monkeypatch):
    ada, bob, _ = people
    monkeypatch.setattr(chat_service, "publish", lambda topic: None)
    async with Panel(game, ada) as one, Panel(game, bob) as two:
        await one.until()
        await two.until()
        await db(chat_service.say, "game", game.slug, ada.pk, "x", "hello", "")
        await two.until("hello")
        await db(chat_service.mute, bob.pk, "ada", True)
        await two.until()


async def test_guests_say_phrases_and_strangers_read(people, at_work):
    gus = await db(guest, "gus")
    lobby = await db(lobby_of, people[0])
    async with Panel(lobby, gus) as panel, Panel(lobby) as stranger:
        assert (await panel.next("chat"))["may"] == {
            "write": "phrases",
            "why": "guest",
            "until": None,
        }
        assert (await panel.say("free"))["reason"] == "guest"
        assert (await panel.answer(t="say", phrase="hello"))["t"] == "receipt"
        frame = await stranger.until("hello")
        assert (frame["may"]["why"], frame["lines"][0]["text"]) == ("stranger", None)
        for frame in ({"t": "say", "text": "x"}, {"t": "report", "line": 2, "why": "spam"}):
            assert (await stranger.answer(**frame))["reason"] == "stranger"


async def test_the_chat_of_a_private_game_is_closed_to_strangers(people):
    ada, bob, cy = people
    game = await db(game_of, ada, bob, watch=False)
    for user in (cy, None):
        async with Panel(game, user) as panel:
            assert await panel.ended() == "gone"
    async with Panel(game, ada) as player:
        assert (await player.until())["heard"] == "players"


async def test_nothing_is_said_where_talk_is_switched_off(people, game, settings, client):
    settings.CHAT = False
    async with Panel(game, people[0]) as panel:
        assert await panel.ended() == "off"


async def test_an_unknown_place_is_told(people):
    async with Panel(SimpleNamespace(slug="nothing"), people[0]) as panel:
        assert await panel.ended() == "gone"


HOSTILE = [
    (" ", "malformed"),
    ("[]", "malformed"),
    ('{"t":"dance"}', "unknown_message"),
    ('{"t":"act","id":"a","step":0,"actions":["noop"]}', "unknown_message"),
    ('{"t":"say"}', "malformed"),
    ('{"t":"say","id":"a b","text":"x"}', "malformed"),
    ('{"t":"say","id":"a","text":5}', "malformed"),
    ('{"t":"say","id":"a","text":"x","phrase":"hello"}', "malformed"),
    ('{"t":"say","id":"a","text":"\\ud800"}', "malformed"),
    ('{"t":"say","id":"a","text":"' + "x" * 2001 + '"}', "malformed"),
    ('{"t":"say","id":"a","text":"' + "x" * 17_000 + '"}', "too_large"),
    ('{"t":"say","id":"a","text":"\\u0000"}', "empty"),
    ('{"t":"say","id":"a","phrase":"x\\u0000"}', "no_phrase"),
    ('{"t":"mute","name":"","on":true}', "malformed"),
    ('{"t":"mute","name":"b\\u0000b","on":true}', "malformed"),
    ('{"t":"mute","name":"who","on":true}', "nobody"),
    ('{"t":"mute","name":"bob","on":1}', "malformed"),
    ('{"t":"report","id":"a","line":-1,"why":"spam"}', "malformed"),
    ('{"t":"report","id":"a","line":1e400,"why":"spam"}', "malformed"),
    ('{"t":"report","id":"a","line":2,"why":"spam","more":1}', "malformed"),
    ('{"t":"subscribe","rev":' + "[" * 8000 + "}", "malformed"),
]


async def test_hostile_frames_are_answered_and_change_nothing(people, game):
    async with Panel(game, people[0]) as panel, Panel(game, people[1]) as other:
        await asyncio.gather(panel.quiet(), other.quiet())
        for frame, reason in HOSTILE:
            await panel.socket.send_to(text_data=text_on_topic(frame, panel.topic))
            refused = await panel.next("refused")
            assert (refused["reason"], bool(refused["say"])) == (reason, True), frame
        await panel.socket.send_to(bytes_data=b'{"t":"ping"}')
        assert (await panel.next("refused"))["reason"] == "malformed"
        await panel.quiet()
        assert await other.quiet() == []
    assert await db(Line.objects.count) == await db(Report.objects.count) == 0


async def test_a_fault_of_ours_is_said_and_the_socket_lives(people, game, monkeypatch, caplog):
    def broken(*args):
        raise RuntimeError("planted")

    async with Panel(game, people[0]) as panel:
        with monkeypatch.context() as patch:
            patch.setattr(chat_service, "_spend_token", broken)
            assert (await panel.say("hello"))["reason"] == "busy"
        assert (await panel.say("hello"))["t"] == "receipt"
    assert "planted" in caplog.text


async def test_a_line_is_shown_only_after_it_is_committed(people, game):
    """A line on a page is in the database already."""
    async with Panel(game, people[0]) as panel, Panel(game, people[1]) as other:
        await asyncio.gather(panel.until(), other.until())
        await panel.tell(t="say", id="x", text="kept")
        await other.until("kept")
        assert await db(Line.objects.filter(text="kept").count) == 1
        assert (await db(ChatMember.objects.get)).bucket_full_at < FOREVER_MS


async def test_pages_do_not_wait_for_the_tail(people, game, monkeypatch):
    async def nothing(hub) -> None:
        """Replaces the poll, as if the database were asked rarely."""

    monkeypatch.setattr("play.runtime.hub.Hub._poll", nothing)
    ada, bob, cy = people
    async with Panel(game, ada) as one, Panel(game, bob) as two:
        await two.until()
        line = (await one.say("hello"))["line"]
        await two.until("hello")
        await two.answer(t="report", line=line, why="spam")
        await db(chat_service.moderate, await db(Report.objects.get), Verdict.HIDE, cy)
        await two.until()
