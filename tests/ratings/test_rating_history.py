"""The page of a rating: the curve, the changes with their arithmetic, and who may read which."""

import re
from random import Random

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from play.models import Game
from ratings.history.curve import HEIGHT, WIDTH, draw_curve
from ratings.history.views import ROWS_A_PAGE
from tests.support.page_visitors import text_of
from tests.support.rated_games import apply_all, create_accounts, rated_game

PAGE = "/u/ada/ratings/pincer/live/"
MAX_GRID_LINES = 6

ratings = st.integers(100_000, 4_000_000)
points = st.lists(st.tuples(st.just(0), ratings, st.integers(45_000, 350_000)), min_size=2)


@given(points)
def test_curve_and_band_stay_inside_the_image(found) -> None:
    drawn = draw_curve(found)
    assert drawn is not None
    pairs = [pair.split(",") for pair in f"{drawn.line} {drawn.band}".split()]
    assert all(0 <= float(x) <= WIDTH and 0 <= float(y) <= HEIGHT for x, y in pairs)
    assert len(drawn.line.split()) == len(found)
    assert 2 <= len(drawn.grid) <= MAX_GRID_LINES
    lines = [rating for _, rating in drawn.grid]
    lowest, highest = min(r for _, r, _ in found), max(r for _, r, _ in found)
    assert lines[0] * 1000 <= lowest
    assert highest <= lines[-1] * 1000


def test_a_single_game_has_no_curve() -> None:
    assert draw_curve([]) is None
    assert draw_curve([(0, 1_500_000, 350_000)]) is None


@pytest.fixture
def rated(db):
    """Ada and bob after some games, one of them unlisted."""
    ada, bob = create_accounts("ada", "bob")
    rated_game(ada, bob, "white")
    rated_game(ada, bob, "black")
    rated_game(ada, bob, "white", public=False)
    apply_all()
    return ada, bob


def test_each_change_has_its_arithmetic(rated) -> None:
    said = text_of(Client().get(PAGE))
    found = re.search(
        r"Lost against bob \([\d]+ ± \d+\).*? (\d+) → (\d+) \(−(\d+)\) Why −\3\? "
        r"Expected score 0\.\d\d, actual score 0\. A whole point more or less is worth (\d+\.\d) "
        r"here: \4 × \(0 − 0\.\d\d\) = −\d+\.\d\.",
        said,
    )
    assert found, said
    assert int(found[2]) - int(found[1]) == -int(found[3])
    assert "From 1" in Client().get(PAGE).content.decode()


def test_all_readers_find_every_game_also_an_unlisted_one(rated) -> None:
    ada, _ = rated
    slugs = set(Game.objects.values_list("slug", flat=True))
    assert len(slugs) == 3
    for reader in (ada, None):
        client = Client()
        if reader:
            client.force_login(reader)
        page = client.get(PAGE).content.decode()
        assert {slug for slug in slugs if f'href="/g/{slug}/"' in page} == slugs
        assert text_of(client.get(PAGE)).count("against bob") == 3


def test_the_profile_leads_to_it(rated) -> None:
    assert f'href="{PAGE}"' in Client().get("/u/ada/").content.decode()


@pytest.mark.parametrize(
    "address",
    [
        "/u/ada/ratings/pincer/slow/",
        "/u/ada/ratings/chess/live/",
        "/u/ada/ratings/blotto/live/",
        "/u/nobody/ratings/pincer/live/",
        f"{PAGE}?before=x",
        f"{PAGE}?before=-1",
        f"{PAGE}?before=²",
        f"{PAGE}?before={'9' * 30}",
    ],
)
def test_what_does_not_exist_is_not_found(rated, address) -> None:
    assert Client().get(address).status_code == 404


def test_a_suspended_person_has_no_page(rated) -> None:
    ada, _ = rated
    ada.is_active = False
    ada.save()
    assert Client().get(PAGE).status_code == 404


def test_pages_follow_one_another_and_take_as_many_queries(rated) -> None:
    ada, bob = rated
    client = Client()
    with CaptureQueriesContext(connection) as few:
        client.get(PAGE)
    rng = Random(7)
    for _ in range(ROWS_A_PAGE):
        rated_game(ada, bob, rng.choice(["white", "black", ""]))
    apply_all()
    with CaptureQueriesContext(connection) as many:
        first = client.get(PAGE)
    assert len(many) == len(few)
    older = re.search(r'href="(\?before=\d+)"', first.content.decode())
    assert older
    second = text_of(client.get(PAGE + older[1]))
    numbers = re.findall(r'id="seq-(\d+)"', first.content.decode())
    assert len(numbers) == ROWS_A_PAGE
    assert second.count("Why ") == 3
    assert "The newest games" in second
