"""Lists omit an unreadable game or lobby and keep the rest."""

import logging

import pytest
from asgiref.sync import sync_to_async
from django.db import DatabaseError

from lobby.lobbies import lobby_service
from lobby.lobby_options import Options
from lobby.models import Lobby
from play.domain.clocks import now
from play.models import Game
from play.time_controls import NO_CLOCK
from tests.support.page_visitors import Watcher, at_home, game_of, mine_of, someone
from watch.listed_games import skip_unreadable

pytestmark = pytest.mark.django_db


def spoil(game: Game, how: str) -> None:
    """Makes a game unreadable in one of the ways in which that can happen."""
    rows = Game.objects.filter(pk=game.pk)
    if how == "seats":
        game.seats.all().delete()
    else:
        rows.update(**{how: {"rules": "withdrawn", "goals": "[]"}.get(how, "damaged")})


@pytest.mark.parametrize("how", ["rules", "position", "seats"])
def test_one_unreadable_game_takes_no_page_down(client, caplog, how: str) -> None:
    ada, browser = at_home("ada")
    whole, broken = game_of(ada, someone("bob")), game_of(ada, someone("cy"))
    over, lost = game_of(ada, someone("dee")), game_of(ada, someone("eve"))
    Game.objects.filter(pk__in=[over.pk, lost.pk]).update(
        ended=now(), step=1, winner="white", reason="time", goals='{"white":100,"black":0}'
    )
    spoil(broken, how)
    spoil(lost, how)
    for visitor in (client, browser):
        for page, shown in (("/", [whole]), ("/watch/", [whole, over])):
            response = visitor.get(page)
            assert response.status_code == 200
            content = response.content.decode()
            assert all(game.slug in content for game in shown)
            assert broken.slug not in content
            assert lost.slug not in content
    assert "Against bob" in mine_of(browser)
    warned = {(r.name, r.levelname) for r in caplog.records if "cannot be read" in r.message}
    assert warned == {("quiver.watch", "WARNING")}


def test_damaged_goals_take_only_their_own_game_off_the_page(client) -> None:
    ada, bob = someone("ada"), someone("bob")
    lost, over = game_of(ada, bob), game_of(ada, bob)
    for game, goals in ((lost, "[]"), (over, '{"white":50,"black":50}')):
        Game.objects.filter(pk=game.pk).update(ended=now(), step=1, reason="agreed", goals=goals)
    content = client.get("/watch/").content.decode()
    assert over.slug in content
    assert lost.slug not in content


def test_one_unreadable_lobby_takes_no_page_down() -> None:
    ada, browser = at_home("ada")
    whole = lobby_service.create(ada, Options("pincer", NO_CLOCK, "white", True))
    broken = lobby_service.create(ada, Options("blotto", NO_CLOCK, "white", True))
    Lobby.objects.filter(pk=broken.pk).update(rules="withdrawn")
    content = browser.get("/").content.decode()
    assert content.count(whole.get_absolute_url()) >= 2
    assert broken.code not in content


def test_an_unreadable_row_is_logged_once_and_not_at_every_read(client, caplog) -> None:
    spoil(game_of(someone("ada"), someone("bob")), "rules")
    for _ in range(3):
        client.get("/")
    assert len([r for r in caplog.records if "cannot be read" in r.message]) == 1


def test_a_broken_database_is_no_unreadable_row() -> None:
    with pytest.raises(DatabaseError), skip_unreadable("a row", logging.getLogger("quiver.watch")):
        raise DatabaseError("no such table")


@pytest.mark.django_db
async def test_one_unreadable_game_leaves_the_others_on_the_socket(
    opened, people, at_work, caplog
) -> None:
    open_one = sync_to_async(opened)
    broken, whole = await open_one("pincer"), await open_one("blotto")
    await sync_to_async(spoil)(broken, "rules")
    async with Watcher("lists") as page:
        frame = await page.next("lists", lambda frame: frame["games"])
        assert [item["slug"] for item in frame["games"]] == [whole.slug]
    logged = [r.message for r in caplog.records if r.name == "quiver.watch"]
    assert any(f"{type(broken).__name__} {broken.pk} cannot be read" in line for line in logged)
    assert not any(broken.slug in line for line in logged)  # it is the key of the game
