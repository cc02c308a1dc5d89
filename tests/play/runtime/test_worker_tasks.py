"""Tasks beside the work of a worker process."""

import asyncio
import threading

import pytest
from django.db import OperationalError, connection

from play.runtime import worker_tasks
from play.runtime.worker_tasks import WorkerTasks
from play.storage import retry
from telemetry.outage_log import note_outage
from tests.support.waiting import TIMEOUT_S, run_ready, wait_until

RETRY_DELAYS_S = (0.01, 0.01, 0.01)
pytestmark = pytest.mark.django_db


class Counting:
    """Counts its calls up to some number; a call of `failing` raises its error."""

    name = "counting"

    def __init__(self, wanted: int, **failing: Exception) -> None:
        self.failing, self.wanted, self.reached = failing, wanted, threading.Event()
        self.calls: list[str] = []
        self.threads: set[str] = set()
        self.given_back = ""

    def run(self, process: str, at: int) -> float:
        self.calls.append(process)
        self.threads.add(threading.current_thread().name)
        if len(self.calls) == self.wanted:
            self.reached.set()
        if error := self.failing.get(f"call_{len(self.calls)}"):
            raise error
        return 0.01

    def give_back(self, process: str) -> None:
        assert connection.connection is None or connection.is_usable()
        self.given_back = process


async def run_until_reached(task: Counting) -> None:
    work = asyncio.create_task(WorkerTasks("one", [task]).run())
    assert await asyncio.to_thread(task.reached.wait, 20)
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


async def test_a_task_runs_again_and_again_in_its_own_thread_and_gives_back_at_the_end() -> None:
    task = Counting(3)
    await run_until_reached(task)
    assert set(task.calls) == {"one"}
    assert task.threads == {"quiver-counting_0"}
    assert task.given_back == "one"


async def test_all_tasks_give_back_at_the_end_the_slow_ones_too(monkeypatch) -> None:
    may_end = threading.Event()

    class Slow(Counting):
        name = "slow"

        def give_back(self, process: str) -> None:
            assert may_end.wait(TIMEOUT_S)
            super().give_back(process)

    monkeypatch.setattr(worker_tasks, "END_TIMEOUT_S", TIMEOUT_S)
    tasks = [Counting(1), Slow(1), Slow(1)]
    work = asyncio.create_task(WorkerTasks("one", tasks).run())
    for task in tasks:
        assert await asyncio.to_thread(task.reached.wait, 20)
    work.cancel()
    await wait_until(lambda: tasks[0].given_back, "the quick task gives back")
    await asyncio.to_thread(threading.Event().is_set)  # a turn of the loop after its thread's end
    await run_ready()
    assert not work.done()
    may_end.set()
    await asyncio.gather(work, return_exceptions=True)
    assert work.cancelled()
    assert [task.given_back for task in tasks] == ["one"] * 3


async def test_a_task_that_fails_is_tried_again_and_logged(monkeypatch, records) -> None:
    monkeypatch.setattr(worker_tasks, "FAILURE_DELAY_S", 0.01)
    await run_until_reached(Counting(3, call_1=ValueError("broken")))
    [said] = [each for each in records.as_json() if each.get("event") == "worker_task_failed"]
    assert "the task counting failed" in said["message"]


async def test_an_outage_of_the_database_is_not_logged_by_each_task(monkeypatch, records) -> None:
    monkeypatch.setattr(worker_tasks, "FAILURE_DELAY_S", 0.01)
    monkeypatch.setattr(retry, "RETRY_DELAYS_S", RETRY_DELAYS_S)
    noted: list[Exception] = []

    def note(error: Exception) -> bool:
        noted.append(error)
        return note_outage(error)

    monkeypatch.setattr(worker_tasks, "note_outage", note)
    failure = OperationalError("disk I/O error")
    tries = 1 if connection.vendor == "sqlite" else len(RETRY_DELAYS_S) + 1
    failing = {f"call_{number}": failure for number in range(1, tries + 1)}
    await run_until_reached(Counting(tries + 1, **failing))
    assert noted == [failure]
    assert [each for each in records.as_json() if each.get("event") == "worker_task_failed"] == []
