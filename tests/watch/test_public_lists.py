"""Lists need a constant number of queries, each by an index."""

import asyncio
import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from accounts.models import User
from accounts.people.computer_users import computer
from bots import exhibitions, worker_registry
from bots.models import Exhibition
from chat.models import Report
from games.catalogue import rules_of
from games.core import assemble_joint
from lobby.lobbies import lobby_presence, lobby_service
from lobby.lobby_options import Options
from lobby.models import Lobby
from lobby.pairing import pairing_round, search_service
from lobby.pairing.search_topics import count_searches
from pages.deletion_tasks import _list_running
from pages.profile_games import GAMES_PER_PAGE
from play.domain.clocks import now
from play.models import Game, Step
from play.runtime import periodic
from play.runtime.game_service import GameService
from play.storage.game_export import export_games
from play.time_controls import NO_CLOCK
from tests.support.loop_runtime import close_runtime, hub
from tests.support.page_visitors import at_home, ended, game_of, someone
from tests.support.run.gates import nightly
from tests.support.second_factor import staff_browser
from watch import public_lists
from watch.finished_games import MAX_FINISHED_GAMES
from watch.listed_games import read_stamp
from watch.own_games import OwnGamesSource, load_mine

pytestmark = pytest.mark.django_db
RESULT = {"goals": '{"white":100,"black":0}'}
GROWING = ("play_game", "play_seat", "play_step", "play_entry", "lobby_lobby", "accounts_user")
SCANNED = ("people", "people by name")  # the keepers' list: by key until a page is full
SCANS = [f"SCAN {table}" for table in GROWING]  # from end to end, by no index


def begun(game: Game) -> None:
    """Plays the first step of a game, as its record has it."""
    rules = rules_of(game.rules)
    state, rng = rules.start(), Random(1)
    joint = {role: rules.choices(state, role).sample(rng) for role in rules.control(state)}
    texts = {role: str(action) for role, action in joint.items()}
    Step.objects.create(game=game, number=0, joint=json.dumps(texts), at=game.created, spent="{}")
    state = rules.play(state, assemble_joint(rules, state, joint))
    Game.objects.filter(pk=game.pk).update(step=1, position=rules.write(state))


class Site:
    """A site with a lobby and some games of Ada's, and people who look at them."""

    def __init__(self) -> None:
        self.ada, self.own = at_home("Ada")
        self.bob = someone("bob")
        self.stranger = Client()
        self.keeper = staff_browser(User.objects.create_superuser("keeper"))
        lobby = lobby_service.create(self.ada, Options("pincer", NO_CLOCK, "white", True))
        self.game = lobby_service.sit(lobby.code, self.bob).game
        self.lobby = Lobby.objects.get(code=lobby.code)
        unlisted = Options("blotto", NO_CLOCK, "white", False)
        self.open_lobby = lobby_service.create(someone("cy"), unlisted)
        self._count = 0

    def grow(self, count: int) -> None:
        """Adds as many games of each sort, lobbies, people and reports by them."""
        for _ in range(count):
            self._count += 1
            other = someone(f"other-{self._count}")
            lobby_service.create(other, Options("blotto", NO_CLOCK, "white", True))
            game_of(self.ada, other)
            game_of(other, computer(3))
            ended(game_of(other, self.ada, "blotto"), "white", "rounds", **RESULT)
            ended(game_of(self.ada, self.bob), "white", "time", **RESULT)
            shown = ended(game_of(computer(3), computer(4)), ended=now() - exhibitions.PAUSE_MS)
            Exhibition.objects.create(game=shown)
            Report.objects.create(author=other, shown_line_id=1, context={"lines": []}, at=now())
        for game in Game.objects.filter(ended=None, step=0):
            begun(game)


