"""A user's own games on the front page, in the header and over the socket."""

import re

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test.utils import CaptureQueriesContext

from lobby.lobbies import lobby_service, rematch
from lobby.lobby_options import Options
from play.domain.clocks import now
from play.domain.commands import Act
from play.models import Game
from play.runtime import game_commands
from play.runtime.game_service import GameService
from play.time_controls import NO_CLOCK, days_clock
from tests.support.loop_runtime import game_service, is_silent
from tests.support.page_visitors import Watcher, at_home, ended, game_of, mine_of, someone
from watch.own_games import (
    OwnGamesSource,
    games_under_way,
    load_all_mine,
    load_mine,
    own_games_frame,
)

pytestmark = pytest.mark.django_db
OPTIONS = Options("pincer", NO_CLOCK, "white", True)


class MineWatcher(Watcher):
    """A page of a user, on the socket that every page has."""

    def __init__(self, user: object, language: str = "en") -> None:
        super().__init__("mine", user, f"/ws/?lang={language}")


def rows_of(user) -> list[tuple[str, str, bool]]:
    return [
        (row["title"], row["line"], row["waits"])
        for row in own_games_frame(games_under_way(user))["rows"]
    ]


def header_of(browser, page: str = "/watch/") -> tuple[str, str] | None:
    """The target and the label of the header's link; None if it is hidden or absent."""
    found = re.search(r'<a class="turn"[^>]*>', browser.get(page).content.decode())
    if found is None or " hidden" in found[0]:
        return None
    return re.search(r'href="([^"]*)"', found[0])[1], re.search(r'label="([^"]*)"', found[0])[1]


def test_the_header_of_every_page_leads_to_the_games_that_wait() -> None:
    ada, browser = at_home("ada")
    bob = someone("bob")
    assert header_of(browser) is None
    game_of(bob, ada)
    assert header_of(browser) is None
    one, two = game_of(ada, bob), game_of(ada, bob, "amazons")
    where, says = header_of(browser)
    assert says == "Your turn (2)"
    assert where in {one.get_absolute_url(), two.get_absolute_url()}
    assert header_of(browser, one.get_absolute_url()) == (two.get_absolute_url(), "Your turn (1)")
    ended(two)
    assert header_of(browser, one.get_absolute_url()) is None


def test_a_stranger_has_nothing_under_way(client) -> None:
    page = client.get("/").content.decode()
    assert "mine-now" not in page


def test_the_shortest_of_time_comes_first() -> None:
    ada, bob = someone("ada"), someone("bob")
    slow, quick = game_of(ada, bob), game_of(ada, bob)
    game_of(bob, ada)
    Game.objects.filter(pk=quick.pk).update(deadline=now() + 1)
    assert [game.slug for game in games_under_way(ada).games][:2] == [quick.slug, slow.slug]


@pytest.mark.parametrize("clock", ["days", "none"])
def test_among_very_many_games_the_one_that_has_waited_longest_is_told(clock: str) -> None:
    ada, bob, at = someone("ada"), someone("bob"), now()
    games = [game_of(ada, bob), *(game_of(bob, ada) for _ in range(30))]
    for age, game in enumerate(reversed(games)):
        deadline = at - age + 10**8 if clock == "days" else None
        Game.objects.filter(pk=game.pk).update(
            clock_kind=clock, changed=at - age, deadline=deadline
        )
    under = games_under_way(ada)
    assert (under.games[0].slug, len(under.games)) == (games[0].slug, 20)
    assert [game.slug for game in under.games[1:]] == [game.slug for game in games[:11:-1]]


def test_the_wish_for_a_rematch_is_told_and_an_idle_lobby_is_not() -> None:
    ada, bob = someone("ada"), someone("bob")
    lobby = lobby_service.create(ada, OPTIONS)
    assert rows_of(ada) == [("Your lobby", "Pincer · no clock · open", False)]
    game = lobby_service.sit(lobby.code, bob).game
    ended(game, "white", "resigned", goals='{"white":100,"black":0}')
    rematch.reopen(lobby.code)
    assert rows_of(ada) == rows_of(bob) == []
    rematch.rematch(lobby.code, ada)
    assert rows_of(bob) == [("ada’s lobby", "Pincer · no clock · ada wants a rematch", True)]
    assert rows_of(ada) == []


def test_a_host_is_told_on_all_pages_that_somebody_is_ready() -> None:
    ada, bob = someone("ada"), someone("bob")
    lobby = lobby_service.create(ada, Options("pincer", days_clock(1), "white", True))
    lobby_service.unready(lobby.code, ada)
    lobby_service.sit(lobby.code, bob)
    assert rows_of(ada) == [("Your lobby", "Pincer · 1 day a turn · bob is ready", True)]


