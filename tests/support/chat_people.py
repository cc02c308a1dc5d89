"""Users and places for tests of chat."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.core import Role
from lobby.lobbies import lobby_service as lobbies
from lobby.lobby_options import Options
from lobby.models import Lobby
from play.models import Game
from play.runtime.game_commands import open_game
from play.time_controls import NO_CLOCK
from tests.support.page_visitors import ended


def account(name: str, **about: object) -> User:
    """Somebody whose account is older than an hour."""
    joined = timezone.now() - timedelta(hours=2)
    return User.objects.create(username=name, **{"date_joined": joined, **about})


def guest(name: str) -> User:
    return account(name, is_guest=True)


def game_of(white: User, black: User, watch: bool = True) -> Game:
    with transaction.atomic():
        seats: dict[Role, User] = {"white": white, "black": black}
        return open_game("pincer", NO_CLOCK, seats, public=True, watch=watch)


def lobby_of(host: User) -> Lobby:
    return lobbies.create(host, Options("pincer", NO_CLOCK, "white", True))


def end(game: Game) -> None:
    ended(game, "white", "resigned", goals='{"white":100,"black":0}')
