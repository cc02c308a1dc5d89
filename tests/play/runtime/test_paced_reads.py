"""Polls of the database after commits: their share of the time, and the commits that count."""

import asyncio

import pytest

from play.domain import clocks
from play.runtime import commit_watcher, periodic
from play.runtime.commit_watcher import PacedReads
from play.storage.last_seen import Looks, write_last_seen
from tests.support.loop_runtime import game_service

SHARES = {"game": 0.5}


class Reads:
    """Reads that take a while; `failures` of them fail first."""

    def __init__(self, failures: int = 0) -> None:
        self.began_at: list[float] = []
        self._failures = failures

    async def __call__(self, kind: str) -> float:
        self.began_at.append(asyncio.get_running_loop().time())
        await asyncio.sleep(0.02)
        if self._failures:
            self._failures -= 1
            raise RuntimeError("planted")
        return 0.02

    async def wait_for(self, count: int) -> None:
        """Wait until so many reads have begun."""
        async with asyncio.timeout(5):
            while len(self.began_at) < count:  # noqa: ASYNC110 - reads are called by timers
                await asyncio.sleep(0.005)


async def test_polls_share_one_read_that_comes_when_its_share_of_the_time_allows_it() -> None:
    reads = Reads()
    paced = PacedReads(reads)
    for _ in range(5):
        await paced.poll(SHARES)
    assert len(reads.began_at) == 1
    await reads.wait_for(2)
    first, second = reads.began_at
    assert second - first >= 0.055  # it took 0.02 s, and has half of the time
    await asyncio.sleep(0.15)
    assert len(reads.began_at) == 2
    await paced.poll(SHARES)
    await reads.wait_for(3)
    paced.close()


async def test_a_poll_during_a_late_read_has_the_kind_read_once_more_in_its_time() -> None:
    reads = Reads()
    paced = PacedReads(reads)
    await paced.poll(SHARES)
    await paced.poll(SHARES)  # reads later
    await reads.wait_for(2)
    for _ in range(3):
        await paced.poll(SHARES)  # that read runs
    assert len(reads.began_at) == 2
    await reads.wait_for(3)
    assert reads.began_at[2] - reads.began_at[1] >= 0.055
    paced.close()


async def test_a_kind_that_takes_long_delays_no_other() -> None:
    reads = Reads()
    paced = PacedReads(reads)
    await paced.poll({"chat": 0.001})
    await paced.poll({"chat": 0.001, "game": 0.1})
    assert len(reads.began_at) == 2
    paced.close()


async def test_a_late_read_that_fails_is_tried_until_it_succeeds(monkeypatch, caplog) -> None:
    monkeypatch.setattr(commit_watcher, "POLL_INTERVAL_S", 0.01)
    reads = Reads()
    paced = PacedReads(reads)
    await paced.poll(SHARES)
    reads._failures = 1
    await paced.poll(SHARES)
    await reads.wait_for(3)
    assert "planted" in caplog.text
    paced.close()


@pytest.mark.embedded("other databases do not tell whose commit it was")
@pytest.mark.django_db(transaction=True)
async def test_heartbeats_and_presence_are_no_commits_of_another_process(table) -> None:
    game, games = await table("pincer"), game_service()
    before = await games.version_of_others()
    await games.write_housekeeping(periodic.write_heartbeat, clocks.now())
    await games.write_housekeeping(write_last_seen, {(game.pk, "white")}, clocks.now(), Looks())
    assert await games.version_of_others() == before
    await games.run_in_db_thread(periodic.write_heartbeat, clocks.now() + 1)
    assert await games.version_of_others() != before
