"""Ratings beside names: rated people, provisional ratings, and queries for many names."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.people.computer_users import computer
from games.rating.pools import Pool, Speed, start_of
from games.rating.standing import DAY_MS, ESTABLISHED_DEVIATION
from play.domain.clocks import now
from ratings.models import Standing
from ratings.rules.reasons import pool_of_game
from ratings.shown_ratings import MIN_GAMES, read_ratings, read_ratings_of_names
from tests.support.rated_games import apply_all, create_accounts, rated_game

pytestmark = pytest.mark.django_db
PINCER, BLOTTO = Pool("pincer", Speed.LIVE), Pool("blotto", Speed.LIVE)


@pytest.fixture
def rated(db) -> tuple[User, User]:
    """Ada, who has won a live game of Pincer against bob."""
    ada, bob = create_accounts("ada", "bob")
    rated_game(ada, bob, "white")
    assert apply_all() == 1
    return ada, bob


def last_at() -> int:
    return Standing.objects.current().latest("at").at


def test_a_rating_is_shown_with_its_margin_and_a_mark_while_it_is_provisional(rated) -> None:
    ada, bob = rated
    standing = Standing.objects.current().get(person__user=ada)
    shown = read_ratings([ada.pk, bob.pk], standing.at).shown(ada.pk, PINCER)
    assert shown is not None
    points, margin = round(standing.rating / 1000), round(standing.deviation / 500)
    assert (shown.short, shown.full) == (f"{points}?", f"{points} ± {margin}")
    assert points > 1500


def test_a_rating_is_established_by_games_and_by_its_deviation(rated) -> None:
    ada, bob = rated
    people = (ada.pk, PINCER)
    for number in range(20):
        rated_game(ada, bob, ("white", "black")[number % 2], at=now() + number * DAY_MS)
    apply_all()
    at = last_at()
    Standing.objects.filter(person__user=ada).update(deviation=ESTABLISHED_DEVIATION)
    assert read_ratings([ada.pk], at).shown(*people).is_provisional is False
    assert read_ratings([ada.pk], at + 30 * DAY_MS).shown(*people).is_provisional is True
    Standing.objects.filter(person__user=ada).update(games=MIN_GAMES - 1)
    assert read_ratings([ada.pk], at).short(*people).endswith("?")


def test_guests_computers_suspended_and_unrated_people_have_none(rated) -> None:
    ada, bob = rated
    guest = User.objects.create(username="passer-by", is_guest=True)
    (cyn,) = create_accounts("cyn")
    bob.is_active = False
    bob.save()
    users = [ada.pk, bob.pk, guest.pk, cyn.pk, computer(1).pk, None]
    ratings = read_ratings(users, last_at())
    assert [bool(ratings.short(user, PINCER)) for user in users] == [True, *[False] * 5]
    assert ratings.short(ada.pk, BLOTTO) == ""
    names = ["ada", "bob", "passer-by", "cyn", "nobody"]
    assert set(read_ratings_of_names(names, PINCER, last_at())) == {"ada"}


def test_names_and_ids_lead_to_the_same_rating(rated) -> None:
    ada, _ = rated
    at = last_at()
    by_name = read_ratings_of_names(["ada"], PINCER, at)
    assert by_name == {"ada": read_ratings([ada.pk], at).shown(ada.pk, PINCER)}


def test_who_has_no_rated_game_enters_a_pool_as_the_fold_has_it(rated) -> None:
    ada, bob = rated
    ratings = read_ratings([ada.pk, bob.pk], last_at())
    assert ratings.numbers(ada.pk, PINCER).rating > 1_500_000
    assert ratings.numbers(ada.pk, BLOTTO) == start_of(BLOTTO)
    Standing.objects.filter(person__user=ada).update(deviation=60_000)
    taken_over = read_ratings([ada.pk], last_at()).numbers(ada.pk, Pool("pincer", Speed.DAYS))
    assert taken_over.rating == ratings.numbers(ada.pk, PINCER).rating
    assert taken_over.deviation == 200_000


def test_many_people_take_one_query_and_nobody_takes_none(rated) -> None:
    people = [user.pk for user in (*rated, *create_accounts(*"vwxyz"))]
    for users, names, count in ((people, ["ada", "bob"], 1), ([None], [], 0)):
        with CaptureQueriesContext(connection) as queries:
            read_ratings(users, 0, [PINCER, BLOTTO])
        assert len(queries) == count
        with CaptureQueriesContext(connection) as queries:
            read_ratings_of_names(names, PINCER, 0)
        assert len(queries) == count


@pytest.mark.parametrize(
    ("clock", "speed"),
    [("fischer", Speed.LIVE), ("limit", Speed.LIVE), ("days", Speed.DAYS), ("none", Speed.DAYS)],
)
def test_the_pool_of_a_game_follows_from_its_clock(clock, speed) -> None:
    assert pool_of_game("pincer", clock) == Pool("pincer", speed)
