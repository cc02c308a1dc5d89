"""Spot checks of published reviews: drawn after submission, equal to the bit, taken over."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor

import pytest
from asgiref.sync import sync_to_async

from analysis.board.game_positions import searched_positions
from analysis.reviews import review_checks
from analysis.reviews.models import Review
from analysis.reviews.review_checker import ReviewChecker
from analysis.reviews.review_checks import LEASE_MS, MAX_TRIES, claim, draw_positions
from analysis.reviews.reviews import digest_of
from games.catalogue import rules_of
from games.players.analysis.review import judge
from games.reviews import RUNGS, SEED
from play.domain.clocks import now
from play.models import Game
from play.storage import load
from tests.analysis.test_analysis import played
from tests.support.loop_runtime import game_service
from tests.support.page_visitors import someone
from tests.support.run.gates import nightly
from tests.support.waiting import wait_until

pytest.importorskip("numba")
pytestmark = [pytest.mark.django_db, pytest.mark.slow]
in_thread = sync_to_async


@pytest.fixture
def people(db):
    return someone("ada"), someone("bob")


def published(people, key="pincer", nodes=RUNGS[0], turns=4) -> Review:
    """A review with the values that the engine finds."""
    timed = played(*people, key, turns)
    game = load.fetch(timed.slug)
    values = []
    for state in searched_positions(game):
        found = judge(game.rules, state, nodes)
        values.append([found.value, list(found.best), found.is_proved])
    return Review.objects.create(
        game_id=game.id, digest=digest_of(key), nodes=nodes, seed=SEED, values=values,
        user=people[0], created=now(),
    )  # fmt: skip


class Worker:
    """A worker that is free or not; `looks` counts how often that was asked."""

    def __init__(self) -> None:
        self.has_time, self.looks = False, 0

    def is_free(self) -> bool:
        self.looks += 1
        return self.has_time

    async def until_asked_again(self) -> None:
        """Wait until a check has looked more often than it has positions to search."""
        await wait_until(lambda: self.looks > 4, "the check looks again whether it may go on")


async def check_one(worker="a worker", is_free=lambda: True) -> bool:
    with ThreadPoolExecutor(1) as thread:
        return await ReviewChecker(game_service(), worker, is_free).check_next(thread)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("key", ["pincer", "amazons", *nightly("amazons-8x8")])
async def test_a_true_review_is_checked_at_two_positions(people, key, at_work) -> None:
    assert not await check_one()
    await in_thread(published)(people, key)
    assert await check_one()
    row = await in_thread(Review.objects.get)()
    assert len(set(row.checked_positions)) == 2 and max(row.checked_positions) <= 4
    assert (row.worker, row.until) == ("", 0)
    assert not await check_one()


@pytest.mark.parametrize("part", ["value", "best", "proof"])
async def test_one_value_that_differs_discards_the_review(
    people, part, at_work, monkeypatch, caplog
) -> None:
    row = await in_thread(published)(people)
    value, best, is_proved = row.values[3]
    wrong = {
        "value": [value + 2**-40, best, is_proved],
        "best": [value, ["move 1 1 1 2"], is_proved],
        "proof": [value, best, not is_proved],
    }[part]
    row.values[3] = wrong
    await in_thread(row.save)()
    monkeypatch.setattr(review_checks, "draw_positions", lambda count: [0, 3])
    with caplog.at_level(logging.WARNING, "quiver.study"):
        assert await check_one()
    assert not await in_thread(Review.objects.exists)()
    (record,) = [each for each in caplog.records if each.name == "quiver.study"]
    assert record.event == "review_discarded" and "position 3" in record.getMessage()


def test_positions_are_drawn_of_all_and_never_twice_the_same() -> None:
    draws = {tuple(draw_positions(6)) for _ in range(400)}
    assert draws == {(low, high) for low in range(6) for high in range(low + 1, 6)}
    assert draw_positions(1) == [0]


async def test_it_waits_while_a_computer_player_has_a_turn(people, at_work) -> None:
    await in_thread(published)(people)
    worker = Worker()
    checking = asyncio.create_task(check_one(is_free=worker.is_free))
    await worker.until_asked_again()
    assert not checking.done()
    assert (await in_thread(Review.objects.get)()).checked == ""
    worker.has_time = True
    assert await checking
    assert (await in_thread(Review.objects.get)()).checked


async def test_what_a_killed_worker_began_another_checks(people, at_work) -> None:
    await in_thread(published)(people)
    row = await in_thread(claim)("killed", now())
    assert row is not None and not await check_one()
    await in_thread(Review.objects.update)(until=now() - 1)
    assert await check_one("another")
    assert (await in_thread(Review.objects.get)()).checked


async def test_a_cancelled_check_is_free_at_once_and_counts_as_no_try(people, at_work) -> None:
    await in_thread(published)(people)
    worker = Worker()
    checking = asyncio.create_task(check_one(is_free=worker.is_free))
    await worker.until_asked_again()
    assert (await in_thread(Review.objects.get)()).worker == "a worker"
    checking.cancel()
    await asyncio.gather(checking, return_exceptions=True)
    row = await in_thread(Review.objects.get)()
    assert (row.worker, row.tries, row.checked) == ("", 0, "")


async def test_a_review_that_took_its_place_meanwhile_is_not_called_checked(
    people, at_work
) -> None:
    row = await in_thread(published)(people)
    worker = Worker()
    checking = asyncio.create_task(check_one(is_free=worker.is_free))
    await worker.until_asked_again()
    deeper = {"nodes": RUNGS[1], "created": now() + 1, "worker": "", "until": 0, "tries": 0}
    await in_thread(Review.objects.filter(pk=row.pk).update)(**deeper)
    worker.has_time = True
    assert await checking
    assert (await in_thread(Review.objects.get)()).checked == ""


async def test_a_failure_is_tried_some_times_and_no_more(people, at_work, monkeypatch) -> None:
    await in_thread(published)(people)

    def fail(*args):
        raise RuntimeError("planted")

    monkeypatch.setattr("analysis.reviews.review_checker.judge", fail)
    for _ in range(MAX_TRIES):
        with pytest.raises(RuntimeError, match="planted"):
            await check_one()
    assert not await check_one()
    row = await in_thread(Review.objects.get)()
    assert (row.checked, row.worker) == ("", "")


def test_two_workers_do_not_check_the_same_and_a_lost_lease_saves_nothing(people) -> None:
    row, at = published(people), now()
    held = claim("one", at)
    assert held is not None and claim("two", at) is None
    assert claim("two", at + LEASE_MS + 1) is not None
    review_checks.save(held, "one", [0, 1])
    assert not review_checks.discard(held, "one") and not review_checks.extend(held, "one", at)
    row.refresh_from_db()
    assert (row.checked, row.worker) == ("", "two")


def test_reviews_by_another_build_and_deleted_games_are_left_alone(people) -> None:
    row = published(people)
    Review.objects.update(digest="another")
    assert claim("one", now()) is None
    Review.objects.update(digest=row.digest)
    Game.objects.update(rules="withdrawn")
    assert claim("one", now()) is None
    Game.objects.update(rules="pincer")
    assert claim("one", now()) is not None


def test_the_best_turn_is_the_first_of_the_line() -> None:
    rules = rules_of("amazons-8x8")
    found = judge(rules, rules.start(), RUNGS[0])
    assert [text.split()[0] for text in found.best] == ["move", "fire"]
    assert found == judge(rules, rules.start(), RUNGS[0])
    pincer = rules_of("pincer")
    assert 1 <= len(judge(pincer, pincer.start(), RUNGS[1]).best) <= 2
