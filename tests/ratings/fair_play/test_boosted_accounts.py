"""Accounts made to lose: four people of one network cannot lift one of them."""

import pytest

from accounts.models import User
from accounts.refusals import Refused
from games.rating.pools import Pool, Speed
from lobby.lobbies import lobby_service
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from play.domain.clocks import DAY_MS, now
from play.models import Game
from play.time_controls import fischer_clock
from ratings.fair_play.rated_pairs import Obstacle, why_casual
from ratings.fair_play.sightings import SightingBuffer
from ratings.rules.generations import correct
from ratings.shown_ratings import read_ratings
from tests.ratings.fair_play.incident_games import reasons
from tests.support.notice_games import TimedGame
from tests.support.page_visitors import browser_of
from tests.support.rated_games import apply_all, create_accounts, rated_game

pytestmark = pytest.mark.django_db
HERE = "203.0.113.7"
PINCER = Pool("pincer", Speed.LIVE)
RATED = Options("pincer", fischer_clock(5, 3), "white", False, rated=True)
CASUAL = Options("pincer", fischer_clock(5, 3), "white", False)


@pytest.fixture(autouse=True)
def buffer(monkeypatch) -> None:
    """Sightings of this test alone: those of another one count as written."""
    monkeypatch.setattr("ratings.fair_play.sighting_middleware.BUFFER", SightingBuffer())


def points_of(user: User) -> int | None:
    """The rating that pages show in live games of Pincer."""
    shown = read_ratings({user.pk}, now(), [PINCER]).shown(user.pk, PINCER)
    return shown.points if shown else None


def sit_by_form(host: User, guest: User, options: Options):
    """Post the form that opens a lobby, and the one that joins it, from one network."""
    form = {"game": "pincer", "side": "white", "visibility": "link", "clock": "fischer:300:3"}
    form["rated"] = "yes" if options.rated else "no"
    answer = browser_of(host).post("/lobbies/", form, REMOTE_ADDR=HERE)
    return browser_of(guest).post(f"{answer.headers['Location']}sit/", REMOTE_ADDR=HERE)


def lose_quickly(game: TimedGame, winner: User) -> None:
    """Both move once, then the opponent of `winner` resigns."""
    for number, role in enumerate(("white", "black"), 1):
        game.turn(role, 100 * number, seed=number)
    game.resign(next(role for role, user in game.users.items() if user != winner), 1_000)


def test_new_accounts_of_one_network_lift_none_of_them() -> None:
    """The attack took 40 s and brought one of four new accounts from 1500 to 1948."""
    main, *others = create_accounts("main", "one", "two", "three")
    for other in others * 4:
        sit_by_form(main, other, RATED)
        for game in Game.objects.filter(ended=None):
            lose_quickly(TimedGame.of(game), main)
        apply_all()
    assert reasons() == []  # none of the games began
    assert points_of(main) is None


def test_three_games_of_two_people_count_within_a_day() -> None:
    """Also if they wait for their ratings together."""
    ada, bob = create_accounts("ada", "bob")
    rated_game(ada, bob)
    apply_all()
    for _ in range(4):
        rated_game(bob, ada)
    apply_all()
    assert reasons() == ["", "", "", "pair_limit", "pair_limit"]
    assert why_casual(ada.pk, bob.pk, now()) is Obstacle.PAIR_LIMIT
    assert why_casual(ada.pk, bob.pk, now() + 2 * DAY_MS) is None
    with pytest.raises(Refused) as refused:
        lobby_service.sit(lobby_service.create(ada, RATED).code, bob)
    assert refused.value.reason is LobbyReason.PAIR_LIMIT
    [cy] = create_accounts("cy")
    rated_game(ada, cy)
    rated_game(ada, bob, at=now() + 2 * DAY_MS)
    apply_all()
    assert reasons()[-2:] == ["", ""]


def test_an_annulled_game_is_none_of_the_three() -> None:
    ada, bob = create_accounts("ada", "bob")
    first, *_ = [rated_game(ada, bob) for _ in range(3)]
    apply_all()
    correct([first.slug], True, "Our server was down.", "test")
    assert why_casual(ada.pk, bob.pk, now()) is None


def test_a_class_that_signs_up_together_plays_casual_games() -> None:
    ada, bob, cy = create_accounts("ada", "bob", "cy")
    assert sit_by_form(ada, bob, CASUAL).headers["Location"].startswith("/g/")
    answer = sit_by_form(bob, cy, RATED)
    assert answer.status_code == 409
    assert "This pairing is casual." in answer.content.decode()
