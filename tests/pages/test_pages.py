"""Pages: contents, permissions, cost in queries, and answers to forms."""

import json
import re

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.catalogue import RULES
from lobby.lobbies import lobby_service
from lobby.lobby_options import Options
from lobby.models import AWAY_SLOW_MS, SEEN_LIVE_MS, Lobby
from pages.game_cards import CARDS, card_pictures
from play.domain.clocks import now
from play.domain.commands import Act
from play.models import Game
from play.time_controls import NO_CLOCK, days_clock, fischer_clock
from tests.support.loop_runtime import game_service
from tests.support.page_visitors import Watcher, at_home, game_of, mine_of, someone, text_of
from watch.public_lists import initial_frame

pytestmark = pytest.mark.django_db
FORM = {"game": "pincer", "side": "white", "visibility": "public", "clock": "fischer:180:2"}
PAGES = (
    "/watch/?game=pincer",
    "/watch/?game=nonsense",
    "/",
    "/watch/",
    "/learn/",
    "/learn/pincer/",
    "/new/",
    "/new/?game=blotto",
    "/new/?game=nonsense",
)


@pytest.mark.parametrize("page", PAGES)
def test_every_page_is_drawn_for_strangers_and_users(client, page: str) -> None:
    _, browser = at_home("ada")
    for visitor in (client, browser):
        response = visitor.get(page)
        assert response.status_code == 200
        assert response.content.count(b"<h1") == 1
        assert b"<style" not in response.content
        assert not re.search(rb"<script(?![^>]*( src=|application/json))", response.content)
        assert not re.search(rb" (style|on[a-z]+)=", response.content)


def test_every_game_can_be_chosen_and_has_its_own_clocks(client) -> None:
    assert [card.key for card in CARDS] == [*dict.fromkeys(card.key for card in CARDS)]
    for key in RULES:
        page = client.get(f"/new/?game={key}").content.decode()
        assert f'name="game" value="{key}"' in page
        assert page.count(" checked") == (5 if key == "amazons" else 4)  # whether squares count
        assert f'href="/new/?game={key}" aria-current="true"' in page


def test_every_rule_set_has_a_picture_and_a_place_among_the_rules(client) -> None:
    page = client.get("/learn/").content.decode()
    assert set(card_pictures()) == set(RULES)
    for key in RULES:
        assert f'href="/learn/{key}/"' in page
        assert client.get(f"/learn/{key}/").status_code == 200
        assert card_pictures()[key]["last"][-1]["effects"]
    assert client.get("/learn/chess/").status_code == 404


def test_a_wrong_address_gets_our_own_page(client) -> None:
    for page in ("/nowhere/", "/l/1111111111111111111111/", "/l/x/", "/l/%00/"):
        response = client.get(page)
        assert response.status_code == 404
        assert "The link may be incomplete" in text_of(response)


@pytest.mark.parametrize("visibility", ["public", "link"])
def test_crawlers_are_kept_out_of_lobbies_that_are_not_listed(client, visibility) -> None:
    robots = client.get("/robots.txt")
    assert robots.headers["Content-Type"].startswith("text/plain")
    assert "Disallow: /lobbies/\n" in robots.content.decode()
    client.post("/lobbies/", {**FORM, "visibility": visibility})
    page = client.get(Lobby.objects.get().get_absolute_url())
    is_kept_out = b'name="robots" content="noindex"' in page.content
    assert is_kept_out == (visibility == "link")
    assert "no-store" in page.headers["Cache-Control"]


@pytest.mark.parametrize(
    ("path", "is_kept_out"), [("/play/friend/", False), ("/play/online/", False), ("/new/", True)]
)
def test_ways_to_play_are_found_by_searches(client, path, is_kept_out) -> None:
    assert (b'name="robots" content="noindex"' in client.get(path).content) == is_kept_out


def test_from_the_form_to_the_game_in_three_requests(client) -> None:
    made = client.post("/lobbies/", {**FORM, "clock": "none"})
    lobby = Lobby.objects.get()
    assert made.headers["Location"] == lobby.get_absolute_url()
    friend = Client()
    assert "Play Pincer against" in text_of(friend.get(lobby.get_absolute_url()))
    started = friend.post(f"{lobby.get_absolute_url()}sit/")
    assert started.headers["Location"] == Game.objects.get().get_absolute_url()
    waiting = client.get(lobby.get_absolute_url())
    assert waiting.headers["Location"] == started.headers["Location"]


