"""Batches of changes: a conflict or an error of one affects no other."""

import asyncio
import contextlib
import threading

import pytest
from django.db import connection, transaction

from play.domain import clocks, commands
from play.domain.decide import decide
from play.models import Entry, Game, Sealed, Step
from play.storage import load, save
from play.storage.save import Verdict
from tests.support.loop_runtime import game_service
from tests.support.waiting import wait_until_sync

FIRST = {"pincer": "move 1 5 2 5", "blotto": "troops 1 2 7", "amazons": "move d1 d2"}
LOST, WON = Verdict.LOST, Verdict.WON
pytestmark = pytest.mark.django_db(transaction=True)
on_postgres = pytest.mark.networked("locks of rows, and several writers at a time")


def first_change(game: Game, user):
    """White's first action in a game, decided and not committed."""
    live = load.fetch(game.slug)
    act = commands.Act("a", 0, (FIRST[game.rules],))
    return decide(live, commands.Envelope(game.slug, user.pk, clocks.now(), act))


def rows_of(game: Game) -> tuple[int, int, int, int]:
    """The rev of a game, and how many steps, seals and entries besides the first it has."""
    rev = Game.objects.values_list("rev", flat=True).get(pk=game.pk)
    counts = (kind.objects.filter(game=game.pk).count() for kind in (Step, Sealed, Entry))
    steps, seals, entries = counts
    return rev, steps, seals, entries - 1


async def in_db(function, *args):
    """Run a function in a database thread."""
    return await game_service().run_in_db_thread(function, *args)


async def test_a_batch_writes_the_rows_of_each_game(table, people):
    games = [await table(key) for key in ("pincer", "blotto", "pincer")]

    def commit():
        return save.commit([first_change(game, people[0]) for game in reversed(games)])

    assert await in_db(commit) == [WON] * 3
    assert [await in_db(rows_of, game) for game in games] == [
        (1, 1, 0, 1), (1, 0, 1, 1), (1, 1, 0, 1),
    ]  # fmt: skip


async def test_a_game_whose_swap_is_lost_gets_no_rows_and_harms_no_other(table, people):
    games = [await table("pincer") for _ in range(3)]

    def commit():
        changes = [first_change(game, people[0]) for game in games]
        assert save.commit(changes[1:2]) == [WON]
        return save.commit(changes)

    assert await in_db(commit) == [WON, LOST, WON]
    assert [await in_db(rows_of, game) for game in games] == [(1, 1, 0, 1)] * 3


def at_end_of_transaction(has_begun: threading.Event, may_end: threading.Event, write) -> None:
    """Write something in a transaction that stays open until it may end."""
    try:
        with transaction.atomic():
            write()
            has_begun.set()
            assert may_end.wait(30)
    finally:
        connection.close()


@contextlib.asynccontextmanager
async def other_transaction(write):
    """Hold open a transaction that has written something, until the event is set."""
    has_begun, may_end = threading.Event(), threading.Event()
    thread = threading.Thread(target=at_end_of_transaction, args=(has_begun, may_end, write))
    thread.start()
    try:
        assert await asyncio.to_thread(has_begun.wait, 30)
        yield may_end
    finally:
        may_end.set()
        await asyncio.to_thread(thread.join)


def wait_until_locked() -> None:
    """Wait until a connection to this database waits for a lock."""
    waiting = (
        "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
        "AND datname = current_database())"
    )

    def is_waiting() -> bool:
        with connection.cursor() as cursor:
            cursor.execute(waiting)
            return cursor.fetchone()[0]

    wait_until_sync(is_waiting, "a connection waits for a lock")


@on_postgres
async def test_a_swap_that_waits_for_another_process_is_compared_with_what_that_commits(
    table, people
):
    games = [await table("pincer") for _ in range(2)]
    changes = [await in_db(first_change, game, people[0]) for game in games]
    move_on = Game.objects.filter(pk=games[1].pk).update
    async with other_transaction(lambda: move_on(rev=1)) as may_end:
        committing = asyncio.create_task(game_service().write(save.commit, changes))
        await in_db(wait_until_locked)
        may_end.set()
        assert await committing == [WON, LOST]
    assert [await in_db(rows_of, game) for game in games] == [(1, 1, 0, 1), (1, 0, 0, 0)]


@on_postgres
async def test_an_error_in_the_middle_of_a_batch_rolls_it_back_and_each_game_has_its_own(
    table, people
):
    games = [await table("pincer") for _ in range(3)]
    changes = [await in_db(first_change, game, people[0]) for game in games]

    def commit_impatiently():
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = 100")
        try:
            return save.commit(changes)
        finally:
            with connection.cursor() as cursor:
                cursor.execute("RESET lock_timeout")

    lock = Game.objects.select_for_update().get
    async with other_transaction(lambda: lock(pk=games[1].pk)):
        verdicts = await game_service().write(commit_impatiently)
    assert verdicts == [WON, Verdict.FAILED, WON]
    ends = [(1, 1, 0, 1), (0, 0, 0, 0), (1, 1, 0, 1)]
    assert [await in_db(rows_of, game) for game in games] == ends


@on_postgres
async def test_two_processes_that_write_the_same_games_do_not_deadlock(table, people):
    games = [await table("pincer") for _ in range(12)]
    changes = [await in_db(first_change, game, people[0]) for game in games]
    one, other = await asyncio.gather(
        game_service().write(save.commit, changes), in_db(save.commit, changes[::-1])
    )
    assert [{mine, theirs} for mine, theirs in zip(one, other[::-1], strict=True)] == [
        {WON, LOST}
    ] * 12
