"""Private objects cannot be distinguished from objects that do not exist.

Ada and bob play; eve has an account, a stranger has nothing. Every address and socket of the game
and the lobby is asked for by both, and compared with the same address of nothing at all.
"""

import json
import re

import pytest
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.test import Client

from accounts.models import User
from lobby.lobbies import lobby_service
from lobby.lobby_options import Options
from lobby.models import CODE_CHARS, Lobby, new_code
from play.models import Game
from play.routing import websocket_urlpatterns
from play.runtime import game_commands
from play.time_controls import NO_CLOCK
from tests.support.loop_runtime import game_service, has_frame, runtime, settle
from tests.support.page_visitors import game_of, someone
from tests.support.second_factor import staff_browser
from tests.support.sign_up_forms import account
from tests.support.site_routes import routes
from tests.support.topic_frames import subscribe

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
ABSENT = "1" * CODE_CHARS
LISTS = ["/", "/watch/", "/watch/?game=pincer", "/u/ada/", "/u/bob/", "/robots.txt", "/learn/"]
SOCKETS = URLRouter(websocket_urlpatterns)


def named() -> list[str]:
    """Every address of the site that a game's slug is part of."""
    return [route for route in routes() if "<str:slug>" in route]


def private_game(ada: User, bob: User, key: str = "pincer") -> Game:
    """A game by link, without spectators."""
    with transaction.atomic():
        seats = {"white": ada, "black": bob}
        return game_commands.open_game(key, NO_CLOCK, seats, public=False, watch=False)


def browsers() -> list[tuple[str, Client]]:
    """Eve's browser and a stranger's."""
    eve = Client()
    eve.force_login(someone("eve"))
    return [("eve", eve), ("stranger", Client())]


def plain(response, *secrets: str) -> tuple[int, str]:
    """An answer without its legitimate differences: the requested address and form tokens."""
    text = re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", response.content.decode())
    for secret in secrets:
        text = text.replace(secret, "…")
    return response.status_code, text


def test_the_walk_knows_the_addresses_of_a_game() -> None:
    assert {
        "/g/<str:slug>/", "/g/<str:slug>/steps", "/g/<str:slug>/record.json",
        "/g/<str:slug>/picture.png", "/g/<str:slug>/thoughts/",
    } <= set(named())  # fmt: skip


def test_a_running_game_without_spectators_answers_as_if_it_were_not_there() -> None:
    game = private_game(someone("ada"), someone("bob"))
    for who, browser in browsers():
        for address in named():
            there, nowhere = (address.replace("<str:slug>", slug) for slug in (game.slug, ABSENT))
            for ask in (browser.get, browser.head, browser.post):
                got = plain(ask(there, follow=True), game.slug)
                assert got == plain(ask(nowhere, follow=True), ABSENT), (who, address)
                assert got[0] in (404, 405), (who, address)


async def heard(topic: str, slug: str, user: User | None) -> list[str]:
    """The answers of a socket to a subscription and to a message on its topic."""
    socket = WebsocketCommunicator(SOCKETS, f"/ws/g/{slug}/")
    socket.scope["runtime"] = runtime()
    socket.scope["user"] = user or AnonymousUser()
    await socket.connect(timeout=5)
    await socket.send_to(text_data=subscribe(topic.format(slug)))
    told = [await socket.receive_from(5)]
    flag = {"t": "flag", "topic": topic.format(slug), "id": "x"}
    await socket.send_to(text_data=json.dumps(flag))
    await settle()
    while has_frame(socket):
        told.append(await socket.receive_from(5))
    await socket.disconnect()
    assert json.loads(told[0])["reason"] == "gone"
    return [text.replace(slug, "…") for text in told]


async def test_its_sockets_say_the_same_as_those_of_nothing(at_work) -> None:
    def sit():
        return private_game(someone("ada"), someone("bob")), someone("eve")

    game, eve = await game_service().run_in_db_thread(sit)
    for user in (eve, None):
        for topic in ("game:{}", "chat:game/{}"):
            there = await heard(topic, game.slug, user)
            assert there == await heard(topic, ABSENT, user), topic


async def test_nobody_acts_in_a_game_of_others(at_work) -> None:
    def sit():
        return private_game(someone("ada"), someone("bob")), someone("eve")

    game, eve = await game_service().run_in_db_thread(sit)
    frames = [
        {"t": "resign", "id": "1"},
        {"t": "act", "id": "2", "step": 0, "actions": ["move 1 5 2 5"]},
        {"t": "draw", "id": "3", "do": "offer"},
        {"t": "abort", "id": "4"},
    ]
    for frame in frames:
        topic = f"game:{game.slug}"
        socket = WebsocketCommunicator(SOCKETS, f"/ws/g/{game.slug}/")
        socket.scope["runtime"] = runtime()
        socket.scope["user"] = eve
        await socket.connect(timeout=5)
        await socket.send_to(text_data=json.dumps({**frame, "topic": topic}))
        assert json.loads(await socket.receive_from(5))["reason"] == "not_subscribed"
        for text in (subscribe(topic), json.dumps({**frame, "topic": topic})):
            await socket.send_to(text_data=text)
        assert json.loads(await socket.receive_from(5))["reason"] == "gone"
        assert json.loads(await socket.receive_from(5))["reason"] == "not_subscribed"
        await socket.disconnect()
    await game.arefresh_from_db()
    assert (game.rev, game.ended) == (0, None)


