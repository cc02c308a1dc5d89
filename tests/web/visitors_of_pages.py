"""Who looks at the pages in tests: people with a browser, and pages on a socket."""

import re

from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.test import Client

from accounts.models import User
from lobby.options import NO_CLOCK
from lobby.routing import websocket_urlpatterns
from play.act import open_game
from play.clocks import now
from play.models import Game, Seat, result_for


def someone(name: str) -> User:
    return User.objects.create(username=name)


def at_home(name: str) -> tuple[User, Client]:
    user, browser = someone(name), Client()
    browser.force_login(user)
    return user, browser


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


def mine_of(browser: Client) -> str:
    page = browser.get("/").content.decode()
    return page[page.index('class="mine"') : page.index('class="cards"')]


class Watcher:
    """A page on a socket of ours."""

    def __init__(self, path: str, user: object = None) -> None:
        self.socket = WebsocketCommunicator(URLRouter(websocket_urlpatterns), path)
        self.socket.scope["user"] = user or AnonymousUser()

    async def __aenter__(self) -> "Watcher":
        connected, _ = await self.socket.connect()
        assert connected
        await self.socket.send_json_to({"t": "hello", "rev": -1})
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.socket.disconnect()

    async def next(self, kind: str, fits=lambda frame: True) -> dict:
        while True:
            frame = await self.socket.receive_json_from(timeout=5)
            if frame["t"] == kind and fits(frame):
                return frame
