"""Ratings beside names in play: spectators, shared pictures, the large board of the front page."""

import re
from collections import Counter
from dataclasses import replace

import pytest
from django.test import Client

from accounts.account_service import delete_user, suspend
from accounts.models import User
from accounts.people.computer_users import computer
from games.rating.standing import UNIT
from pictures.card import card_svg
from pictures.card_data import facts_of
from play.rating_source import player_ratings, rating_source
from play.runtime import viewer_names
from play.runtime.presence import count_named
from play.runtime.viewer_names import ViewerNames
from play.storage import load
from ratings.models import RatedGame
from tests.support.game_page_client import Page
from tests.support.loop_runtime import game_service
from tests.support.notice_games import TimedGame
from tests.support.rated_games import DAYS, FISCHER, apply_all, create_accounts, rated_game

POOL = "pincer/live"


def state(game: TimedGame):
    return load.fetch(game.slug)


@pytest.mark.django_db
def test_people_have_a_rating_in_each_of_their_pools() -> None:
    ada, bob, cy = create_accounts("ada", "bob", "cy")
    rated_game(ada, bob)
    apply_all()
    source = rating_source()
    assert source.pool_of("pincer", "fischer") == POOL
    assert source.pool_of("pincer", "days") == "pincer/days"
    found = source.read_people([ada.pk, bob.pk, cy.pk])
    assert set(found) == {ada.pk, bob.pk}
    assert found[ada.pk].keys() == {POOL}
    assert found[ada.pk][POOL].endswith("?")  # provisional
    suspend(ada.pk)
    assert ada.pk not in source.read_people([ada.pk])


@pytest.mark.django_db
def test_a_rated_game_keeps_the_ratings_with_which_it_was_played() -> None:
    ada, bob = create_accounts("ada", "bob")
    rated_game(ada, bob)
    second = rated_game(ada, bob)
    assert player_ratings(state(second)) == ("", "")  # not rated yet
    apply_all()
    before = RatedGame.objects.order_by("entry").last().before
    shown = (str(round(before.white.rating / UNIT)), str(round(before.black.rating / UNIT)))
    assert shown[0] > shown[1]
    assert player_ratings(state(second)) == shown
    rated_game(bob, ada)
    apply_all()
    assert player_ratings(state(second)) == shown
    delete_user(bob.pk)
    assert player_ratings(state(second)) == (shown[0], "")


@pytest.mark.django_db
def test_a_running_game_has_the_ratings_of_now_and_a_casual_one_over_none() -> None:
    ada, bob, cy = create_accounts("ada", "bob", "cy")
    rated_game(ada, bob)
    apply_all()
    game = TimedGame(ada, cy, "pincer", FISCHER, True, is_fair=False)
    rating = rating_source().read_people([ada.pk])[ada.pk][POOL]
    assert player_ratings(state(game)) == (rating, "")
    game.resign("black", 100)
    assert player_ratings(state(game)) == ("", "")


@pytest.mark.django_db
def test_the_shared_picture_has_the_ratings() -> None:
    ada, bob = create_accounts("ada", "bob")
    game = rated_game(ada, bob)
    apply_all()
    live = state(game)
    facts = replace(facts_of(live), ratings=player_ratings(live))
    assert facts.ratings == ("1500", "1500")
    assert card_svg(facts).count(">1500</text>") == 2
    answer = Client().get(f"/g/{game.slug}/picture.png")
    assert answer.status_code == 200
    assert answer["ETag"] == facts.tag != facts_of(live).tag


def large_board() -> str:
    """The text below the large board of the front page."""
    page = Client().get("/").content.decode()
    board = page[page.index('id="featured"') : page.index("</figure>")]
    return " ".join(re.sub(r"<[^>]*>", "", board).split())


@pytest.mark.django_db
def test_the_large_board_names_ratings_of_people_alone() -> None:
    wren, finch = computer(1), computer(2)
    exhibition = TimedGame(wren, finch, "pincer", FISCHER, True, is_fair=False)
    exhibition.turn("white", 100)
    assert "Wren vs Finch" in large_board()
    ada, bob = create_accounts("ada", "bob")
    rated_game(ada, bob)  # it has just ended, and stays for a while
    apply_all()
    texts = rating_source().read_people([ada.pk, bob.pk])
    assert f"ada {texts[ada.pk][POOL]} vs bob {texts[bob.pk][POOL]}" in large_board()


@pytest.mark.django_db
async def test_spectators_are_named_with_their_ratings(table, people) -> None:
    game = await table("pincer")  # without a clock: as slow as one by days

    def rate() -> tuple[User, User]:
        zoe, eve = create_accounts("Zoe", "eve")
        rated_game(zoe, eve, clock=DAYS)
        apply_all()
        return zoe, people[1]

    zoe, _ = await game_service().run_in_db_thread(rate)
    async with Page(game.slug, people[0]) as ada, Page(game.slug, zoe), Page(game.slug):
        frame = await ada.next("people")
        while frame["watchers"] < 2 or not frame["watching"]:
            frame = await ada.next("people")
        assert frame["watching"] == ["Zoe"]
        assert frame["ratings"].keys() == {"Zoe"}
        assert frame["ratings"]["Zoe"].endswith("?")


def shown(viewers: ViewerNames, counts: Counter[str], pool: str) -> dict[str, str]:
    """The viewers to name with their ratings in a pool."""
    return {each.name: each.ratings.get(pool, "") for each in viewers.shown(counts)}


@pytest.mark.django_db
async def test_what_is_known_of_spectators_grows_old(monkeypatch, at_work) -> None:
    zoe, eve = await game_service().run_in_db_thread(create_accounts, "Zoe", "eve")
    viewers = ViewerNames(game_service())
    counts = count_named([zoe.pk, eve.pk])
    assert viewers.unknown(counts) == {zoe.pk, eve.pk}
    await viewers.learn({zoe.pk, eve.pk})
    assert viewers.unknown(counts) == set()
    assert shown(viewers, counts, POOL) == {"eve": "", "Zoe": ""}

    def rate() -> None:
        rated_game(zoe, eve)
        apply_all()

    await game_service().run_in_db_thread(rate)
    monkeypatch.setattr(viewer_names, "RATINGS_KEPT_MS", -1)
    assert viewers.unknown(counts) == {zoe.pk, eve.pk}
    await viewers.learn({zoe.pk})
    now_shown = shown(viewers, counts, POOL)
    assert now_shown["Zoe"].endswith("?")
    assert now_shown["eve"] == ""
    assert shown(viewers, counts, "pincer/days") == {"eve": "", "Zoe": ""}
