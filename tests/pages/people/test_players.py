"""Players: search by name, the lists of followed and blocked people, the buttons of profiles."""

import html
import re
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.limits import rate_limits
from accounts.models import Block, Follow, User
from accounts.people import relations
from pages.people import player_search
from play.models import Game
from play.runtime import presence
from play.runtime.presence import Row
from play.runtime.runtime import list_here
from play.time_controls import fischer_clock
from tests.support import loop_runtime
from tests.support.page_visitors import at_home, ended, game_of, someone, text_of

pytestmark = pytest.mark.django_db


def names(response) -> list[str]:
    """The names that a list of people shows, in order."""
    return re.findall(
        r'class="[^"]*player-name"[^>]*>(?:<a[^>]*>)?([^<]+)<', response.content.decode()
    )


def search(browser: Client, text: str) -> list[str]:
    response = browser.get("/players/", {"q": text})
    assert response.status_code == 200
    return names(response)


def timed(game: Game) -> Game:
    """A game with a running clock."""
    Game.objects.filter(pk=game.pk).update(clock_kind=fischer_clock(3, 2).kind)
    return game


@pytest.fixture
def ada() -> User:
    return someone("Ada")


@pytest.fixture
def bob() -> User:
    return someone("bob")


# Search.


def test_a_name_is_found_by_its_beginning_and_by_a_part_in_any_case(client) -> None:
    for name in ("kestrel-fan", "Kes", "lake_side", "LAKES", "unlike", "other"):
        someone(name)
    assert search(client, "kes") == ["Kes", "kestrel-fan", "LAKES"]
    assert search(client, " LAKE ") == ["LAKES", "lake_side"]
    assert search(client, "e_s") == ["lake_side"]  # the underscore is no wildcard
    assert search(client, "k") == ["Kes", "kestrel-fan"]
    assert search(client, "zebra") == []
    assert "No players found." in text_of(client.get("/players/?q=zebra"))


def test_only_active_accounts_are_found(client) -> None:
    for name, about in (
        ("owl-guest", {"is_guest": True}),
        ("owl-bot", {"is_bot": True}),
        ("owl-suspended", {"is_active": False}),
        ("owl", {}),
    ):
        User.objects.create(username=name, **about)
    assert search(client, "owl") == ["owl"]


def test_at_most_twenty_are_shown(client) -> None:
    for number in range(25):
        someone(f"many-{number}")
    assert len(search(client, "many")) == len(search(client, "any")) == 20
    assert "There may be more." in text_of(client.get("/players/?q=many"))


@pytest.mark.parametrize("text", ["x" * 10_000, "a b", "é", "%", "'; DROP", "ada\n", "<b>"])
def test_a_text_that_no_name_contains_gets_a_clear_answer(client, ada, text: str) -> None:
    response = client.get("/players/", {"q": text})
    assert response.status_code == 200
    if text.strip() == "ada":
        assert names(response) == ["Ada"]
    else:
        assert names(response) == []
        assert "Names have 3 to 20 letters" in text_of(response)
        assert f'value="{text[:40]}"' in html.unescape(response.content.decode())
        assert "<b>" not in response.content.decode()


def test_a_nul_is_answered_like_every_address_with_one(client) -> None:
    assert client.get("/players/?q=a%00da").status_code == 404


def test_blocked_people_do_not_find_each_other(ada, bob) -> None:
    hers, his, stranger = Client(), Client(), Client()
    hers.force_login(ada)
    his.force_login(bob)
    relations.block(ada, "bob")
    assert search(hers, "bob") == search(his, "ada") == []
    assert search(stranger, "bob") == ["bob"]


@pytest.mark.embedded("SQLite's plan")
def test_a_search_reads_an_index(ada) -> None:
    found = User.objects.filter(is_guest=False, username__name_prefix="ad")
    assert "account_by_name (<expr>>? AND <expr><?)" in found.explain()


@pytest.mark.networked("PostgreSQL's plan")
def test_a_search_reads_an_index_of_patterns(ada) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    found = User.objects.filter(is_guest=False, username__name_prefix="ad")
    plan = found.explain()
    assert "account_by_name_pattern" in plan
    assert "~>=~" in plan


def test_a_search_costs_a_fixed_number_of_queries(client) -> None:
    costs = []
    for number in range(15):
        someone(f"cost-{number}")
        if number in (2, 14):
            with CaptureQueriesContext(
                connection,
            ) as queries:
                search(client, "cost")
            costs.append(len(queries))
    assert costs[0] == costs[1]


def test_searches_are_limited_by_network(client, monkeypatch) -> None:
    client = Client(REMOTE_ADDR="203.0.113.9")
    limit = rate_limits.PEOPLE
    monkeypatch.setattr("server.requests.rate_limit_middleware.BY_GET", {"players": limit})
    monkeypatch.setattr(
        type(limit), "quotas", lambda *_: iter([rate_limits.Rate("s", 2, 60).of(1)])
    )
    assert [client.get("/players/?q=a").status_code for _ in range(3)] == [200, 200, 429]


# Texts of the rows.


def test_rows_count_public_games_alone(client, ada, bob) -> None:
    ended(game_of(ada, bob), "white", "resigned", goals='{"white":100,"black":0}')
    ended(game_of(ada, bob, public=False))
    assert "1 public game" in text_of(client.get("/players/?q=ada"))
    cyn = someone("cyn")
    game_of(cyn, bob, public=False)
    assert "No public games yet" in text_of(client.get("/players/?q=cyn"))


