"""Derive notices: one round, by the process that holds the lease.

A round reads a batch of new ledger entries, loads the current state of their games, writes the
changed notices, and then moves the cursor. The process may die at any statement: the next round
derives the same again, and the unique key of a notice prevents duplicates.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

from notices import records
from notices.derive import polls, starts
from notices.derive.game_notices import derive, looks_again_at
from notices.derive.game_view import GameView, News, load_open, load_views, note_entry
from notices.derive.ledger_reader import BATCH, LedgerReader, newest_entry
from notices.models import Kind, Notice
from notices.records import Batch
from play.domain.clocks import SECOND_MS
from play.models import Game
from play.storage import leases

LEASE = "notices"
LEASE_MS = 5 * SECOND_MS
# On SQLite one process of the machine derives, and every commit makes web processes look.
EMBEDDED_LEASE_MS = 20 * SECOND_MS
INTERVAL_S = 1.0  # between two rounds
GAMES_A_WRITE = 50  # games whose notices are written in one transaction: players wait for it
DRAFTS_A_WRITE = 200
FIRST_PASS_GAMES = 200  # games of one round of the first pass


@dataclass
class Memory:
    """The state of a process between rounds; only a little work is lost with it."""

    reader: LedgerReader = field(default_factory=LedgerReader)
    rounds: int = 0
    held_from: int = 0  # this process holds the lease between these times, without a question
    held_until: int = 0
    again: dict[int, int] = field(default_factory=dict)  # games to look at again, and when
    first_entry: int | None = None  # newest entry when the first pass began
    first_game: int = 0  # id up to which the first pass is done


MEMORY = Memory()


def run_round(process: str, at: int, memory: Memory = MEMORY) -> float | None:
    """Derive notices at `at` (epoch ms) if this process gets or holds the lease.

    Return after how many seconds to call again; None if another process holds the lease.
    """
    if not memory.held_from <= at < memory.held_until:
        if not leases.take(LEASE, process, at, lease_ms()):
            return None
        if not memory.reader.load():
            _first_pass(memory, at)
            return 0.0
        memory.held_from, memory.held_until = at, at + lease_ms() // 2
    entries = memory.reader.read()
    news: dict[int, News] = defaultdict(News)
    for entry in entries:
        note_entry(news[entry.game_id], entry)
    for game in [game for game, when in memory.again.items() if when <= at]:
        del memory.again[game]
        news[game].is_open = True
    look_at(news, at, memory.again)
    memory.reader.finish(entries, at)
    run_poll(memory, at)
    return 0.0 if len(entries) == BATCH else INTERVAL_S


def lease_ms() -> int:
    """Return for how long a process holds the lease."""
    return EMBEDDED_LEASE_MS if connection.vendor == "sqlite" else LEASE_MS


def give_back(process: str, memory: Memory = MEMORY) -> None:
    """Give the lease back, so that another process need not wait for its end."""
    memory.held_until = 0
    leases.give_back(LEASE, process)


def look_at(news: Mapping[int, News], at: int, again: dict[int, int] | None = None) -> None:
    """Write the notices of games with news; note in `again` those to look at once more."""
    ids = sorted(news)
    for start in range(0, len(ids), GAMES_A_WRITE):
        part = ids[start : start + GAMES_A_WRITE]
        views = load_views(part)
        batch = batch_of(views, news, at)
        write_all(batch, at)
        for game, view in views.items():
            when = looks_again_at(view, news[game], at)
            if again is not None and when is not None:
                again[game] = when


def batch_of(views: Mapping[int, GameView], news: Mapping[int, News], at: int) -> Batch:
    """Return all changes of notices by news about some games."""
    batch, open_notices = Batch(), load_open(views.values())
    for game, view in views.items():
        batch.add(derive(view, news[game], open_notices.get(view.slug, ()), at))
    begun = [view for game, view in views.items() if news[game].opened]
    batch.add(starts.draft_joins(begun))
    batch.add(starts.draft_plays(begun, at))
    return batch


def write_all(batch: Batch, at: int) -> None:
    """Write a batch in short transactions; those that follow a crash find the first part done."""
    drafts = _one_an_hour(batch.drafts)
    while len(drafts) > DRAFTS_A_WRITE:
        records.write(Batch(drafts=drafts[:DRAFTS_A_WRITE]), at)
        drafts = drafts[DRAFTS_A_WRITE:]
    rest = Batch(drafts, batch.closing, batch.moves)
    if rest:
        records.write(rest, at)


def run_poll(memory: Memory, at: int) -> None:
    """Run the polls whose round has come."""
    for poll, interval, offset in polls.POLLS:
        if memory.rounds % interval == offset:
            write_all(poll(at), at)
    memory.rounds += 1


def _one_an_hour(drafts: Collection[records.Draft]) -> list[records.Draft]:
    """Drop all but the first draft about one followed account for each follower."""
    seen: set[tuple[Any, ...]] = set()
    kept = []
    for draft in drafts:
        key = (draft.user, draft.serial) if draft.kind == Kind.PLAYS else draft.key
        if key not in seen:
            kept.append(draft)
        seen.add(key)
    return kept


def _first_pass(memory: Memory, at: int) -> None:
    """Look at a batch of the games that run, on a database without a cursor.

    The cursor is stored at the end: after a crash it starts again.
    """
    if memory.first_entry is None:
        memory.first_entry, memory.first_game = newest_entry(), 0
        _note_old_suspensions(at)
    live = Game.objects.live().filter(pk__gt=memory.first_game).order_by("pk")
    ids = list(live.values_list("pk", flat=True)[:FIRST_PASS_GAMES])
    if ids:
        look_at({game: News(is_open=True) for game in ids}, at, memory.again)
        memory.first_game = ids[-1]
        return
    memory.reader.begin(memory.first_entry)
    memory.first_entry = None


def _note_old_suspensions(at: int) -> None:
    """Record suspensions and mutes older than the first start as already read."""
    for poll in (polls.poll_suspensions, polls.poll_mutes):
        batch = poll(at)
        records.write(batch, at)
        keys = [draft.user for draft in batch.drafts]
        Notice.objects.filter(user__in=keys, kind=Kind.MODERATION, read=None).update(read=at)
