"""Text that PostgreSQL cannot store (NUL) is refused, on SQLite as well."""

import json

import pytest
from channels.testing import WebsocketCommunicator

from accounts.models import User
from config.routing import protocols
from lobby.models import Lobby
from server.requests.reject_nul import plain_sockets

pytestmark = pytest.mark.django_db
FORM = {"game": "pincer", "side": "white", "visibility": "public", "clock": "none"}


@pytest.mark.parametrize(
    "path", ["/l/%00/", "/u/a%00b/", "/g/%00/", "/g/x%00/steps", "/learn/%00/"]
)
def test_an_address_with_a_nul_leads_nowhere(client, path) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("path", ["/?game=%00", "/new/?game=%00", "/u/ada/?against=%00&%00=1"])
def test_a_query_with_a_nul_leads_nowhere(client, path) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("name", ["game", "side", "visibility", "clock", "minutes", "watch"])
def test_a_form_with_a_nul_is_refused_in_words_and_does_nothing(client, name) -> None:
    answer = client.post("/lobbies/", {**FORM, name: "pincer\0"})
    assert answer.status_code == 400 and b'role="alert"' in answer.content
    assert not Lobby.objects.exists()
    assert not User.objects.exists()


def test_a_session_with_a_nul_is_no_session(client) -> None:
    client.cookies.load('sessionid="' + "\\000" * 32 + '"')
    assert client.get("/").status_code == 200


def test_invalid_unicode_is_replaced_or_refused(client) -> None:
    for path in ("/u/%ED%A0%80/", "/l/%ED%A0%80/", "/g/%FF/"):
        assert client.get(path).status_code == 404
    assert client.get("/new/?game=%ED%A0%80").status_code == 200


@pytest.mark.parametrize("number", ["9" * 18, "9" * 19, "-1", "²"])
def test_numbers_from_outside_are_bounded_before_the_database_sees_them(client, number) -> None:
    User.objects.create(username="ada")
    assert client.get(f"/u/ada/?before={number}").status_code in (200, 404)
    assert client.post("/learn/pincer/" + "9" * 40 + "/try").status_code == 404
    assert client.get("/g/x/steps?from=" + number).status_code in (400, 404)


async def nobody(scope, receive, send) -> None:
    await receive()
    await send({"type": "websocket.accept"})


@pytest.mark.parametrize(
    ("path", "headers", "is_let_in"),
    [
        ("/ws/g/x/", [], True),
        ("/ws/g/\0/", [], False),
        (
            "/ws/",
            [(b"cookie", b'sessionid="\\000"')],
            False,
        ),
    ],
)
async def test_a_socket_with_a_nul_is_turned_away(path, headers, is_let_in) -> None:
    page = WebsocketCommunicator(plain_sockets(nobody), path, headers)
    is_open, _ = await page.connect()
    assert is_open == is_let_in
    assert protocols() is not None


def test_a_path_for_a_picture_or_record_with_a_nul_leads_nowhere(client) -> None:
    for path in ("/g/%00/record.json", "/g/%00/picture.png", "/g/%00/thoughts/"):
        assert client.get(path).status_code == 404
    assert json.loads(client.get("/g/x/steps?from=x").content)["error"]
