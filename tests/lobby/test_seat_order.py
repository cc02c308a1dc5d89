"""The order of a game's seats: PostgreSQL moves an updated row behind the others."""

import pytest

from play.models import Game, Seat
from play.storage.load import fetch
from tests.support.page_visitors import game_of, someone
from watch.public_lists import stored_lists

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    game = game_of(someone("ada"), someone("bob"))
    Seat.objects.filter(game=game, role="white").update(seen=1)
    return game


def test_lists_give_white_first_after_an_update_of_the_seat(game) -> None:
    (item,) = stored_lists().games
    assert list(item["bots"]) == ["white", "black"]
    assert list(item["ratings"]) == ["white", "black"]


def test_a_game_from_the_database_gives_white_first(game) -> None:
    assert list(fetch(game.slug).people) == ["white", "black"]
