"""People who are blocked: counted in lists and lobbies, and named to neither of the two."""

import json

import pytest

from accounts.models import User
from accounts.people.relations import block, unblock
from lobby.lobbies import lobby_service
from lobby.lobby_options import Options
from play.models import Game
from play.time_controls import NO_CLOCK
from tests.support import loop_runtime
from tests.support.loop_runtime import game_service
from tests.support.page_visitors import Watcher, at_home, ended, game_of, someone
from watch.listed_games import Item
from watch.lists_handler import ListsHandler
from watch.public_lists import ListsSource, stored_lists

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> list[User]:
    return [someone(name) for name in ("ada", "bob", "cy")]


PUBLIC = Options("pincer", NO_CLOCK, "white", True)


def html_of(browser, path: str) -> str:
    return browser.get(path).content.decode()


@pytest.mark.parametrize("is_blocker", [True, False])
def test_neither_of_the_two_is_named_on_the_front_page(is_blocker: bool) -> None:
    ada, browser = at_home("ada")
    eve, bob, cy = someone("mallory"), someone("bob"), someone("cy")
    lobby_service.create(eve, PUBLIC)
    game_of(eve, bob, "blotto")
    ended(game_of(eve, cy), "white", "resigned", step=4, goals='{"white":100,"black":0}')
    assert "mallory" in html_of(browser, "/") and "mallory" in html_of(browser, "/watch/")
    block(*((ada, "mallory") if is_blocker else (eve, "ada")))
    for path in ("/", "/watch/"):
        assert "mallory" not in html_of(browser, path)
        assert "mallory" in html_of(at_home(f"reader-{len(path)}")[1], path)
    unblock(*((ada, "mallory") if is_blocker else (eve, "ada")))
    assert "mallory" in html_of(browser, "/")


def test_a_game_of_the_two_is_still_shown_to_them() -> None:
    ada, browser = at_home("ada")
    game_of(ada, someone("mallory"))
    block(ada, "mallory")
    assert "mallory" in html_of(browser, "/watch/")


def test_the_lists_on_an_open_page_leave_out_whom_its_reader_blocks() -> None:
    eve = someone("mallory")
    lobby_service.create(eve, PUBLIC)
    game = game_of(eve, someone("bob"), "blotto")
    Game.objects.update(step=1)

    def shown(audience: str) -> Item:
        return json.loads(ListsSource(None).render(stored_lists(), audience))

    everything, rest = shown("en"), shown("en|ada|mallory")
    assert [each["host"] for each in everything["lobbies"]] == ["mallory"]
    assert [each["slug"] for each in everything["games"]] == [game.slug]
    assert (rest["lobbies"], rest["games"], rest["boards"], rest["featured"]) == ([], [], {}, None)
    assert rest["counts"] == everything["counts"]
    assert shown("en|bob|mallory")["games"] == everything["games"]  # his own


@pytest.mark.django_db
async def test_a_page_of_the_lists_knows_whom_its_reader_blocks(people, at_work) -> None:
    ada, bob, _ = people
    run = game_service().run_in_db_thread
    scope = {"user": ada, "runtime": loop_runtime.runtime(), "language": "en", "headers": []}
    plain = await ListsHandler().admit(scope, "")
    await run(block, ada, bob.username)
    own = await ListsHandler().admit(scope, "")
    assert own.audience == f"{plain.audience}|{ada.username}|{bob.username}"


@pytest.mark.django_db
async def test_a_visitor_of_a_lobby_who_is_blocked_is_counted_and_not_named(
    people, at_work
) -> None:
    ada, bob, cy = people
    run = game_service().run_in_db_thread
    code = (await run(lobby_service.create, cy, PUBLIC)).code
    await run(block, ada, bob.username)

    async def told(page: Watcher) -> tuple[list[str], int]:
        def is_whole(frame: Item) -> bool:
            return len(frame["here"]) + frame["strangers"] == len(people)

        frame = await page.next("people", is_whole)
        return frame["here"], frame["strangers"]

    topic = f"lobby:{code}"
    async with Watcher(topic, ada) as one, Watcher(topic, bob) as two, Watcher(topic, cy) as three:
        assert await told(one) == (["ada", "cy"], 1)
        assert await told(two) == (["bob", "cy"], 1)
        assert await told(three) == (["ada", "bob", "cy"], 0)
