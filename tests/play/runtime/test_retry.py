"""Database failures in the middle: retries, and nothing happens twice."""

import asyncio
import threading

import pytest
from django.db import OperationalError, connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from accounts.refusals import Refused
from play.domain import clocks
from play.domain.commands import Act
from play.models import Entry, Game
from play.runtime import game_commands
from play.storage import retry
from tests.support.loop_runtime import game_service

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
    live = await game_service().find(game.slug)
    action = str(next(iter(live.rules.choices(live.rules.start(), "white"))))
    return await game_commands.perform(
        game_service(), game.slug, user.pk, Act(id, 0, (action,)), clocks.now()
    )


async def entries(game) -> list[tuple[int, str]]:
    def read():
        return list(Entry.objects.filter(game=game.pk).order_by("rev").values_list("rev", "kind"))

    return await game_service().run_in_db_thread(read)


async def test_a_connection_that_dies_before_the_commit_is_replaced(table, people, saboteur):
    game = await table("pincer")
    saboteur.plan = ["before"]
    receipt = await first_move(game, people[0], "one")
    assert (receipt.rev, receipt.again) == (1, False)
    assert await entries(game) == [(0, "open"), (1, "act")]


async def test_a_commit_before_a_lost_connection_is_looked_up_and_not_repeated(
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
    saboteur.plan = ["before"] * (len(retry.RETRY_DELAYS_S) + 1)
    with pytest.raises(Refused) as refused:
        await first_move(game, people[0], "one")
    assert refused.value.reason == "unsure"
    assert await entries(game) == [(0, "open")]
    assert (await first_move(game, people[0], "one")).rev == 1


async def test_a_commit_just_before_an_outage_is_never_reported_as_failed(table, people, saboteur):
    game = await table("pincer")
    saboteur.plan = ["after"] + ["before"] * len(retry.RETRY_DELAYS_S)
    with pytest.raises(Refused) as refused:
        await first_move(game, people[0], "one")
    assert refused.value.reason == "unsure"
    assert await entries(game) == [(0, "open"), (1, "act")]
    receipt = await first_move(game, people[0], "one")
    assert (receipt.rev, receipt.again) == (1, True)


async def test_a_reader_whose_connection_has_died_reads_all_the_same(table):
    game = await table("pincer")
    await game_service().run_in_db_thread(lambda: end_backend(connection.connection))
    assert await game_service().run_in_db_thread(Game.objects.filter(pk=game.pk).count) == 1


def test_a_transaction_inside_another_is_not_begun_again():
    tries = []

    def fail() -> None:
        tries.append(1)
        raise OperationalError("server closed the connection unexpectedly")

    with pytest.raises(OperationalError), transaction.atomic():
        retry.retry(fail)
    assert len(tries) == 1
