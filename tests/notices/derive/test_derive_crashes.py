"""A round may die at any statement, and entries may come late: nothing is lost or doubled."""

from contextlib import suppress

import pytest
from django.db import connection

from accounts.people import relations
from lobby.lobbies import challenges
from lobby.lobby_options import Options
from notices.derive import ledger_reader
from notices.derive.ledger_reader import LedgerReader
from notices.derive.round import LEASE, LEASE_MS, Memory, lease_ms, run_round
from notices.models import Cursor, Notice
from play.domain.clocks import SECOND_MS
from play.models import Entry
from play.process_models import Lease
from play.storage import leases
from play.time_controls import fischer_clock
from tests.support.notice_games import PROCESS, TimedGame, rows_without_ids, settled
from tests.support.notice_month import Crash, CrashAt
from tests.support.page_visitors import someone

pytestmark = pytest.mark.django_db
HOUR_MS = 3_600 * SECOND_MS
MAX_STATEMENTS = 400


def play(ada, bob) -> TimedGame:
    """A story with all kinds of notices of games."""
    cyn = someone("cyn")
    relations.follow(cyn, "ada")
    challenges.challenge(cyn, "bob", Options("pincer", fischer_clock(3, 2), "lot", False))
    game = TimedGame(ada, bob, public=True)
    game.turn("white", HOUR_MS)
    game.ask("takeback", "offer", "white", HOUR_MS)
    ended = TimedGame(ada, bob)
    ended.resign("white", HOUR_MS)
    TimedGame(ada, bob, "blotto").turn("black", HOUR_MS)
    return game


def told() -> list:
    """The notices without what differs between two databases: slugs and times of opening."""
    return sorted((row[0], row[1], row[3], row[8], row[9]) for row in rows_without_ids())


@pytest.mark.slow
def test_a_crash_at_any_statement_changes_nothing_of_what_is_told(ada, bob) -> None:
    settled(0)
    game = play(ada, bob)
    first = Cursor.objects.get().entry
    at = game.start + HOUR_MS + SECOND_MS
    settled(at)
    wanted = rows_without_ids()
    assert len({row[1] for row in wanted}) >= 6
    for number in range(1, MAX_STATEMENTS):
        Notice.objects.all().delete()
        Cursor.objects.update(entry=first)
        crash = CrashAt(number)
        with suppress(Crash), connection.execute_wrapper(crash):
            settled(at)
        settled(at)
        assert rows_without_ids() == wanted
        if crash.left > 0:
            return
    pytest.fail("the round has more statements than this test crashes at")


@pytest.mark.nightly
@pytest.mark.slow
def test_a_crash_in_the_first_pass_is_made_up_for(ada, bob) -> None:
    game = play(ada, bob)
    at = game.start + HOUR_MS + SECOND_MS
    settled(at)
    wanted = rows_without_ids()
    for number in range(1, MAX_STATEMENTS):
        Notice.objects.all().delete()
        Cursor.objects.all().delete()
        crash = CrashAt(number)
        with suppress(Crash), connection.execute_wrapper(crash):
            settled(at)
        settled(at)
        assert rows_without_ids() == wanted
        if crash.left > 0:
            return
    pytest.fail("the round has more statements than this test crashes at")


def test_another_process_derives_only_when_the_lease_has_run_out(ada, bob) -> None:
    settled(0)
    game = TimedGame(ada, bob)
    memory, at = Memory(), game.start
    leases.give_back(LEASE, PROCESS)
    assert run_round("one", at, memory) is not None
    game.turn("white", SECOND_MS)
    assert run_round("two", at + SECOND_MS, Memory()) is None
    assert not Notice.objects.filter(user=bob).exists()
    assert run_round("two", at + lease_ms() + 1, Memory()) is not None
    assert Notice.objects.filter(user=bob).exists()
    assert run_round("one", at + lease_ms() + 2, memory) is None
    assert run_round("one", at + lease_ms() + 3, memory) is None
    assert Lease.objects.get(pk=LEASE).process == "two"
    assert lease_ms() >= LEASE_MS


def test_a_process_that_gets_the_lease_back_goes_on_where_the_other_was(ada, bob) -> None:
    settled(0)
    mine, game = Memory(), TimedGame(ada, bob)
    game.round(0, mine)
    game.turn("white", HOUR_MS)
    game.round(HOUR_MS)  # another process
    before = rows_without_ids()
    game.round(HOUR_MS, mine)
    assert rows_without_ids() == before


def entry(game, number) -> Entry:
    """An entry with an id of its own, as one that commits late has."""
    row = Entry.objects.filter(game=game.game.pk).latest("rev")
    return Entry(
        pk=number, game_id=row.game_id, rev=row.rev + number, kind="x", received_at=0, body="{}"
    )


def test_an_entry_that_commits_late_is_read(ada, bob, monkeypatch) -> None:
    monkeypatch.setattr(ledger_reader, "settle_ms", lambda: ledger_reader.SETTLE_MS)
    game, at = TimedGame(ada, bob), 1_000_000
    base = Entry.objects.latest("pk").pk
    Cursor.objects.create(pk=1, entry=base)
    reader = LedgerReader()
    assert reader.load()
    entry(game, base + 3).save(force_insert=True)
    read = reader.read()
    assert [each.pk for each in read] == [base + 3]
    reader.finish(read, at)
    assert reader.read() == []
    entry(game, base + 1).save(force_insert=True)
    read = reader.read()
    assert [each.pk for each in read] == [base + 1]
    reader.finish(read, at + SECOND_MS)
    assert Cursor.objects.get().entry == base
    again = LedgerReader()  # after a crash, both are read once more
    assert again.load()
    assert [each.pk for each in again.read()] == [base + 1, base + 3]
    reader.finish([], at + ledger_reader.SETTLE_MS + SECOND_MS)
    assert Cursor.objects.get().entry == base + 3
    assert reader.load()
    assert (reader.read(), reader.done, len(reader.horizons)) == ([], set(), 0)


def test_more_entries_than_a_batch_are_read_in_order(ada, bob, monkeypatch) -> None:
    monkeypatch.setattr(ledger_reader, "BATCH", 2)
    settled(0)
    game, reader = TimedGame(ada, bob), LedgerReader()
    for number in range(1, 5):
        game.turn("white" if number % 2 else "black", number * HOUR_MS, seed=number)
    assert reader.load()
    seen = []
    while read := reader.read():
        assert len(read) <= 2
        seen += [each.pk for each in read]
        reader.finish(read, game.start)
    assert seen == list(Entry.objects.order_by("pk").values_list("pk", flat=True))
