"""Chat between two people: free text for those who met by a link, none across a block."""

import itertools

import pytest
from django.db import transaction

from accounts.models import Block, User
from accounts.people import relations
from accounts.people.relations import RelationReason
from accounts.refusals import Refused
from chat import chat_service, chat_view, permissions
from chat.permissions import ChatReason
from lobby.lobbies import lobby_service as lobbies
from lobby.lobby_options import Options
from lobby.models import Lobby
from play.domain.clocks import now
from play.models import Game
from play.runtime.game_commands import open_game
from play.time_controls import NO_CLOCK
from tests.support.chat_people import account, end, game_of, guest

pytestmark = pytest.mark.django_db
ids = (f"between-{n}" for n in itertools.count())


@pytest.fixture
def ada() -> User:
    return guest("ada")


@pytest.fixture
def bob() -> User:
    return account("bob")


@pytest.fixture
def cy() -> User:
    return guest("cyn")


def make_lobby(host: User, public: bool = False, **about: object) -> Lobby:
    lobby = lobbies.create(host, Options("pincer", NO_CLOCK, "white", public))
    Lobby.objects.filter(pk=lobby.pk).update(**about)
    return lobby


def start(lobby: Lobby, joiner: User) -> Game:
    """Somebody takes the free seat, and the game begins."""
    game = lobbies.sit(lobby.code, joiner).game
    assert game is not None
    return game


def frame(place: Game | Lobby, user: User) -> dict:
    """The chat frame that a user's page of a game or lobby shows now."""
    kind, ident = ("game", place.slug) if isinstance(place, Game) else ("lobby", place.code)
    viewer = permissions.load_viewer(user.pk)
    circle = chat_service.enter(kind, ident, user.pk)
    return chat_view.frame(chat_view.load_chat(kind, ident, circle), viewer, now())


def may(place: Game | Lobby, user: User) -> tuple[str, str]:
    right = frame(place, user)["may"]
    return right["write"], right["why"]


def say(place: Game | Lobby, user: User, text: str = "", phrase: str = "") -> None:
    kind, ident = ("game", place.slug) if isinstance(place, Game) else ("lobby", place.code)
    chat_service.say(kind, ident, user.pk, next(ids), text, phrase)


def texts(place: Game | Lobby, user: User) -> list[str]:
    return [line["text"] or line["phrase"] for line in frame(place, user)["lines"]]


FREE, QUICK = ("text", ""), ("phrases", "guest")


def test_two_who_met_by_a_link_write_freely_in_their_game_and_afterwards(ada, cy) -> None:
    lobby = make_lobby(ada)
    assert may(lobby, ada) == QUICK  # nobody has taken the link yet
    game = start(lobby, cy)
    say(game, ada, "you came!")
    say(game, cy, "of course")
    assert texts(game, ada) == texts(game, cy) == ["you came!", "of course"]
    end(game)
    lobbies.leave(lobby.code, ada)
    assert may(game, ada) == may(game, cy) == FREE
    assert may(lobby, ada) == QUICK


def test_spectators_and_visitors_keep_quick_chat(ada, bob, cy) -> None:
    lobby = make_lobby(ada)
    game = start(lobby, bob)
    assert may(game, cy) == QUICK
    end(game)
    assert may(lobby, cy) == QUICK
    assert may(lobby, ada) == FREE


@pytest.mark.parametrize("how", ["public", "was_public", "is_quick"])
def test_a_public_list_or_a_search_brings_no_free_chat(ada, cy, how: str) -> None:
    lobby = make_lobby(ada, public=how == "public", **({how: True} if how != "public" else {}))
    game = start(lobby, cy)
    assert may(game, ada) == may(game, cy) == QUICK
    end(game)
    assert may(lobby, ada) == QUICK


def test_a_lobby_that_was_public_once_stays_without_free_chat(ada, cy) -> None:
    lobby = make_lobby(ada, public=True)
    options = Options("pincer", NO_CLOCK, "white", False)
    lobbies.choose(lobby.code, ada, lambda _: options)
    assert may(start(lobby, cy), ada) == QUICK


def test_a_game_without_a_lobby_and_one_with_a_computer_have_quick_chat(ada, cy) -> None:
    with transaction.atomic():
        seats = {"white": ada, "black": cy}
        game = open_game("pincer", NO_CLOCK, seats, False, watch=True)
    assert may(game, ada) == QUICK
    computer = User.objects.create(username="engine", is_bot=True)
    lobby = make_lobby(cy)
    Lobby.objects.filter(pk=lobby.pk).update(two=computer)
    assert may(lobby, cy) == QUICK


def test_moderators_still_silence_people_in_free_chat(ada, cy) -> None:
    game = start(make_lobby(ada), cy)
    chat_service.silence(ada.pk, now() + 60_000)
    assert may(game, ada) == ("no", "silenced")
    assert may(game, cy) == FREE


def test_the_rev_of_a_lobbys_chat_changes_when_two_people_have_its_seats(ada, cy) -> None:
    lobby = make_lobby(ada)
    before = frame(lobby, ada)["rev"]
    game = start(lobby, cy)
    end(game)
    assert frame(lobby, ada)["rev"] != before
    source = chat_view.ChatSource(None)
    key = f"lobby/{lobby.code}/lobby"
    assert source.revs([key]) == {key: frame(lobby, ada)["rev"]}


def test_a_block_hides_lines_both_ways_from_these_two_alone(ada, bob, cy) -> None:
    lobby = make_lobby(account("dee"), public=True)
    for user in (ada, bob, cy):
        say(
            lobby, user, phrase="hello" if user.is_guest else "", text="" if user.is_guest else "hi"
        )
    relations.block(ada, "bob")
    assert texts(lobby, ada) == ["hello", "hello"]
    assert texts(lobby, bob) == ["hi", "hello"]
    assert texts(lobby, cy) == ["hello", "hi", "hello"]
    assert may(lobby, ada) == QUICK
    relations.unblock(ada, "bob")
    assert len(texts(lobby, ada)) == len(texts(lobby, bob)) == 3


def test_neither_writes_in_private_across_a_block(ada, bob, cy) -> None:
    game, other = game_of(ada, bob), start(make_lobby(ada), bob)
    open_lobby = make_lobby(bob)
    relations.block(bob, "ada")
    for place in (game, other, open_lobby):
        assert may(place, ada) == ("no", "unavailable")
        with pytest.raises(Refused) as refused:
            say(place, ada, phrase="hello")
        assert refused.value.reason == ChatReason.UNAVAILABLE
    assert may(game, bob) == may(other, bob) == ("no", "unavailable")
    assert may(open_lobby, cy) == may(game, cy) == QUICK
    relations.unblock(bob, "ada")
    say(game, ada, phrase="hello")
    assert texts(game, bob) == ["hello"]


def test_a_block_from_the_chat_is_refused_for_oneself_nobody_and_computers(ada, bob) -> None:
    User.objects.create(username="engine", is_bot=True)
    chat_service.block(ada.pk, "bob")
    for name, reason in (
        ("ada", RelationReason.YOURSELF),
        ("b" * 40, RelationReason.NOBODY),
        ("engine", RelationReason.COMPUTER),
    ):
        with pytest.raises(Refused) as refused:
            chat_service.block(ada.pk, name)
        assert refused.value.reason == reason
    with pytest.raises(Refused):
        chat_service.block(None, "bob")
    assert list(Block.objects.values_list("blocker", "blocked")) == [(ada.pk, bob.pk)]
