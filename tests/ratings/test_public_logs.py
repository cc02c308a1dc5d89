"""The log of a rated game is public from its end; its chat, spectators and lobby are not."""

import json
from collections import Counter

import pytest
from django.test import Client

from accounts.people.computer_users import computer
from accounts.refusals import Refused
from chat.chat_service import enter_venue
from chat.permissions import ChatReason, find_venue
from lobby.lobbies import lobby_service
from lobby.lobbies.lobby_view import lobby_frame
from lobby.lobby_options import Options
from lobby.models import Lobby
from play.domain import visibility
from play.models import Game
from play.runtime.game_commands import open_game
from play.runtime.game_topics import GameSource
from play.runtime.presence import named_users
from play.runtime.viewer_names import Viewer
from play.storage import load
from play.time_controls import NO_CLOCK, fischer_clock
from tests.support.chat_people import account
from tests.support.page_visitors import browser_of, ended
from tests.support.rated_games import apply_all, rated_game

pytestmark = pytest.mark.django_db
LOBBY = "lobbycode1234567890ab"


@pytest.fixture
def people(db):
    return account("ada"), account("bob"), account("cy")


def unlisted_game(white, black, *, rated: bool, watch: bool = True) -> Game:
    return open_game(
        "pincer",
        fischer_clock(5, 3) if rated else NO_CLOCK,
        {"white": white, "black": black},
        public=False,
        lobby=LOBBY,
        watch=watch,
        rated=rated,
    )


def end(game: Game) -> None:
    ended(game, "white", "resigned", goals='{"white":100,"black":0}')
    game.refresh_from_db()


def get(path: str, user=None) -> str:
    answer = (browser_of(user) if user else Client()).get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_file_leads_to_the_log_of_an_unlisted_game_once_it_is_over(people) -> None:
    ada, bob, _ = people
    running = unlisted_game(ada, bob, rated=True, watch=False)
    casual = rated_game(ada, bob, public=False)
    Game.objects.filter(slug=casual.slug).update(is_rated=False)
    game = rated_game(ada, bob, public=False)
    apply_all()
    (entry,) = [json.loads(line) for line in get("/ratings.jsonl").splitlines()[1:]]
    assert entry["game"] == game.slug
    record = json.loads(get(f"/g/{entry['game']}/record.json"))
    assert record["rated"] is True
    assert len(record["ledger"]) > 0
    assert Client().get(f"/g/{running.slug}/record.json").status_code == 404


def test_no_list_names_an_unlisted_game(people) -> None:
    ada, bob, _ = people
    game = rated_game(ada, bob, public=False)
    apply_all()
    assert not Game.objects.public().exists()
    for page in ("/", "/watch/", "/u/ada/"):
        assert game.slug not in get(page)


@pytest.mark.parametrize("rated", [True, False])
def test_the_way_to_the_lobby_is_for_players(people, rated) -> None:
    ada, bob, cy = people
    game = unlisted_game(ada, bob, rated=rated)
    end(game)
    shown = {user and user.username: get(f"/g/{game.slug}/", user) for user in (ada, cy, None)}
    assert LOBBY in shown["ada"]
    assert [LOBBY in shown[name] for name in ("cy", None)] == [not rated] * 2
    for path in ("record.json", "ledger.json", "steps"):
        assert LOBBY not in get(f"/g/{game.slug}/{path}")


def test_the_chat_stays_with_the_players(people) -> None:
    ada, bob, cy = people
    game = unlisted_game(ada, bob, rated=True)
    assert find_venue("game", game.slug).circle_of(cy.pk) == "watchers"
    end(game)
    place = find_venue("game", game.slug)
    for user in (cy.pk, None):
        with pytest.raises(Refused) as refused:
            enter_venue(place, user)
        assert refused.value.reason is ChatReason.NOT_WATCHABLE
    assert enter_venue(place, ada.pk)[1] == "players"
    assert place.circles_for("players") == ("players",)


def test_the_chat_of_a_casual_unlisted_game_stays_open_to_its_link(people) -> None:
    ada, bob, cy = people
    game = unlisted_game(ada, bob, rated=False)
    end(game)
    assert enter_venue(find_venue("game", game.slug), cy.pk)[1] == "watchers"


def test_a_game_that_may_earn_a_rung_is_as_private(people) -> None:
    ada, _, cy = people
    game = unlisted_game(ada, computer(3), rated=False)
    end(game)
    with pytest.raises(Refused):
        enter_venue(find_venue("game", game.slug), cy.pk)
    assert LOBBY not in get(f"/g/{game.slug}/", cy)


def test_spectators_are_not_named_after_the_end(people, monkeypatch) -> None:
    ada, bob, cy = people
    counts = Counter({"spectator": 1, f"user:{cy.pk}": 1})
    named = {}
    for rated in (True, False):
        game = unlisted_game(ada, bob, rated=rated)
        for stage in ("live", "over"):
            named[rated, stage] = watching(game, counts)
            end(game)
    assert named == {
        (True, "live"): ["cy"],
        (True, "over"): [],
        (False, "live"): ["cy"],
        (False, "over"): ["cy"],
    }


def watching(game: Game, counts: Counter[str]) -> list[str]:
    """The spectators that the message about presence names."""

    class Presence:
        """The part of presence that the source uses."""

        def people(self, live, audiences, names, ratings):
            return list(names)

    source = GameSource(None, Presence())
    viewers = [Viewer(user, "cy", {}, frozenset(), 0) for user in named_users(counts)]
    return source.crowd(load.fetch(game.slug), counts, viewers)


def test_joining_confirms_it(people) -> None:
    ada, _, cy = people
    clock = fischer_clock(5, 3)
    rated = Options("pincer", clock, "white", False, rated=True)
    said = "When it’s over, anyone can see the game and its log, but not the chat."
    for options, is_said in (
        (rated, True),
        (Options("pincer", clock, "white", False), False),
        (Options("pincer", clock, "white", True, rated=True), False),
    ):
        code = lobby_service.open_lobby(ada, options).code
        frame = lobby_frame(Lobby.objects.with_games().get(code=code), cy.pk)
        assert (said in frame["say"]) is is_said
        assert (said in frame["options"]["rated"]["say"]) is is_said
        assert frame["seen"] == options.digest
    assert said in get(f"/l/{lobby_service.open_lobby(ada, rated).code}/", cy)


def test_the_terms_are_part_of_the_digest(monkeypatch) -> None:
    clock = fischer_clock(5, 3)
    before = [Options("pincer", clock, "lot", False, rated=rated).digest for rated in (True, False)]
    monkeypatch.setattr("lobby.lobby_options.RATED_TERMS", "other")
    after = [Options("pincer", clock, "lot", False, rated=rated).digest for rated in (True, False)]
    assert [was == now for was, now in zip(before, after, strict=True)] == [False, True]


def test_spectators_of_a_running_unlisted_rated_game_are_not_led_to_the_lobby(people) -> None:
    ada, bob, _ = people
    live = load.fetch(unlisted_game(ada, bob, rated=True).slug)
    lobbies = {who: visibility.snapshot(live, who, 0)["lobby"] for who in ("white", "spectator")}
    assert lobbies == {"white": LOBBY, "spectator": None}
