"""A database that fails in the middle: everything is tried again, and nothing happens twice."""

import asyncio
import threading

import pytest
from django.db import OperationalError, connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from play import act, again, clocks
from play.desk import desk
from play.models import Entry, Game
from play.refusals import Refused

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.networked("a connection can be lost only where there is a server"),
]
KILL = "SELECT pg_terminate_backend(%s)"


def end_backend(line) -> None:
    """Has PostgreSQL end the process that serves a psycopg connection."""
    import psycopg

    with psycopg.connect(line.info.dsn, autocommit=True) as other:
        other.execute(KILL, [line.info.backend_pid])


class Saboteur:
    """Loses connections of the thread that writes games, when it commits."""

    def __init__(self, monkeypatch) -> None:
        self.plan: list[str] = []  # "before" or "after" the commit, for one commit after the other
        self.commits = 0
        commit = BaseDatabaseWrapper._commit

        def lost(wrapper: BaseDatabaseWrapper) -> None:
            if not threading.current_thread().name.startswith("quiver-writer"):
                return commit(wrapper)
            self.commits += 1
            when = self.plan.pop(0) if self.plan else ""
            if when == "before":
                end_backend(wrapper.connection)
            commit(wrapper)
            if when == "after":
                end_backend(wrapper.connection)
                with wrapper.wrap_database_errors:
                    wrapper.connection.execute("SELECT 1")
            return None

        monkeypatch.setattr(BaseDatabaseWrapper, "_commit", lost)


@pytest.fixture
def saboteur(monkeypatch) -> Saboteur:
    return Saboteur(monkeypatch)


async def first_move(game, user, id: str):
    """White's first action in Pincer."""
    live = await desk().find(game.slug)
    action = str(next(iter(live.rules.choices(live.rules.start(), "white"))))
    return await act.act(game.slug, user.pk, 0, (action,), id, clocks.now())


async def entries(game) -> list[tuple[int, str]]:
    def read():
        return list(Entry.objects.filter(game=game.pk).order_by("rev").values_list("rev", "kind"))

    return await desk().read(read)


async def test_a_connection_that_dies_before_the_commit_is_replaced(table, people, saboteur):
    game = await table("pincer")
    saboteur.plan = ["before"]
    receipt = await first_move(game, people[0], "one")
    assert (receipt.rev, receipt.again) == (1, False)
    assert await entries(game) == [(0, "open"), (1, "act")]


async def test_what_was_committed_when_the_connection_died_is_looked_up_and_not_done_again(
    table, people, saboteur
):
    game = await table("pincer")
    saboteur.plan = ["after"]
    receipt = await first_move(game, people[0], "one")
    assert (receipt.id, receipt.rev) == ("one", 1)
    assert await entries(game) == [(0, "open"), (1, "act")]
    same = await first_move(game, people[0], "one")
    assert same.again and (same.rev, same.at, same.hash) == (1, receipt.at, receipt.hash)


async def test_a_batch_of_which_nobody_knows_is_found_whole(table, people, saboteur):
    games = [await table("pincer") for _ in range(4)]
    saboteur.plan = ["after", "after"]
    done = await asyncio.gather(*(first_move(game, people[0], "one") for game in games))
    assert [each.rev for each in done] == [1] * 4
    for game in games:
        assert await entries(game) == [(0, "open"), (1, "act")]


async def test_a_database_that_fails_every_time_says_nothing_for_certain_and_is_asked_again(
    table, people, saboteur
):
    game = await table("pincer")
    saboteur.plan = ["before"] * (len(again.WAITS) + 1)
    with pytest.raises(Refused) as refused:
        await first_move(game, people[0], "one")
    assert refused.value.reason == "unsure"
    assert await entries(game) == [(0, "open")]
    assert (await first_move(game, people[0], "one")).rev == 1


async def test_what_was_saved_just_before_the_database_went_is_never_said_to_have_failed(
    table, people, saboteur
):
    game = await table("pincer")
    saboteur.plan = ["after"] + ["before"] * len(again.WAITS)
    with pytest.raises(Refused) as refused:
        await first_move(game, people[0], "one")
    assert refused.value.reason == "unsure"
    assert await entries(game) == [(0, "open"), (1, "act")]
    receipt = await first_move(game, people[0], "one")
    assert (receipt.rev, receipt.again) == (1, True)


async def test_a_reader_whose_connection_has_died_reads_all_the_same(table):
    game = await table("pincer")
    await desk().read(lambda: end_backend(connection.connection))
    assert await desk().read(Game.objects.filter(pk=game.pk).count) == 1


def test_a_transaction_inside_another_is_not_begun_again():
    tries = []

    def fail() -> None:
        tries.append(1)
        raise OperationalError("server closed the connection unexpectedly")

    with pytest.raises(OperationalError), transaction.atomic():
        again.again(fail)
    assert len(tries) == 1