def test_looking_at_an_invitation_changes_nothing(client) -> None:
    lobby = lobby_service.create(someone("ada"), Options("pincer", NO_CLOCK, "white", False))
    for _ in range(3):
        assert client.get(lobby.get_absolute_url()).status_code == 200
    assert Lobby.objects.get().rev == lobby.rev
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "chess"}, {"game": ""}, {"side": "grey"}, {"visibility": "secret"},
        {"clock": "fischer:1:1"}, {"clock": "sundial"}, {"clock": ""}, {"clock": "custom"},
        {"clock": "custom", "minutes": "181", "seconds": "0"},
        {"clock": "custom", "minutes": "NaN", "seconds": "0"},
        {"clock": "custom", "minutes": "1e99", "seconds": "0"},
        {"clock": "custom", "minutes": "5", "seconds": "181"},
        {"clock": "custom", "minutes": "5", "seconds": "-1"},
        {"clock": "custom", "minutes": "five", "seconds": "3"},
        {"clock": "\x00"}, {"game": "pincer\x00"},
    ],
)  # fmt: skip
def test_a_form_out_of_order_is_answered_with_a_sentence(client, wrong) -> None:
    response = client.post("/lobbies/", FORM | wrong)
    assert response.status_code == 400
    assert 'role="alert"' in response.content.decode()
    assert "Nothing was created" in text_of(response)
    assert Lobby.objects.count() == 0


def test_a_clock_of_ones_own_is_kept(client) -> None:
    client.post("/lobbies/", FORM | {"clock": "custom", "minutes": "2.5", "seconds": "7"})
    assert Lobby.objects.get().clock == fischer_clock(2.5, 7)
    assert "2:30 + 7" in text_of(client.get(Lobby.objects.get().get_absolute_url()))


def test_a_refusal_is_a_page_that_says_why(client) -> None:
    ada, host = at_home("ada")
    lobby = lobby_service.create(ada, Options("pincer", NO_CLOCK, "white", True))
    url = lobby.get_absolute_url()
    for verb, body, says, status in (
        ("leave", {}, "You haven’t joined this game.", 409),
        ("ready", {}, "You haven’t joined this game.", 409),
        ("close", {}, "Only the host can do that.", 409),
        ("change", {"side": "lot"}, "Only the host can do that.", 409),
        ("sit", {"seat": "1"}, "Someone else just took that seat.", 409),
        ("sit", {"seat": "9"}, "That isn’t one of the choices on this page.", 400),
        ("sit", {"seat": "²"}, "That isn’t one of the choices on this page.", 400),
    ):
        response = client.post(f"{url}{verb}/", body)
        assert response.status_code == status
        assert says in text_of(response)
    assert host.post(f"{url}change/", {"clock": "limit:1"}).status_code == 400
    own = host.post(f"{url}sit/")
    assert own.status_code == 409
    assert "That’s your own invitation. Send it to a friend." in text_of(own)
    assert Lobby.objects.get().rev == lobby.rev
    assert User.objects.count() == 1


def test_deeds_take_a_post_with_a_token_and_a_known_verb(client) -> None:
    lobby = lobby_service.create(someone("ada"), Options("pincer", NO_CLOCK, "white", True))
    url = f"{lobby.get_absolute_url()}sit/"
    assert client.get(url).url == lobby.get_absolute_url()
    assert client.get("/lobbies/").url == "/new/"
    assert client.post(f"{lobby.get_absolute_url()}burn/").status_code == 404
    assert client.post("/l/1111111111111111111111/sit/").status_code == 404
    forged = Client(enforce_csrf_checks=True).post(url)
    assert forged.status_code == 403
    assert "This page expired" in text_of(forged)
    assert Lobby.objects.get().two is None


def test_the_host_changes_one_option_with_one_click() -> None:
    ada, host = at_home("ada")
    lobby = lobby_service.create(ada, Options("pincer", fischer_clock(3, 2), "white", True))
    url = f"{lobby.get_absolute_url()}change/"
    host.post(url, {"side": "lot"})
    host.post(url, {"visibility": "link"})
    assert Lobby.objects.get().options == Options("pincer", fischer_clock(3, 2), "lot", False)
    host.post(url, {"game": "blotto"})
    assert Lobby.objects.get().clock.kind == "limit"


def test_a_lobby_whose_game_is_over_still_leads_to_it(client) -> None:
    lobby = lobby_service.create(someone("ada"), Options("pincer", NO_CLOCK, "white", True))
    game = lobby_service.sit(lobby.code, someone("bob")).game
    told = '{"white":100,"black":0}'
    Game.objects.filter(pk=game.pk).update(
        ended=now(), winner="white", reason="resigned", goals=told
    )
    page = client.get(lobby.get_absolute_url())
    assert "ada won by resignation" in text_of(page)
    assert game.get_absolute_url() in page.content.decode()


