"""Due turns are found by the ledger entries of games, not by a list of all that run."""

import pytest

from bots import scheduler, worker_registry
from bots.scheduler import Scheduler
from play.domain import clocks, commands
from play.domain.commands import Envelope
from play.models import Game
from tests.support.bot_workers import against, play, told
from tests.support.loop_runtime import game_service
from tests.support.stored_games import commit_command

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_work")]


@pytest.fixture
def listings(monkeypatch) -> list[int]:
    """Count how often all running games are listed; entries are not read again."""
    counted: list[int] = []
    list_all = worker_registry.games_with_computers

    def counting() -> list[worker_registry.Row]:
        found = list_all()
        counted.append(len(found))
        return found

    monkeypatch.setattr(worker_registry, "games_with_computers", counting)
    monkeypatch.setattr(worker_registry, "OVERLAP_ENTRIES", 0)
    return counted


def make_scheduler() -> Scheduler:
    return Scheduler(game_service(), lambda due: None, lambda game: None)


async def test_a_turn_is_found_by_its_entry_without_a_list_of_all_games(people, listings) -> None:
    quiet, game = await against(people[0], "pincer"), await against(people[1], "pincer")
    due = make_scheduler()
    assert await due.look() == {quiet.slug, game.slug}
    assert not due.list_due()
    await play(game, people[1], "move 1 5 2 5", "move 1 7 2 7")
    assert await due.look() == {quiet.slug, game.slug}
    assert due.next_key() == "pincer"
    later = await against(people[2], "pincer")
    assert await due.look() == {quiet.slug, game.slug, later.slug}
    assert listings == [2]


async def test_a_game_that_has_ended_is_left_out(people, listings) -> None:
    game = await against(people[0], "pincer")
    due = make_scheduler()
    await due.look()
    await play(game, people[0], "move 1 5 2 5", "move 1 7 2 7")
    await due.look()
    await told(lambda: resign(game, people[0]))
    assert await due.look() == set()
    assert (due.next_key(), listings) == ("", [1])


async def test_all_games_are_listed_again_after_a_minute(people, listings, monkeypatch) -> None:
    game = await against(people[0], "pincer")
    due, at = make_scheduler(), scheduler.now()
    await due.look()
    await told(Game.objects.all().delete)
    assert await due.look() == {game.slug}
    monkeypatch.setattr(scheduler, "now", lambda: at + scheduler.LIST_INTERVAL_MS + 1)
    assert await due.look() == set()
    assert listings == [1, 0]


def resign(game: Game, user) -> None:
    """Resign in a game, as another process does."""

    commit_command(game.slug, Envelope(game.slug, user.pk, clocks.now(), commands.Resign("r")))
