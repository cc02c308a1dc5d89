"""Helpers to sign up and log in."""

import re
from secrets import token_hex

from django.test import Client

from accounts.models import User

PASSWORD = "seven dull archers"
NEW = {"username": "magnus", "password1": PASSWORD, "password2": PASSWORD}
LOBBY = {"game": "pincer", "side": "white", "visibility": "public", "clock": "none"}


def new_account() -> dict[str, str]:
    """A form to sign up with a name that nobody else has, for a server that tests share."""
    return {**NEW, "username": f"magnus{token_hex(4)}"}


def account(name: str = "ada", email: str = "", **more: object) -> User:
    """Somebody who can sign in with PASSWORD."""
    user = User(username=name, email=email, **more)
    user.set_password(PASSWORD)
    user.save()
    return user


def a_guest(client: Client) -> User:
    """The guest that a browser becomes by opening a lobby."""
    client.post("/lobbies/", LOBBY)
    pk = who(client)
    assert pk is not None
    return User.objects.get(pk=pk)


def who(client: Client) -> int | None:
    """The user whose browser this is."""
    key = client.session.get("_auth_user_id")
    return int(key) if key else None


def links_in(text: str) -> list[str]:
    """The paths of the links in a mail."""
    return re.findall(r"https?://[^/\s]+(/\S*)", text)
