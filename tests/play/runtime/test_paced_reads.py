"""Polls of the database after commits: their share of the time, and the commits that count."""

import asyncio

import pytest

from play.domain import clocks
from play.runtime import commit_watcher, periodic
from play.runtime.commit_watcher import PacedReads
from play.storage.last_seen import Looks, write_last_seen
from tests.support.loop_runtime import game_service
from tests.support.waiting import turn_loop_clock

TOOK_S = 60.0  # of each read: no test takes that long
WAIT_S = 120.0  # from a read to the next: a read has half of the time
SHARES = {"game": TOOK_S / WAIT_S}


class Reads:
    """Reads that say that they took a minute; `failures` of them fail first."""

    def __init__(self, failures: int = 0) -> None:
        self.count = 0
        self.may_end = asyncio.Event()
        self.may_end.set()
        self._failures = failures

    async def __call__(self, kind: str) -> float:
        self.count += 1
        await self.may_end.wait()
        if self._failures:
            self._failures -= 1
            raise RuntimeError("planted")
        return TOOK_S


@pytest.fixture(autouse=True)
def _reads_may_be_late(monkeypatch) -> None:
    monkeypatch.setattr(commit_watcher, "MAX_READ_DELAY_S", WAIT_S)


async def test_polls_share_one_read_that_comes_when_its_share_of_the_time_allows_it() -> None:
    reads = Reads()
    paced = PacedReads(reads)
    for _ in range(5):
        await paced.poll(SHARES)
    assert reads.count == 1
    await turn_loop_clock(WAIT_S / 2)
    assert reads.count == 1
    await turn_loop_clock(WAIT_S / 2)
    assert reads.count == 2
    await turn_loop_clock(10 * WAIT_S)
    assert reads.count == 2
    await paced.poll(SHARES)
    assert reads.count == 3
    paced.close()


async def test_a_poll_during_a_late_read_has_the_kind_read_once_more_in_its_time() -> None:
    reads = Reads()
    paced = PacedReads(reads)
    await paced.poll(SHARES)
    await paced.poll(SHARES)  # reads later
    reads.may_end.clear()
    await turn_loop_clock(WAIT_S)
    assert reads.count == 2
    for _ in range(3):
        await paced.poll(SHARES)  # that read runs
    reads.may_end.set()
    await turn_loop_clock(WAIT_S / 2)
    assert reads.count == 2
    await turn_loop_clock(WAIT_S / 2)
    assert reads.count == 3
    paced.close()


async def test_a_kind_that_takes_long_delays_no_other() -> None:
    reads = Reads()
    paced = PacedReads(reads)
    await paced.poll({"chat": 0.001})
    await paced.poll({"chat": 0.001, "game": 0.1})
    assert reads.count == 2
    paced.close()


async def test_a_late_read_that_fails_is_tried_until_it_succeeds(monkeypatch, caplog) -> None:
    monkeypatch.setattr(commit_watcher, "POLL_INTERVAL_S", WAIT_S)
    reads = Reads()
    paced = PacedReads(reads)
    await paced.poll(SHARES)
    reads._failures = 1
    await paced.poll(SHARES)
    await turn_loop_clock(WAIT_S)
    assert reads.count == 2
    assert "planted" in caplog.text
    await turn_loop_clock(WAIT_S)
    assert reads.count == 3
    await turn_loop_clock(WAIT_S)
    assert reads.count == 3
    paced.close()


@pytest.mark.django_db(transaction=True)
@pytest.mark.embedded("other databases do not tell whose commit it was")
async def test_heartbeats_and_presence_are_no_commits_of_another_process(table) -> None:
    game, games = await table("pincer"), game_service()
    before = await games.version_of_others()
    await games.write_housekeeping(periodic.write_heartbeat, clocks.now())
    await games.write_housekeeping(write_last_seen, {(game.pk, "white")}, clocks.now(), Looks())
    assert await games.version_of_others() == before
    await games.run_in_db_thread(periodic.write_heartbeat, clocks.now() + 1)
    assert await games.version_of_others() != before
