"""The history of a rating: rows with their arithmetic, the curve, and one game's ratings."""

import itertools

import pytest
from django.test import Client

from games.rating.entries import NotRated
from games.rating.pools import Pool, Speed
from games.rating.standing import UNIT
from play.domain.clocks import DAY_MS, now
from play.models import Game
from ratings.history.changes import curve, history_page, rating_of_game
from ratings.models import Person, Standing
from ratings.rules.generations import correct
from tests.support.rated_games import apply_all, create_accounts, rated_game

pytestmark = pytest.mark.django_db
PINCER = Pool("pincer", Speed.LIVE)


@pytest.fixture
def games(db):
    """Five games of ada against bob, the newest last; the third ended before bob had moved.

    That one ends two days later: of a pair, three count within a day.
    """
    ada, bob = create_accounts("ada", "bob")
    winners = ("white", "black", "white", "", "white")
    played = [
        rated_game(
            ada,
            bob,
            winner,
            turns=1 if number == 2 else 2,
            at=now() + 2 * DAY_MS if number == 4 else None,
        )
        for number, winner in enumerate(winners)
    ]
    apply_all()
    return played


def person(name: str) -> Person:
    return Person.objects.get(user__username=name)


def test_changes_lead_from_the_first_rating_to_the_present_one(games) -> None:
    rows, older = history_page(person("ada"), PINCER, before=None, limit=30)
    counted = [row for row in reversed(rows) if row.own]
    assert older is None
    assert len(counted) == 4
    assert counted[0].own.before.rating == 1500 * UNIT
    for earlier, later in itertools.pairwise(counted):
        assert earlier.own.after.rating == later.own.before.rating
    standing = Standing.objects.current().get(person=person("ada"))
    assert counted[-1].own.after.rating == standing.rating
    for row in counted:
        assert row.own.change / UNIT == pytest.approx(row.explanation.change, abs=0.001)


def test_a_game_that_did_not_count_says_why(games) -> None:
    rows, _ = history_page(person("bob"), PINCER, before=None, limit=30)
    assert [row.not_rated for row in rows] == [None, None, NotRated.NO_TURN, None, None]


def test_both_sides_of_a_game_have_the_same_numbers(games) -> None:
    ours, _ = history_page(person("ada"), PINCER, before=None, limit=1)
    theirs, _ = history_page(person("bob"), PINCER, before=None, limit=1)
    assert ours[0].own == theirs[0].opponent
    assert ours[0].score + theirs[0].score == 1


def test_pages_follow_one_another_without_a_gap(games) -> None:
    whole, _ = history_page(person("ada"), PINCER, before=None, limit=30)
    found, before = [], None
    while True:
        rows, before = history_page(person("ada"), PINCER, before=before, limit=2)
        found += rows
        if before is None:
            break
    assert [row.entry.seq for row in found] == [row.entry.seq for row in whole]


def test_the_curve_has_a_point_for_each_game_that_counted(games) -> None:
    points = curve(person("ada"), PINCER)
    rows, _ = history_page(person("ada"), PINCER, before=None, limit=30)
    after = [row.own.after for row in reversed(rows) if row.own]
    assert [point[1:] for point in points] == [(each.rating, each.deviation) for each in after]
    assert not curve(person("ada"), Pool("blotto", Speed.LIVE))


def test_a_game_has_both_changes_or_the_reason(games) -> None:
    slugs = [game.slug for game in games]
    keys = dict(Game.objects.filter(slug__in=slugs).values_list("slug", "pk"))
    found = [rating_of_game(keys[slug]) for slug in slugs]
    assert [each.not_rated for each in found] == [None, None, NotRated.NO_TURN, None, None]
    assert found[0].sides["white"].change > 0 > found[0].sides["black"].change


def test_an_annulled_game_says_so(games) -> None:
    game = Game.objects.get(slug=games[0].slug)
    correct([game.slug], is_annulled=True, reason="a test", process="test")
    assert rating_of_game(game.pk).not_rated is NotRated.ANNULLED
    rows, _ = history_page(person("ada"), PINCER, before=None, limit=30)
    assert rows[-1].not_rated is NotRated.ANNULLED


def test_the_answer_to_a_page_has_whole_points_that_add_up(games) -> None:
    answer = Client().get(f"/g/{games[1].slug}/rating.json")
    assert answer.headers["Cache-Control"].startswith("max-age=0")
    found = answer.json()
    assert found["sentence"] is None
    for side in found["sides"].values():
        assert side["after"] - side["before"] == side["change"] != 0
    assert found["sides"]["white"]["url"].startswith("/u/ada/ratings/pincer/live/#seq-")
    missed = Client().get(f"/g/{games[2].slug}/rating.json").json()
    assert missed["sides"] is None
    assert missed["sentence"].startswith("Not rated: ")


def test_a_deleted_player_has_no_page(games) -> None:
    ada = person("ada").user
    ada.is_active = False
    ada.save()
    found = Client().get(f"/g/{games[0].slug}/rating.json").json()
    assert found["sides"]["white"]["url"] is None
    assert found["sides"]["black"]["url"]


def test_a_game_that_waits_for_its_entry_has_neither(db) -> None:
    ada, bob = create_accounts("ada", "bob")
    game = rated_game(ada, bob)
    found = Client().get(f"/g/{game.slug}/rating.json").json()
    assert found == {"sides": None, "sentence": None}
    assert Client().get("/g/nothing/rating.json").status_code == 404


def test_a_casual_game_and_one_being_played_have_no_rating(db) -> None:
    ada, bob = create_accounts("ada", "bob")
    game = rated_game(ada, bob)
    Game.objects.filter(slug=game.slug).update(is_rated=False)
    assert Client().get(f"/g/{game.slug}/rating.json").status_code == 404
    Game.objects.filter(slug=game.slug).update(is_rated=True, ended=None)
    assert Client().get(f"/g/{game.slug}/rating.json").status_code == 404
