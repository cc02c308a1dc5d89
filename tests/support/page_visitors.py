"""Visitors of pages: people with a browser, and pages on a socket."""

import re
from typing import Any

from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.db import transaction
from django.test import Client

from accounts.models import User
from play.domain.clocks import now
from play.models import Game, Seat, result_for
from play.routing import websocket_urlpatterns
from play.runtime.game_commands import open_game
from play.time_controls import NO_CLOCK
from tests.support.loop_runtime import runtime, settle_for
from tests.support.topic_frames import heard, on_topic
from tests.support.waiting import TIMEOUT_S


def someone(name: str) -> User:
    return User.objects.create(username=name)


def browser_of(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def at_home(name: str) -> tuple[User, Client]:
    user = someone(name)
    return user, browser_of(user)


def game_of(
    white: User, black: User, key: str = "pincer", public: bool = True, watch: bool = True
) -> Game:
    with transaction.atomic():
        return open_game(key, NO_CLOCK, {"white": white, "black": black}, public, watch=watch)


def ended(game: Game, winner: str = "", reason: str = "agreed", **told: object) -> Game:
    """Ends a game in the database, as the commit of its last change does."""
    columns = {"ended": now(), "winner": winner, "reason": reason, **told}
    Game.objects.filter(pk=game.pk).update(**columns)
    for seat in Seat.objects.filter(game=game):
        seat.result, seat.is_shown = result_for(seat.role, winner, reason), game.is_public
        seat.save()
    return game


def text_of(response) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", response.content.decode()))


def kept_texts() -> list[str]:
    """The cached parts of all pages, but for those whose time is over."""
    parts: Any = caches["template_fragments"]
    texts = [parts.get(key.split(":", 2)[2]) for key in list(parts._cache)]
    return [text for text in texts if text is not None]


def has_word(text: str, word: str) -> bool:
    """Return whether a text has a word, such as a user's name, that is no part of a longer one.

    Pages hold nonces, CSRF tokens, slugs and digests, in which short names turn up by chance.
    Their characters, '-' and '_' among them, bound no word.
    """
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def mine_of(browser: Client) -> str:
    page = browser.get("/").content.decode()
    return page[page.index('class="mine"') : page.index('class="five"')]


class Watcher:
    """A page on a socket of ours that follows one topic."""

    def __init__(self, topic: str, user: object = None, path: str = "/ws/") -> None:
        self.topic = topic
        self.socket = WebsocketCommunicator(URLRouter(websocket_urlpatterns), path)
        self.socket.scope["runtime"] = runtime()
        self.socket.scope["user"] = user or AnonymousUser()

    async def __aenter__(self) -> "Watcher":
        connected, _ = await self.socket.connect(timeout=TIMEOUT_S)
        assert connected
        await self.say(t="subscribe", rev=-1)
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.socket.disconnect(timeout=TIMEOUT_S)

    async def say(self, **frame: object) -> None:
        await self.socket.send_json_to(on_topic(frame, self.topic))

    async def next(self, kind: str, fits=lambda frame: True) -> dict[str, Any]:
        while True:
            frame = heard(await self.socket.receive_from(timeout=TIMEOUT_S), self.topic)
            if frame["t"] == kind and fits(frame):
                return frame

    async def next_due(self, kind: str, fits=lambda frame: True) -> dict[str, Any]:
        """The same; the loop's clock is turned until the frame comes."""
        return await settle_for(self.next(kind, fits), f"a frame of the kind {kind}")