PAGES: dict[str, Callable[[Site], Any]] = {
    "home": lambda site: site.stranger.get("/"),
    "home of somebody": lambda site: site.own.get("/"),
    "watch": lambda site: site.own.get("/watch/"),
    "watch one game": lambda site: site.stranger.get("/watch/?game=blotto"),
    "profile": lambda site: site.stranger.get("/u/Ada/"),
    "own profile": lambda site: site.own.get("/u/Ada/"),
    "filters": lambda site: site.own.get("/u/Ada/?game=pincer&result=won&against=bob"),
    "a page further down": lambda site: site.own.get(f"/u/Ada/?before={2**40}"),
    "running": lambda site: site.own.get("/u/Ada/?result=running"),
    "game": lambda site: site.own.get(site.game.get_absolute_url()),
    "ledger": lambda site: site.own.get(f"{site.game.get_absolute_url()}ledger/"),
    "record": lambda site: site.stranger.get(f"{site.game.get_absolute_url()}record.json"),
    "lobby": lambda site: site.own.get(site.open_lobby.get_absolute_url()),
    "lobby with a game": lambda site: site.own.get(site.lobby.get_absolute_url(), follow=True),
    "settings": lambda site: site.own.get("/settings/"),
    "leaving": lambda site: site.own.get("/settings/delete/"),
    "people": lambda site: site.keeper.get("/admin/accounts/user/"),
    "people by name": lambda site: site.keeper.get("/admin/accounts/user/?q=other"),
    "reports": lambda site: site.keeper.get("/admin/chat/report/"),
}
BEHIND: dict[str, Callable[[Site], Any]] = {
    "lists": lambda site: public_lists.initial_frame(),
    "stamp of the lists": lambda site: read_stamp(),
    "mine": lambda site: load_mine(str(site.ada.pk)),
    "revs": lambda site: OwnGamesSource(GameService()).revs([str(site.ada.pk), str(site.bob.pk)]),
    "searches": lambda site: count_searches(),
    "round of pairing": lambda site: pairing_round.pair(now()),
    "search": lambda site: search_service.start(site.bob, [("pincer", "fischer:180:2")]),
    "agenda": lambda site: worker_registry.games_with_computers(),
    "exhibition wanted": lambda site: exhibitions.is_wanted(now()),
    "exhibitions cleared": lambda site: exhibitions.delete_old_exhibitions(),
    "flags": lambda site: periodic.overdue_games(now()),
    "clocks": lambda site: periodic.timed_games(),
    "idle": lambda site: periodic.idle_games(now()),
    "hosts": lambda site: lobby_presence.note_seen([(site.lobby.code, site.ada.pk)]),
    "abandoned": lambda site: list(Lobby.objects.abandoned(now()).with_people()),
    "given up": lambda site: _list_running(site.ada.pk),
    "export": lambda site: list(export_games(site.ada.pk)),
}
EVERYTHING = {**PAGES, **BEHIND}


@pytest.fixture
def site() -> Site:
    site = Site()
    site.grow(1)
    return site


def asked(site: Site, look: Callable[[Site], Any]) -> list[tuple[str, Any]]:
    """The queries of a view: SQL and parameters."""
    heard: list[tuple[str, Any]] = []

    def hear(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        heard.append((sql, params))
        return execute(sql, params, many, context)

    look(site)  # fills the other caches
    with connection.execute_wrapper(hear):
        answer = look(site)
    assert getattr(answer, "status_code", 200) == 200
    return heard


def plan(sql: str, params: Any) -> list[str]:
    """The steps of SQLite's plan for a query."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
        return [row[3] for row in cursor.fetchall()]


@pytest.mark.slow
def test_a_list_of_sixty_costs_as_many_queries_as_one_of_three(site) -> None:
    few = {name: len(asked(site, look)) for name, look in EVERYTHING.items()}
    site.grow(19)
    many = {name: len(asked(site, look)) for name, look in EVERYTHING.items()}
    assert many == few


@pytest.mark.embedded("reads the plans of SQLite")
@pytest.mark.slow
def test_nothing_that_grows_is_read_but_by_an_index(site) -> None:
    for name, look in EVERYTHING.items():
        queries = [query for query in asked(site, look) if query[0].startswith("SELECT")]
        for sql, params in queries:
            scans = [step for step in plan(sql, params) if step in SCANS]
            assert not scans or name in SCANNED, (name, sql)


@pytest.mark.embedded("reads the plans of SQLite")
@pytest.mark.parametrize(
    "name", ["watch", *nightly("profile", "own profile", "a page further down")]
)
def test_games_that_are_over_are_listed_without_sorting_them(site, name: str) -> None:
    wanted = f"LIMIT {MAX_FINISHED_GAMES if name == 'watch' else GAMES_PER_PAGE + 1}"
    (listing,) = [each for each in asked(site, PAGES[name]) if each[0].endswith(wanted)]
    assert not [step for step in plan(*listing) if "TEMP B-TREE" in step]


def test_unlisted_games_are_on_no_list_though_they_may_be_watched() -> None:
    ada, bob = someone("ada"), someone("bob")
    game = game_of(ada, bob)
    game_of(ada, bob, public=False)
    lists = public_lists.stored_lists()
    assert ([item["slug"] for item in lists.games], lists.counts["games"]) == ([game.slug], 1)


async def test_a_read_under_way_ends_with_the_process(at_work, db):
    source = hub().source("lists")
    await source.load("")
    waiting = asyncio.create_task(source.load_many([""]))  # for a second after the first
    await asyncio.sleep(0)
    await close_runtime()
    assert isinstance((await waiting)[""], asyncio.CancelledError)