def test_a_lobby_of_a_withdrawn_game_is_left_out() -> None:
    ada, browser = at_home("ada")
    whole, broken = lobby_service.create(ada, OPTIONS), lobby_service.create(ada, Options(
        "blotto", NO_CLOCK, "white", True
    ))  # fmt: skip
    type(broken).objects.filter(pk=broken.pk).update(rules="withdrawn")
    assert whole.code in mine_of(browser)
    assert broken.code not in mine_of(browser)


def test_it_costs_as_many_queries_for_ten_games_as_for_one() -> None:
    ada, browser = at_home("ada")

    def cost() -> int:
        with CaptureQueriesContext(connection) as queries:
            browser.get("/watch/")
            list(OwnGamesSource(GameService()).revs([str(ada.pk)]))
        return len(queries)

    game_of(ada, someone("bob"))
    lobby_service.create(ada, OPTIONS)
    few = cost()
    for name in "cdefghi":
        game_of(ada, someone(f"user-{name}"))
        lobby_service.create(someone(f"host-{name}"), OPTIONS)
    assert cost() == few


def test_many_users_revs_take_two_queries() -> None:
    users = [someone(f"user-{n}") for n in range(6)]
    for user in users[1:]:
        game_of(users[0], user)
        lobby_service.create(user, OPTIONS)
    with CaptureQueriesContext(connection) as queries:
        revs = OwnGamesSource(GameService()).revs([str(user.pk) for user in users])
    assert len(queries) == 2
    assert len(set(revs.values())) == len(users)


@pytest.mark.django_db
async def test_a_turn_is_announced_on_whatever_page_its_player_is(opened, people, at_work) -> None:
    ada, bob, cy = people
    game = await sync_to_async(opened)("pincer")
    async with MineWatcher(bob) as page, MineWatcher(cy) as other:
        before = await page.next("mine")
        assert (before["waiting"], before["rows"][0]["waits"]) == (0, False)
        assert (await other.next("mine"))["rows"] == []
        await game_commands.perform(
            game_service(), game.slug, ada.pk, Act("a", 0, ("move 1 5 2 5", "move 1 7 2 7")), now()
        )
        after = await page.next("mine", lambda frame: frame["waiting"])
        assert after["rows"][0]["line"] == "Pincer · no clock · your turn"
        assert (after["rows"][0]["step"], after["rows"][0]["id"]) == (2, game.slug)
        await page.say(t="ping", revs={})
        await page.next("pong")
        assert await is_silent(other.socket)


@pytest.mark.django_db
async def test_a_sealed_split_is_told_to_nobody_but_its_maker(opened, people, at_work) -> None:
    ada, bob, _ = people
    game = await sync_to_async(opened)("blotto")
    async with MineWatcher(ada) as own, MineWatcher(bob) as other:
        told = await other.next("mine")
        assert (await own.next("mine"))["waiting"] == 1
        await game_commands.perform(
            game_service(), game.slug, ada.pk, Act("a", 0, ("troops 7 2 1",)), now()
        )
        assert (await own.next("mine", lambda frame: not frame["waiting"]))["rows"]
        assert not await is_silent(other.socket)
        again_told = await other.next("mine")
        assert again_told["rows"] == told["rows"]


@pytest.mark.django_db
async def test_a_lobbys_news_reaches_whoever_sits_there(people, at_work) -> None:
    ada, bob, _ = people
    lobby = await sync_to_async(lobby_service.create)(ada, OPTIONS)
    async with MineWatcher(ada) as page:
        assert (await page.next("mine"))["rows"][0]["is_game"] is False
        await sync_to_async(lobby_service.sit)(lobby.code, bob)
        begun = await page.next("mine", lambda frame: frame["waiting"])
        assert begun["rows"][0]["title"] == "Against bob"


@pytest.mark.django_db
async def test_a_stranger_gets_nothing_on_that_socket(db, at_work) -> None:
    async with MineWatcher(None) as page:
        assert (await page.next("ended"))["reason"] == "gone"


def test_the_games_of_many_users_are_read_as_those_of_each() -> None:
    ada, bob, cy, dan = (someone(name) for name in ("ada", "bob", "cy", "dan"))
    for white, black in ((ada, bob), (bob, cy), (cy, ada), (ada, cy)):
        game_of(white, black)
    ended(game_of(ada, bob))
    lobby_service.open_lobby(ada, OPTIONS)
    idents = [str(user.pk) for user in (ada, bob, cy, dan)]
    together = load_all_mine([*idents, "0", "nobody"])
    assert together == {ident: load_mine(ident) for ident in idents}
    assert [len(together[ident].games) for ident in idents] == [3, 2, 3, 0]
    assert [len(together[ident].lobbies) for ident in idents] == [1, 0, 0, 0]
    counts = []
    for asked in (idents[:1], idents):
        with CaptureQueriesContext(connection) as queries:
            load_all_mine(asked)
        counts.append(len(queries))
    assert counts[0] == counts[1] == 5
