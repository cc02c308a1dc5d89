"""The page on which a newcomer finds a level; a client decides nothing but to go on or to end."""

import re

import pytest
from django.test import Client

from accounts.models import User
from play.domain.clocks import now
from play.models import Game
from ratings.models import FurtherEntry
from ratings.placing.models import PlacementGame
from ratings.rules.scale import append_anchors
from tests.ratings.placement_games import end, play, timed, work
from tests.support.page_visitors import text_of
from tests.support.rated_games import create_accounts

pytestmark = pytest.mark.django_db
URL = "/ratings/pincer/live/placement/"


@pytest.fixture
def ada(db) -> User:
    append_anchors(now())
    return create_accounts("ada")[0]


@pytest.fixture
def page(ada) -> Client:
    client = Client()
    client.force_login(ada)
    return client


def test_a_newcomer_plays_goes_on_and_finishes(page, ada) -> None:
    said = text_of(page.get(URL))
    assert "Game 1 of up to 6: level 3" in said
    assert "Finish now" not in said
    answer = page.post(URL, {"do": "play"})
    game = Game.objects.get()
    assert answer["Location"] == game.get_absolute_url()
    assert (game.is_rated, game.has_bot, game.clock_kind) == (False, True, "fischer")
    assert "Back to the game" in text_of(page.get(URL))
    end(timed(game), ada)
    assert "Your last game is being counted" in text_of(page.get(URL))
    assert "Find your level: go on" in text_of(page.get(game.get_absolute_url()))
    assert page.post(URL, {"do": "play"}).status_code == 302
    second = Game.objects.exclude(pk=game.pk).get()
    end(timed(second), ada, "lost")
    page.post(URL, {"do": "finish"})
    said = text_of(page.get(URL))
    assert "From now on, rated games against people change it." in said
    answer = page.post(URL, {"do": "play"})
    assert answer.status_code == 409
    assert "your level is found" in text_of(answer)


def test_a_forged_level_result_or_game_changes_nothing(page, ada) -> None:
    page.post(URL, {"do": "play", "level": "1", "result": "won", "rated": "yes", "game": "x"})
    game = PlacementGame.objects.get()
    assert (game.level, game.result) == (3, "")
    page.post("/computer/", {
        "game": "pincer", "level": "1", "side": "white", "clock": "fischer:300:3",
        "listed": "yes", "placement": str(game.placement_id),
    })  # fmt: skip
    assert PlacementGame.objects.count() == 1
    assert page.post(URL, {"do": "finish"}).status_code == 302
    work()
    assert FurtherEntry.objects.filter(kind="placement").count() == 0


def test_strangers_and_guests_sign_in_and_other_pools_are_not_found(page) -> None:
    assert Client().get(URL).status_code == 302
    assert Client().post(URL, {"do": "play"}).status_code == 302
    assert Game.objects.count() == 0
    guest = Client()
    guest.force_login(User.objects.create(username="guest-1", is_guest=True))
    assert guest.post(URL, {"do": "play"}).status_code == 302
    assert Game.objects.count() == 0
    for pool in ("pincer/days", "blotto/live", "chess/live", "pincer/x"):
        assert page.get(f"/ratings/{pool}/placement/").status_code == 404


def test_it_is_offered_on_the_search_the_boards_and_ones_own_profile(page, ada) -> None:
    create_accounts("bob")
    for address in ("/play/online/", "/ratings/pincer/live/", "/u/ada/"):
        assert URL in page.get(address).content.decode(), address
    for address in ("/u/bob/", "/ratings/blotto/live/", "/ratings/amazons/live/"):
        assert URL not in page.get(address).content.decode(), address
    assert URL not in Client().get("/ratings/pincer/live/").content.decode()
    play(ada, "won")
    page.post(URL, {"do": "finish"})
    work()
    assert URL not in page.get("/play/online/").content.decode()


def test_ones_data_has_the_placement(page, ada) -> None:
    from ratings.rating_data import export_placements

    games = play(ada, "won")
    (placement,) = export_placements(ada.pk)
    assert placement["pool"] == "pincer/live"
    assert placement["games"] == [
        {"game": games[0].slug, "level": 3, "side": "white", "result": "won"}
    ]


def test_a_placed_person_has_no_history_page_yet_and_no_rating_beside_the_name(page, ada) -> None:
    play(ada, "won")
    page.post(URL, {"do": "finish"})
    work()
    assert page.get("/u/ada/ratings/pincer/live/").status_code == 404
    assert page.get("/u/ada/").status_code == 200
    assert page.get("/ratings/own.json").json() == {}


def test_games_are_offered_in_the_order_of_all_pages(page) -> None:
    said = text_of(page.get("/play/online/"))
    assert "computer: Amazons · Amazons 8×8 · Free arrow · Pincer" in said
    heads = re.findall(r"<h2[^>]*>([^<]+)</h2>", page.get("/ladder/").content.decode())
    assert heads[:4] == ["Amazons", "Amazons 8×8", "Free arrow", "Pincer"]
