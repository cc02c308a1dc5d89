"""Reads that share a call: fresh for each caller, and an error concerns only its own key."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest
from django.db import OperationalError

from play.storage import batched_reads
from play.storage.batched_reads import BatchedReads


class Reader:
    """Values by key in a changing store, with the keys of each call."""

    def __init__(self, *bad: int, error: Exception | None = None) -> None:
        self.calls: list[list[int]] = []
        self.called, self.go = asyncio.Event(), asyncio.Event()
        self.go.set()
        self.version = 0
        self.bad, self.error = bad, error or ValueError("bad")

    async def read_many(self, keys: Sequence[int]) -> Mapping[int, str | Exception]:
        self.calls.append(list(keys))
        self.called.set()
        version = self.version
        await self.go.wait()
        if set(keys) & set(self.bad):
            raise self.error
        return {key: f"{key} at {version}" for key in keys if key >= 0}


async def test_those_that_wait_at_the_same_time_share_a_call() -> None:
    reader = Reader()
    reads = BatchedReads(reader.read_many)
    found = await asyncio.gather(*(reads.get(key) for key in (1, 2, 1, 3, -1)))
    assert found == ["1 at 0", "2 at 0", "1 at 0", "3 at 0", None]
    assert reader.calls == [[1, 2, 3, -1]]


async def test_a_value_is_read_after_it_was_asked_for() -> None:
    reader = Reader()
    reads = BatchedReads(reader.read_many)
    reader.go.clear()
    early = asyncio.ensure_future(reads.get(1))
    await reader.called.wait()
    reader.version = 1
    late = asyncio.ensure_future(reads.get(1))
    await asyncio.sleep(0)
    reader.go.set()
    assert await asyncio.gather(early, late) == ["1 at 0", "1 at 1"]


async def test_a_call_is_for_a_bounded_number_of_keys(monkeypatch) -> None:
    monkeypatch.setattr(batched_reads, "MAX_KEYS", 2)
    reader = Reader()
    reads = BatchedReads(reader.read_many)
    assert len(await asyncio.gather(*(reads.get(key) for key in range(5)))) == 5
    assert reader.calls == [[0, 1], [2, 3], [4]]


async def test_what_cannot_be_read_for_one_is_no_error_of_the_others() -> None:
    reader = Reader(2)
    reads = BatchedReads(reader.read_many)
    found = await asyncio.gather(*(reads.get(key) for key in (1, 2, 3)), return_exceptions=True)
    assert (found[0], found[2]) == ("1 at 0", "3 at 0")
    assert isinstance(found[1], ValueError)


async def test_an_outage_is_met_once_by_all_that_wait() -> None:
    reader = Reader(2, error=OperationalError("database is locked"))
    reads = BatchedReads(reader.read_many)
    found = await asyncio.gather(*(reads.get(key) for key in (1, 2)), return_exceptions=True)
    assert [type(each) for each in found] == [OperationalError] * 2
    assert reader.calls == [[1, 2]]


async def test_a_value_that_is_an_error_is_raised() -> None:
    async def read_many(keys: Sequence[int]) -> dict[int, int | Exception]:
        return {key: KeyError(key) if key else 0 for key in keys}

    reads = BatchedReads(read_many)
    assert await reads.get(0) == 0
    with pytest.raises(KeyError):
        await reads.get(1)


async def test_a_caller_that_goes_away_takes_no_other_along() -> None:
    reader = Reader()
    reads = BatchedReads(reader.read_many)
    reader.go.clear()
    one, other = (asyncio.ensure_future(reads.get(1)) for _ in range(2))
    await reader.called.wait()
    one.cancel()
    reader.go.set()
    assert await other == "1 at 0"
    await reads.wait_until_done()