def test_a_public_game_with_a_running_clock_can_be_watched_from_the_list(client, ada, bob) -> None:
    slow, private = game_of(ada, bob), timed(game_of(ada, bob, public=False))
    closed = timed(game_of(ada, bob, watch=False))
    page = client.get("/players/?q=ada")
    assert "Playing now" not in text_of(page)
    game = timed(game_of(ada, bob))
    page = client.get("/players/?q=ada").content.decode()
    assert "Playing now" in page
    assert game.get_absolute_url() in page
    for other in (slow, private, closed):
        assert other.slug not in page


def test_who_has_a_page_open_is_here(client, ada, monkeypatch) -> None:
    assert "Here now" not in text_of(client.get("/players/?q=ada"))
    socket = SimpleNamespace(permit=SimpleNamespace(user=ada.pk))
    monkeypatch.setattr(presence, "every_open", lambda: [socket])
    assert "Here now" in text_of(client.get("/players/?q=ada"))


async def test_who_has_a_page_open_in_another_process_is_here(at_work) -> None:
    there = {process: Row(0, {}, frozenset({user})) for process, user in (("a", 7), ("b", 8))}
    loop_runtime.hub().presence._others = there
    assert list_here([7, 8, 9]) == {7, 8}


def test_without_a_search_the_latest_public_players_are_shown(client, ada, bob) -> None:
    quiet, late = someone("quiet"), someone("late")
    ended(game_of(ada, bob), ended=1)
    ended(game_of(quiet, ada, public=False), ended=3)
    ended(game_of(late, bob), ended=2)
    assert names(client.get("/players/")) == ["bob", "late", "Ada"]
    browser = Client()
    browser.force_login(bob)
    assert names(browser.get("/players/")) == ["late", "Ada"]
    relations.block(late, "bob")
    assert names(browser.get("/players/")) == ["Ada"]
    assert player_search.MAX_ROWS == 20


# Following and blocking.


def test_buttons_of_a_profile_for_each_reader(client, ada, bob) -> None:
    def buttons(browser: Client, name: str) -> set[str]:
        page = html.unescape(browser.get(f"/u/{name}/").content.decode())
        found = re.findall(r"players/(\w+)/\" autocomplete", page)
        return {*found, *(["challenge"] if f"/u/{name}/challenge/" in page else [])}

    _, hers = at_home("eve")
    guest_browser = Client()
    guest_browser.force_login(User.objects.create(username="shy-owl-11", is_guest=True))
    assert buttons(client, "bob") == {"challenge"}
    assert buttons(guest_browser, "bob") == {"challenge", "block"}
    assert buttons(hers, "bob") == {"challenge", "follow", "block"}
    assert buttons(hers, "eve") == set()
    hers.post("/players/follow/", {"name": "bob", "next": "/u/bob/"})
    assert buttons(hers, "bob") == {"challenge", "unfollow", "block"}
    hers.post("/players/block/", {"name": "bob", "next": "/u/bob/"})
    assert buttons(hers, "bob") == {"unblock"}
    User.objects.create(username="Wren-bot", is_bot=True)
    assert buttons(hers, "Wren-bot") == set()


def test_a_profile_looks_the_same_to_somebody_who_is_blocked(ada, bob) -> None:
    his = Client()
    his.force_login(bob)

    def page() -> str:
        return re.sub(r'value="\w{64}"', "", his.get("/u/Ada/").content.decode())

    before = page()
    relations.block(ada, "bob")
    assert page() == before


def test_the_lists_are_private_and_show_people(ada, bob) -> None:
    browser, stranger = Client(), Client()
    browser.force_login(ada)
    answer = browser.post("/players/follow/", {"name": "BOB", "next": "/u/bob/"})
    assert answer["Location"] == "/u/bob/"
    assert "You follow bob." in text_of(browser.get("/u/bob/"))
    assert names(browser.get("/players/following/")) == ["bob"]
    guest = User.objects.create(username="shy-owl-11", is_guest=True)
    browser.post("/players/block/", {"name": guest.username})
    assert names(browser.get("/players/blocked/")) == ["shy-owl-11"]
    browser.post("/players/unblock/", {"name": guest.username, "next": "/players/blocked/"})
    assert names(browser.get("/players/blocked/")) == []
    for address in ("following", "blocked"):
        assert stranger.get(f"/players/{address}/")["Location"] == "/players/"


def test_a_refusal_is_said_and_changes_nothing(ada, bob) -> None:
    browser = Client()
    browser.force_login(ada)
    for verb, name, say in (
        ("follow", "ada", "That’s you."),
        ("block", "Ada", "That’s you."),
        ("follow", "nobody-here", "No one has that name."),
        ("block", "x\0y", "No one has that name."),
        ("block", "x" * 10_000, "No one has that name."),
        ("follow", "", "No one has that name."),
    ):
        answer = browser.post(f"/players/{verb}/", {"name": name, "next": "//evil.example/"})
        assert answer["Location"] == "/players/"
        assert say in html.unescape(text_of(browser.get("/players/")))
    assert not Follow.objects.exists()
    assert not Block.objects.exists()


def test_only_a_post_of_a_user_changes_anything(client, ada, bob) -> None:
    _, browser = at_home("eve")
    assert browser.get("/players/follow/").url == "/players/"
    assert browser.post("/players/adore/", {"name": "bob"}).status_code == 404
    assert client.post("/players/follow/", {"name": "bob"})["Location"] == "/log-in/"
    checked = Client(enforce_csrf_checks=True)
    checked.force_login(ada)
    assert checked.post("/players/follow/", {"name": "bob"}).status_code == 403
    assert not Follow.objects.exists()
