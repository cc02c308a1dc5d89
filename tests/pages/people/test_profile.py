"""Profiles: lists and counts, permissions and cost."""

import itertools
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.people.relations import block
from pages.profile_games import GAMES_PER_PAGE
from play.models import Game
from tests.support.page_visitors import at_home, ended, game_of, someone, text_of

pytestmark = pytest.mark.django_db
clock = itertools.count(1)


def over(game: Game, winner: str = "", reason: str = "resigned") -> Game:
    """A game that has ended."""
    goals = {"white": '{"white":100,"black":0}', "black": '{"white":0,"black":100}'}
    told = goals.get(winner, '{"white":50,"black":50}')
    return ended(game, winner, reason, ended=next(clock), goals=told)


def listed(response) -> list[str]:
    """The slugs of the games on a profile, in order."""
    return re.findall(r'<canvas class="mini" data-game="([^"]+)"', response.content.decode())


def totals(response) -> tuple[int, ...]:
    """Won, drawn, lost at the head of a profile."""
    return tuple(map(int, re.findall(r"<dd>(\d+)</dd>", response.content.decode())))


def table(response) -> dict[str, tuple[int, ...]]:
    """Won, drawn, lost against each name."""
    rows = re.findall(
        r'<th scope="row"><a[^>]*>([^<]+)</a></th>\s*<td>(\d+)</td><td>(\d+)</td><td>(\d+)</td>',
        response.content.decode(),
    )
    return {name: tuple(map(int, counts)) for name, *counts in rows}


@pytest.fixture
def ada():
    return someone("Ada")


@pytest.fixture
def bob():
    return someone("bob")


def test_games_are_told_from_the_side_of_the_person(client, ada, bob) -> None:
    won = over(game_of(ada, bob), "white")
    lost = over(game_of(bob, ada, "blotto"), "white", "rounds")
    drawn = over(game_of(ada, bob, "amazons"), "", "agreed")
    runs = game_of(ada, bob)
    page = client.get("/u/Ada/")
    assert listed(page) == [runs.slug, drawn.slug, lost.slug, won.slug]
    for say in ("Being played", "Draw by agreement", "Lost, 0 to 100",
                "Won: opponent resigned"):  # fmt: skip
        assert say in text_of(page)
    assert totals(page) == (1, 1, 1)
    assert table(page) == {"bob": (1, 1, 1)}
    assert totals(client.get("/u/bob/")) == (1, 1, 1)


def test_filters_narrow_the_list(client, ada, bob) -> None:
    cy = someone("cy-the-guest")
    games = {
        "won": over(game_of(ada, bob), "white"),
        "lost": over(game_of(bob, ada), "white", "time"),
        "drawn": over(game_of(ada, cy, "blotto"), "", "agreed"),
        "running": game_of(cy, ada, "blotto"),
    }
    for result, game in games.items():
        assert listed(client.get(f"/u/Ada/?result={result}")) == [game.slug]
    blotto = client.get("/u/Ada/?game=blotto")
    assert listed(blotto) == [games["running"].slug, games["drawn"].slug]
    assert totals(blotto) == (0, 1, 0)
    assert table(blotto) == {"cy-the-guest": (0, 1, 0)}
    assert listed(client.get("/u/Ada/?game=pincer&result=drawn")) == []
    for name in ("bob", "BOB"):
        face = client.get(f"/u/Ada/?against={name}")
        assert listed(face) == [games["lost"].slug, games["won"].slug]
        assert f"Against {name}: 1 won, 0 drawn, 1 lost" in text_of(face)
    assert "No such game." in text_of(client.get("/u/Ada/?against=nobody"))


@pytest.mark.parametrize(
    "query",
    ["game=chess", "result=winning", "before=x", "before=-1", "before=²", "before=" + "9" * 30,
     "against=" + "x" * 21, "result=void"],
)  # fmt: skip
def test_a_filter_that_no_page_offers_is_no_page(client, ada, query: str) -> None:
    assert client.get(f"/u/Ada/?{query}").status_code == 404


def test_markup_in_a_filter_is_only_text(client, ada) -> None:
    page = client.get("/u/Ada/?against=<b>x</b>").content.decode()
    assert "<b>x</b>" not in page


def test_games_by_link_are_seen_by_their_owner_only(client) -> None:
    ada, own = at_home("Ada")
    secret, theirs = at_home("secret-friend")
    hidden = [game_of(ada, secret, public=False), over(game_of(ada, secret, public=False), "white")]
    unwatched = game_of(ada, secret, watch=False)
    shown = over(game_of(ada, someone("bob")), "black")
    slugs = [shown.slug, unwatched.slug, *(game.slug for game in reversed(hidden))]
    assert listed(own.get("/u/Ada/")) == slugs
    assert totals(own.get("/u/Ada/")) == (1, 0, 1)
    for visitor in (client, at_home("cy")[1], theirs):
        for query in ("", "?result=won", "?result=running", "?against=secret-friend"):
            page = visitor.get(f"/u/Ada/{query}")
            shows_name = visitor is theirs or "against" in query
            assert set(listed(page)) <= {shown.slug}
            assert shows_name or "secret-friend" not in page.content.decode()
            assert totals(page) == (0, 0, 1)
            assert "secret-friend" not in table(page)
    assert totals(client.get("/u/secret-friend/")) == (0, 0, 0)
    assert "No public game yet." in text_of(client.get("/u/secret-friend/"))
    over(unwatched, "white")
    assert listed(client.get("/u/secret-friend/")) == [unwatched.slug]