@pytest.mark.parametrize("is_over", [False, True])
def test_a_private_game_is_in_no_list(is_over) -> None:
    ada, bob = someone("ada"), someone("bob")
    game = private_game(ada, bob)
    lobby = lobby_service.create(ada, Options("blotto", NO_CLOCK, "white", False))
    if is_over:
        Game.objects.update(ended=1, winner="white", reason="time", goals='{"white":1,"black":0}')
    for who, browser in browsers():
        for address in [*LISTS, "/u/ada/?against=bob", "/settings/", "/new/"]:
            page = browser.get(address).content.decode()
            assert game.slug not in page, (who, address)
            assert lobby.code not in page, (who, address)


async def test_it_stands_in_no_list_of_a_socket(at_work) -> None:
    def sit():
        ada = someone("ada")
        game = private_game(ada, someone("bob"))
        lobby = lobby_service.create(ada, Options("blotto", NO_CLOCK, "white", False))
        return game, lobby, someone("eve")

    game, lobby, eve = await game_service().run_in_db_thread(sit)
    for topic in ("lists", "lists:pincer", "lists:blotto", "mine"):
        socket = WebsocketCommunicator(SOCKETS, "/ws/")
        socket.scope["runtime"] = runtime()
        socket.scope["user"] = eve
        await socket.connect(timeout=5)
        await socket.send_to(text_data=subscribe(topic))
        text = await socket.receive_from(5)
        assert json.loads(text)["t"] == topic.split(":")[0]
        assert game.slug not in text
        assert lobby.code not in text
        await socket.disconnect()


def test_a_lobby_without_spectators_keeps_the_address_of_its_game(client) -> None:
    ada, bob = someone("ada"), someone("bob")
    lobby = lobby_service.create(ada, Options("pincer", NO_CLOCK, "white", False, False))
    lobby_service.sit(lobby.code, bob)
    game = Game.objects.get()
    for who, browser in browsers():
        page = browser.get(lobby.get_absolute_url()).content.decode()
        assert game.slug not in page, who
        for verb in ("sit", "ready", "rematch", "leave", "swap", "close", "free", "computer"):
            answer = browser.post(f"{lobby.get_absolute_url()}{verb}/")
            assert game.slug not in answer.content.decode() + answer.get("Location", ""), verb


@sync_to_async
def lobby_of_ada() -> Lobby:
    return lobby_service.create(someone("ada"), Options("pincer", NO_CLOCK, "white", False))


def test_a_lobby_that_is_not_there_is_not_there_for_any_deed(client) -> None:
    for verb in ("sit", "close", "rematch"):
        assert client.post(f"/l/{ABSENT}/{verb}/").status_code == 404
    assert client.get(f"/l/{ABSENT}/").status_code == 404


def test_addresses_hold_more_than_128_bits() -> None:
    for make in (new_code, game_commands.new_slug):
        some = {make() for _ in range(500)}
        assert len(some) == 500
        assert {len(each) for each in some} == {22}
        assert len(set("".join(some))) == 58  # 58 ** 22 > 2 ** 128


# Email addresses.


def test_no_page_or_answer_shows_anybodys_address(client) -> None:
    secret = "very-secret@address.example"
    ada, bob = account("ada", email=secret), account("bob")
    User.objects.filter(pk=ada.pk).update(email=secret)
    game = game_of(ada, bob)
    lobby = lobby_service.create(ada, Options("pincer", NO_CLOCK, "white", True))
    his = Client()
    his.force_login(bob)
    addresses = [
        *LISTS, *(each.replace("<str:slug>", game.slug) for each in named()),
        lobby.get_absolute_url(), "/settings/", "/settings/delete/",
    ]  # fmt: skip
    for browser in (his, client):
        for address in addresses:
            assert b"address.example" not in browser.get(address).content, address
    copy = his.post("/settings/export/", {"password": "seven dull archers"}).content
    assert b"address.example" not in copy


def test_not_even_keepers_see_addresses(client) -> None:
    ada = account("ada", email="secret@address.example")
    staff_browser(account("boss", is_staff=True, is_superuser=True), client)
    for address in ("/admin/accounts/user/", f"/admin/accounts/user/{ada.pk}/change/"):
        response = client.get(address)
        assert response.status_code == 200
        assert "address.example" not in response.content.decode(), address
    found = client.get("/admin/accounts/user/?q=secret@addr").content.decode()
    assert f"/admin/accounts/user/{ada.pk}/" not in found
    assert "emailaddress" not in client.get("/admin/").content.decode()
    assert client.get("/admin/account/emailaddress/").status_code == 404


# Existence of accounts.


def test_a_log_in_and_a_reset_never_tell_who_exists(client) -> None:
    account("ada", email="ada@address.example")
    for address, forms in (
        ("/log-in/", [{"login": name, "password": "wrong"} for name in ("ada", "nob")]),
        (
            "/log-in/",
            [{"login": f"{name}@address.example", "password": "wrong"} for name in ("ada", "nob")],
        ),
        ("/password/reset/", [{"email": f"{name}@address.example"} for name in ("ada", "nob")]),
    ):
        answers = [client.post(address, form) for form in forms]
        known, unknown = [plain(answer, "ada", "nob") for answer in answers]
        assert known == unknown, address
        assert answers[0].get("Location") == answers[1].get("Location")
