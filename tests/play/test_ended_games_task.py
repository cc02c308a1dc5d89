"""Tasks on ended games: one process at a time, rounds while there is more, all games at first."""

import pytest

from play.models import Lease
from play.storage.ended_games_task import LEASE_MS, EndedGamesTask
from play.storage.ended_search import RECENT_MS

pytestmark = pytest.mark.django_db
AT = 100 * RECENT_MS
A_ROUND = 2  # games


class NotingTask(EndedGamesTask):
    """Deals with games by noting when they ended."""

    name = "test-ended-games"
    interval_s = 3.0

    def __init__(self, ends: list[int]) -> None:
        super().__init__()
        self.left = sorted(ends)
        self.done: list[int] = []
        self.searched: list[int] = []

    def do_round(self, since: int, skipped: set[int]) -> int | None:
        self.searched.append(since)
        found = [end for end in self.left if end >= since and end not in skipped][:A_ROUND]
        if found and min(found) < 0:
            raise OSError("the database is gone")
        self.done += found
        self.left = [end for end in self.left if end not in found]
        return found[-1] if len(found) == A_ROUND else None


class EagerTask(NotingTask):
    """Holds its lease for a second, and asks for it often."""

    def lease_ms(self) -> int:
        return 1_000

    def standby_interval_s(self) -> float:
        return 0.5


def test_full_rounds_follow_each_other_at_once_until_all_is_done() -> None:
    task = NotingTask([5, 6, 7, 8, 9])
    assert [task.run("one", AT) for _ in range(4)] == [0.0, 0.0, 3.0, 3.0]
    assert task.done == [5, 6, 7, 8, 9]
    assert task.searched == [0, 6, 8, AT - RECENT_MS]  # all games first, each once


def test_only_the_process_with_the_lease_works() -> None:
    one, two = NotingTask([5]), NotingTask([5])
    one.run("one", AT)
    assert two.run("two", AT) == 3.0
    assert (one.done, two.done) == ([5], [])
    assert two.run("two", AT + LEASE_MS + 1) == 3.0  # it has run out
    assert two.done == [5]


def test_a_process_that_ends_leaves_the_lease_to_another() -> None:
    one, two = NotingTask([]), NotingTask([5])
    one.run("one", AT)
    one.give_back("one")
    two.run("two", AT)
    assert two.done == [5]
    assert Lease.objects.get(name=NotingTask.name).process == "two"


def test_who_has_had_no_lease_searches_all_games_again() -> None:
    task, other = NotingTask([]), NotingTask([])
    task.run("one", AT)
    task.give_back("one")
    other.run("two", AT)
    task.run("one", AT + 1)
    other.give_back("two")
    task.left = [5]  # committed meanwhile, long after its end
    task.run("one", AT + 2)
    assert task.done == [5] and task.searched == [0, 0]


def test_rows_that_could_not_be_read_are_remembered() -> None:
    class Skipping(NotingTask):
        def do_round(self, since: int, skipped: set[int]) -> int | None:
            last_ended = super().do_round(since, skipped)
            skipped.add(7)
            return last_ended

    task = Skipping([5])
    task.run("one", AT)
    task.left = [7, 8]
    task.run("one", AT + RECENT_MS)
    assert task.done == [5, 8]


def test_a_round_that_fails_is_done_again() -> None:
    task = NotingTask([-1])
    with pytest.raises(OSError, match="database"):
        task.do_round(-5, set())
    task.left = [5]
    assert task.run("one", AT) == 3.0
    assert task.done == [5]


def test_a_task_may_have_a_lease_and_a_standby_interval_of_its_own() -> None:
    one, two = EagerTask([]), EagerTask([5])
    assert one.run("one", AT) == 3.0
    assert two.run("two", AT) == 0.5
    assert two.run("two", AT + 1_001) == 3.0
    assert two.done == [5]