def test_the_front_page_lists_public_lobbies_with_a_free_seat(client) -> None:
    ada = someone("ada")
    shown = lobby_service.create(ada, Options("pincer", fischer_clock(3, 2), "lot", True))
    lobby_service.create(ada, Options("blotto", NO_CLOCK, "white", False))
    closed = lobby_service.create(ada, Options("amazons", NO_CLOCK, "white", True))
    lobby_service.close(closed.code, ada)
    (item,) = initial_frame()["lobbies"]
    assert (item["code"], item["host"], item["clock"]) == (shown.code, "ada", "3 + 2")
    assert (item["open"], item["figure"], item["age"]) == (["lot"], "lot", 0)
    page = client.get("/").content.decode()
    assert f'action="/l/{shown.code}/sit/"' in page


def test_a_lobby_that_nobody_waits_in_any_more_leaves_the_list() -> None:
    ada = someone("ada")
    quick = lobby_service.create(ada, Options("pincer", fischer_clock(3, 2), "white", True))
    slow = lobby_service.create(ada, Options("pincer", days_clock(1), "white", True))
    Lobby.objects.update(host_seen=now() - SEEN_LIVE_MS - 1)
    assert [item["code"] for item in initial_frame()["lobbies"]] == [slow.code]
    Lobby.objects.update(host_seen=now() - AWAY_SLOW_MS - 1)
    assert initial_frame()["lobbies"] == []
    assert Client().get(quick.get_absolute_url()).status_code == 200


def test_games_by_link_are_found_in_no_list(client) -> None:
    ada, bob = someone("ada"), someone("bob")
    hidden, shown = game_of(ada, bob, public=False), game_of(ada, bob)
    over = game_of(ada, bob, public=False)
    Game.objects.filter(pk=over.pk).update(ended=now(), reason="agreed", goals='{"white":50}')
    for page in ("/", "/watch/"):
        content = client.get(page).content.decode()
        assert shown.slug in content
        assert hidden.slug not in content
        assert over.slug not in content


def test_a_user_sees_his_games_those_that_wait_for_him_first() -> None:
    ada, browser = at_home("ada")
    bob = someone("bob")
    game_of(ada, bob)
    game_of(bob, ada, "blotto")
    game_of(bob, ada)
    lobby_service.create(ada, Options("pincer", NO_CLOCK, "white", False))
    rows = re.findall(
        r'data-text="line">([^<]*(?:your turn|waiting for bob|open))<', mine_of(browser)
    )
    assert sorted(rows[:2]) == [
        "Colonel Blotto · no clock · your turn",
        "Pincer · no clock · your turn",
    ]
    assert rows[2:] == ["Pincer · no clock · waiting for bob", "Pincer · no clock · open"]


def test_a_finished_game_is_told_in_a_sentence(client) -> None:
    ada, bob = someone("ada"), someone("bob")
    for reason, winner, goals, says in (
        ("resigned", "white", (100, 0), "ada won by resignation"),
        ("time", "black", (0, 100), "bob won on time"),
        ("rounds", "white", (16, 14), "ada won 16 to 14"),
        ("rounds", "black", (13, 17), "bob won 17 to 13"),
        ("rounds", "", (15, 15), "Draw, 15–15"),
        ("agreed", "", (50, 50), "Draw by agreement"),
        ("no_moves", "black", (0, 100), "bob won"),
        ("one_each", "", (50, 50), "Draw"),
    ):
        game = game_of(ada, bob)
        told = json.dumps({"white": goals[0], "black": goals[1]})
        Game.objects.filter(pk=game.pk).update(
            ended=now(), step=1, winner=winner, reason=reason, goals=told
        )
        assert f"Pincer · {says} " in text_of(client.get("/watch/"))


@pytest.mark.parametrize("page", ["/", "/watch/"])
def test_lists_cost_as_many_queries_for_ten_rows_as_for_one(page: str) -> None:
    ada, browser = at_home("ada")

    def add(names: str) -> None:
        for name in names:
            other = someone(f"user-{name}")
            lobby_service.create(other, Options("pincer", NO_CLOCK, "white", True))
            game_of(ada, other)
            game_of(other, ada, "blotto")
            over = game_of(ada, other)
            goals = '{"white":100,"black":0}'
            Game.objects.filter(pk=over.pk).update(
                ended=now(), winner="white", reason="time", goals=goals
            )

    def cost() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert browser.get(page).status_code == 200
        return len(queries)

    lobby_service.create(ada, Options("pincer", NO_CLOCK, "white", True))
    add("a")
    few = cost()
    add("bcdefghij")
    assert cost() == few
    assert few <= 21  # one of them reads the ratings of hosts, one who beat the boss of the week


