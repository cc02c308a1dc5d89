"""Search of ended games: each once, public ones alone, by one process, killed at any moment."""

import pytest
from django.core.management import call_command

from games.puzzles import mine
from games.puzzles.check import check
from play.domain.clocks import now
from play.models import Game
from play.storage import leases
from puzzles import miner_task
from puzzles.miner_task import LEASE, MinerTask, Search, queue_ended_games, queued_games, states_of
from puzzles.models import DailyPosition, MinedGame, Puzzle
from puzzles.puzzle_store import first_rating, load_shipped, shipped
from tests.support.notice_games import TimedGame
from tests.support.rated_games import FISCHER, create_accounts, rated_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(db):
    return create_accounts("ada", "bob")


def queue_all() -> None:
    """Do what follows the end of each game."""
    queue_ended_games(Game.objects.values_list("pk", flat=True))


def run_until_idle(task: MinerTask, process: str = "worker") -> None:
    queue_all()
    for _ in range(200):
        if task.run(process, now()) >= miner_task.IDLE_S:
            return
    raise AssertionError("the task does not come to an end")


@pytest.fixture(autouse=True)
def loaded(monkeypatch) -> None:
    """Simulates a worker that has loaded the engine, with small searches."""
    monkeypatch.setattr(mine, "SEARCH_NODES", 100)
    monkeypatch.setattr(miner_task, "is_loaded", lambda: True)
    monkeypatch.setattr(miner_task, "lower_priority", lambda nice: None)


def test_the_shipped_puzzles_are_loaded_once_and_are_right() -> None:
    digest, tasks = shipped()
    assert digest
    assert load_shipped(now()) == len(tasks) == Puzzle.objects.count()
    assert load_shipped(now()) == 0
    assert len(tasks) >= 30
    for family in ("amazons", "pincer", "blotto"):
        assert sum(task.rules.startswith(family) for task in tasks) >= 5
    for row in Puzzle.objects.all():
        assert row.task in tasks
        assert row.rating == first_rating(row.task)


@pytest.mark.nightly
@pytest.mark.parametrize("number", range(0, 120, 4))
def test_each_shipped_puzzle_holds_its_check(number) -> None:
    tasks = shipped()[1]
    for task in tasks[number : number + 4]:
        check(task)


def test_a_public_game_is_searched_once(people) -> None:
    rated_game(*people, turns=4)
    task = MinerTask()
    run_until_idle(task)
    row = MinedGame.objects.get()
    assert (row.is_done, row.tries) == (True, 1)
    run_until_idle(MinerTask())
    assert MinedGame.objects.get().tries == 1


def test_running_and_unlisted_games_and_games_without_a_result_are_left_out(people) -> None:
    rated_game(*people, public=False)
    running = TimedGame(*people, "pincer", FISCHER, public=True)
    running.turn("white", 100)
    free = rated_game(*people, key="amazons")  # no puzzles with the free arrow
    queue_all()
    assert queued_games() == []
    Game.objects.filter(slug=free.slug).update(rules="withdrawn")
    queue_all()
    assert queued_games() == []
    rated_game(*people)
    Game.objects.filter(is_public=True, rules="pincer").update(reason="aborted")
    queue_all()
    assert queued_games() == []


def test_the_first_call_loads_the_shipped_ones_and_chooses_days() -> None:
    MinerTask().run("worker", now())
    assert Puzzle.objects.count() == len(shipped()[1])
    assert DailyPosition.objects.count() == 3


def test_the_task_works_under_its_lease(people) -> None:
    rated_game(*people)
    assert leases.take(LEASE, "other", now(), 60_000)
    run_until_idle(MinerTask())
    assert not MinedGame.objects.get().tries
    leases.give_back(LEASE, "other")
    task = MinerTask()
    run_until_idle(task)
    assert MinedGame.objects.get().is_done
    task.give_back("worker")
    assert leases.take(LEASE, "other", now(), 60_000)


def test_a_process_without_the_engine_leaves_the_games(people, monkeypatch) -> None:
    monkeypatch.setattr(miner_task, "is_loaded", lambda: False)
    monkeypatch.setattr(miner_task, "has_numba", lambda: True)
    rated_game(*people)
    run_until_idle(MinerTask())
    assert not MinedGame.objects.get().tries
    assert leases.take(LEASE, "other", now(), 60_000)  # nor does it keep that one from working


def test_a_game_in_which_processes_died_is_searched_twice_and_no_third_time(
    people, monkeypatch
) -> None:
    rated_game(*people, turns=4)

    def die(self, at, slice_s):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Search, "run", die)
        queue_all()
        for tries in (1, 2):
            with pytest.raises(KeyboardInterrupt):
                MinerTask().run("worker", now())
            assert MinedGame.objects.get().tries == tries
    run_until_idle(MinerTask())
    assert not MinedGame.objects.get().is_done


def test_after_one_death_the_game_is_searched_again(people, monkeypatch) -> None:
    rated_game(*people, turns=4)

    def die(self, at, slice_s):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Search, "run", die)
        queue_all()
        MinerTask().run("worker", now())
    run_until_idle(MinerTask())
    assert MinedGame.objects.get().is_done


def test_a_game_that_cannot_be_searched_is_logged_and_left(people, monkeypatch, caplog) -> None:
    rated_game(*people, turns=4)

    def fail(*about):
        raise ValueError("damaged")

    monkeypatch.setattr(miner_task, "mine", fail)
    run_until_idle(MinerTask())
    assert [r for r in caplog.records if getattr(r, "event", "") == "puzzles_failed"]


def test_the_time_of_a_game_is_bounded(people) -> None:
    rated_game(*people, turns=6)
    queue_all()
    search = Search(queued_games()[0], max_cpu_s=0.0)
    assert search.run(now(), 0.0)


def test_states_are_the_beginnings_of_turns_that_stand(people) -> None:
    rated_game(*people, turns=4)
    queue_all()
    states = states_of(queued_games()[0])
    assert len(states) == 5
    assert all(state.stepped is None for state in states)


def test_what_is_found_is_stored_with_its_game_and_once(people, monkeypatch) -> None:
    game = rated_game(*people, turns=4)
    task = shipped()[1][0]
    monkeypatch.setattr(miner_task, "mine", lambda *about: iter([None, task, task]))
    run_until_idle(MinerTask())
    assert MinedGame.objects.get().is_done
    row = Puzzle.objects.get(slug=task.slug)
    assert row.game is None  # it was shipped before
    Puzzle.objects.all().delete()
    MinedGame.objects.all().delete()
    searched = Search(Game.objects.get(slug=game.slug))
    assert searched.run(now(), 9.0)
    assert Puzzle.objects.get().game.slug == game.slug


def test_the_command_does_the_same_for_a_batch(people, capsys) -> None:
    rated_game(*people, turns=4)
    queue_all()
    call_command("minepuzzles", "--games", "5")
    assert MinedGame.objects.get().is_done
    call_command("minepuzzles", "--games", "5")
    assert "Searched 0 games" in capsys.readouterr().out
    assert mine.digest()