@pytest.mark.parametrize("reason", ["aborted", "idle"])
def test_an_aborted_game_does_not_count_in_a_profile(client, ada, bob, reason: str) -> None:
    game = over(game_of(ada, bob), "", reason)
    page = client.get("/u/Ada/")
    assert listed(page) == [game.slug]
    assert "Aborted" in text_of(page)
    assert totals(page) == (0, 0, 0)
    assert table(page) == {}
    for result in ("won", "drawn", "lost", "running"):
        assert listed(client.get(f"/u/Ada/?result={result}")) == []


def test_a_profile_has_one_address_whatever_the_case(client, ada) -> None:
    assert client.get("/u/Ada/").status_code == 200
    assert client.get("/u/aDA/?game=blotto").headers["Location"] == "/u/Ada/?game=blotto"
    assert client.get("/u/ada/").headers["Location"] == "/u/Ada/"


@pytest.mark.parametrize("name", ["nobody", "x", "a%00b", "%2e%2e", "x" * 5_000, "Ada%20"])
def test_nobody_has_no_profile(client, ada, name: str) -> None:
    assert client.get(f"/u/{name}/").status_code == 404


def test_guests_have_no_profile_and_no_link_to_one(client, ada) -> None:
    guest = User.objects.create(username="amber-heron-47", is_guest=True)
    over(game_of(ada, guest), "white")
    assert client.get("/u/amber-heron-47/").status_code == 404
    page = client.get("/u/Ada/")
    assert 'href="/u/amber-heron-47/"' not in page.content.decode()
    assert table(page) == {"amber-heron-47": (1, 0, 0)}


def test_computer_players_have_one(client, ada) -> None:
    bot = User.objects.create(username="robo-pincer", is_bot=True)
    over(game_of(ada, bot), "black")
    page = client.get("/u/robo-pincer/")
    assert "A computer player" in text_of(page)
    assert totals(page) == (1, 0, 0)


def test_pages_of_a_list_follow_a_key_and_miss_nothing(client, ada, bob) -> None:
    games = [game_of(ada, bob) for _ in range(2 * GAMES_PER_PAGE + 5)]
    found, address = [], "/u/Ada/"
    for size in (GAMES_PER_PAGE, GAMES_PER_PAGE, 5):
        page = client.get(address)
        slugs = listed(page)
        assert len(slugs) == size
        found += slugs
        if len(found) == GAMES_PER_PAGE:
            game_of(ada, bob)  # a new one moves no page
        older = re.search(r'rel="next" href="([^"]+)"', page.content.decode())
        address = "/u/Ada/" + older[1].replace("&amp;", "&") if older else ""
    assert found == [game.slug for game in reversed(games)]
    assert address == ""


def test_filters_stay_from_page_to_page(client, ada, bob) -> None:
    for _ in range(GAMES_PER_PAGE + 1):
        over(game_of(ada, bob, "blotto"), "white")
        game_of(ada, bob)
    page = client.get("/u/Ada/?game=blotto&result=won&against=bob").content.decode()
    older = re.search(r'rel="next" href="([^"]+)"', page)[1].replace("&amp;", "&")
    assert "game=blotto" in older
    assert len(listed(client.get(f"/u/Ada/{older}"))) == 1


def cost(visitor: Client, address: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert visitor.get(address).status_code == 200
    return len(queries)


def test_an_opponent_who_is_blocked_is_not_named_among_the_opponents(ada, bob) -> None:
    own, cy = Client(), someone("cy")
    own.force_login(ada)
    over(game_of(ada, bob), "white")
    over(game_of(ada, cy), "white")
    assert table(own.get("/u/Ada/")).keys() == {bob.username, "cy"}
    block(ada, bob.username)
    assert table(own.get("/u/Ada/")).keys() == {"cy"}
    assert totals(own.get("/u/Ada/")) == (2, 0, 0)  # counted


def test_the_cost_does_not_grow_with_games_or_opponents(ada, bob) -> None:
    own = Client()
    own.force_login(ada)
    over(game_of(ada, bob), "white")
    game_of(bob, ada, "blotto")  # the header of who has running games costs some more
    addresses = ("/u/Ada/", "/u/Ada/?against=bob&result=won&game=pincer")
    before = [cost(visitor, page) for visitor in (Client(), own) for page in addresses]
    for number in range(12):
        other = someone(f"other-{number}")
        over(game_of(ada, other), "black")
        game_of(other, ada, "blotto")
        over(game_of(ada, bob), "white")
    after = [cost(visitor, page) for visitor in (Client(), own) for page in addresses]
    assert after == before
    assert max(after) <= 15


def test_a_game_that_cannot_be_read_is_left_out(client, ada, bob) -> None:
    whole, broken = game_of(ada, bob), game_of(ada, bob)
    Game.objects.filter(pk=broken.pk).update(position="damaged")
    assert listed(client.get("/u/Ada/")) == [whole.slug]


def test_a_new_name_takes_the_profile_along(client, ada) -> None:
    User.objects.filter(pk=ada.pk).update(username="Ada2")
    assert client.get("/u/Ada/").status_code == 404
    assert client.get("/u/ada2/").headers["Location"] == "/u/Ada2/"