@pytest.mark.django_db
async def test_everybody_in_a_lobby_is_told_when_the_game_starts(people, at_work) -> None:
    ada, bob, cy = people
    lobby = await sync_to_async(lobby_service.create)(
        ada, Options("pincer", NO_CLOCK, "white", True)
    )
    topic = f"lobby:{lobby.code}"
    async with (
        Watcher(topic, ada) as host,
        Watcher(topic, cy) as onlooker,
        Watcher(topic) as stranger,
    ):
        assert (await host.next("lobby"))["may"]["close"]
        assert (await onlooker.next("lobby"))["seats"][1]["sit"]
        crowd = await stranger.next("people", lambda frame: frame["here"] == ["ada", "cy"])
        assert crowd["strangers"] == 1
        after = await sync_to_async(lobby_service.sit)(lobby.code, bob)
        for page in (host, onlooker, stranger):
            frame = await page.next("lobby", lambda frame: frame["rev"] == after.rev)
            assert frame["game"] == after.game.get_absolute_url()


@pytest.mark.django_db
async def test_a_socket_of_an_unknown_lobby_is_told_that_it_is_gone(db, at_work) -> None:
    async with Watcher("lobby:1111111111111111111111") as page:
        assert (await page.next("ended"))["reason"] == "gone"


@pytest.mark.django_db
async def test_the_lists_grow_while_one_looks_and_hide_what_is_by_link(people, at_work) -> None:
    ada, bob, _ = people
    make = sync_to_async(lobby_service.create)
    async with Watcher("lists") as page:
        empty = await page.next("lists")
        assert (empty["lobbies"], empty["games"]) == ([], [])
        await make(ada, Options("blotto", NO_CLOCK, "white", False))
        lobby = await make(ada, Options("pincer", NO_CLOCK, "white", True))
        frame = await page.next("lists", lambda frame: frame["lobbies"])
        assert [item["code"] for item in frame["lobbies"]] == [lobby.code]
        game = (await sync_to_async(lobby_service.sit)(lobby.code, bob)).game
        frame = await page.next("lists", lambda frame: frame["games"])
        (item,) = frame["games"]
        assert (item["slug"], item["white"], item["black"]) == (game.slug, "ada", "bob")
        assert (item["watchers"], frame["counts"]) == (0, {"lobbies": 0, "games": 1})
        assert frame["rev"] > empty["rev"]


@pytest.mark.django_db
async def test_the_lists_follow_the_moves(opened, people, at_work) -> None:
    from play.runtime import game_commands

    game = await sync_to_async(opened)("pincer")
    async with Watcher("lists") as page:
        before = await page.next("lists", lambda frame: frame["games"])
        assert before["games"][0]["last"] == []
        await game_commands.perform(
            game_service(), game.slug, people[0].pk, Act("a", 0, ("move 1 5 2 5",)), now()
        )
        after = await page.next("lists", lambda frame: frame["games"][0]["last"])
        (step,) = after["games"][0]["last"]
        assert step["text"] == {"white": "a5-b5"}
        assert after["games"][0]["view"]["moves_made"] == 1


@pytest.mark.django_db
async def test_a_sealed_split_is_in_no_list(opened, people, at_work) -> None:
    from play.runtime import game_commands

    game = await sync_to_async(opened)("blotto")
    async with Watcher("lists") as page:
        before = await page.next("lists", lambda frame: frame["games"])
        await game_commands.perform(
            game_service(), game.slug, people[0].pk, Act("a", 0, ("troops 7 2 1",)), now()
        )
        told = await sync_to_async(initial_frame)()
        await sync_to_async(lobby_service.create)(
            people[2], Options("pincer", NO_CLOCK, "lot", True)
        )
        after = await page.next("lists", lambda frame: frame["lobbies"])
        assert after["games"] == before["games"]
        assert json.dumps(told["games"][0]["view"]) == json.dumps(before["games"][0]["view"])
        assert "7, 2, 1" not in json.dumps(told)


def test_a_page_names_its_language_for_its_socket() -> None:
    ada, browser = at_home("ada")
    lobby = lobby_service.create(ada, Options("pincer", NO_CLOCK, "white", True))
    for language in ("en", "tr"):
        browser.cookies["django_language"] = language
        page = browser.get(lobby.get_absolute_url()).content.decode()
        assert f'<html lang="{language}"' in page
        assert f'data-topic="lobby:{lobby.code}"' in page
