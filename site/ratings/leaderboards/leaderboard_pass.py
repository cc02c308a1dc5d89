"""Recompute all leaderboards, and replace the previous ones atomically.

A pass is written beside the current one in short transactions. The last one makes it the current
pass, unless another generation has become current since it was begun, or another process has begun
a pass, which takes over. So a process may be killed at any moment, and two may run at once: pages
read the rows of one whole pass. The former pass is deleted when the next one begins, so that a page
that has begun to read it can end.
"""

import logging
import time
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Final, TypeVar

from django.db import transaction
from django.db.models import Subquery

from games.rating.pools import Pool
from games.rating.standing import DAY_MS
from play.domain.clocks import SECOND_MS, now
from play.storage import leases
from ratings.leaderboards.candidates import find_first_seq, read_candidates
from ratings.leaderboards.equilibrium_rounds import RULES as BLOTTO
from ratings.leaderboards.equilibrium_rounds import RoundScore, read_round_scores
from ratings.leaderboards.ranking import (
    Leaderboards,
    PlacedInAll,
    PlacedRow,
    combine,
    place_on_leaderboards,
)
from ratings.models import CombinedRow, Generation, LeaderboardPass, LeaderboardRow
from ratings.rules.generations import lock_current
from ratings.rules.rated_rows import insert_rows
from ratings.rules.scale import current_advantage, fitted_of

LEASE = "ratings-leaderboards"
LEASE_MS = 600 * SECOND_MS  # extended with each transaction; reading must end within it
ROWS_A_WRITE = 1_000  # in one transaction, for which others wait on SQLite
INTERVAL_MS: Final = DAY_MS // 24  # between two passes without a new game
MIN_INTERVAL_MS = 60 * SECOND_MS  # between two passes with new games between them
LOOK_INTERVAL_S = 15.0  # interval at which a process checks whether a pass is due
# With new games, the next pass waits this many times as long as the last one took: a fiftieth of
# one processor's time at most goes into leaderboards.
PAUSE_FACTOR = 50
ROW_COLUMNS = (
    "leaderboard_pass_id", "rules", "speed", "person_id", *PlacedRow._fields[1:],
    "rounds", "round_points",
)  # fmt: skip
COMBINED_COLUMNS = ("leaderboard_pass_id", "person_id", *PlacedInAll._fields[1:])
log = logging.getLogger("quiver.ratings")
T = TypeVar("T")


class LeaseLost(Exception):
    """Another process makes the leaderboards."""


def current_pass() -> LeaderboardPass | None:
    """Return the pass that pages show; None before the first one."""
    return LeaderboardPass.objects.filter(state=LeaderboardPass.State.CURRENT).first()


def current_pass_and_advantage(rules: str) -> tuple[LeaderboardPass | None, int]:
    """Return the pass that pages show, and the advantage of white in a game, in thousandths.

    One query, two before the first pass.
    """
    newest = fitted_of(rules).values("advantage")[:1]
    shown = LeaderboardPass.objects.filter(state=LeaderboardPass.State.CURRENT)
    found = shown.annotate(advantage=Subquery(newest)).first()
    if found is None:
        return None, current_advantage(rules)
    return found, found.advantage or 0


def is_due(at: int) -> bool:
    """Return whether a pass is due at a time (epoch ms); nothing is written for that.

    One is due after an hour, or sooner if games were rated since; at once after a correction, and
    if the clock has been set back by an hour or more.
    """
    generation = Generation.objects.filter(is_current=True).first()
    if generation is None or not generation.last_seq:
        return False
    last = current_pass()
    if last is None or last.generation_id != generation.pk:
        return True
    age = at - last.at
    if generation.last_seq > last.last_seq:
        pause = max(MIN_INTERVAL_MS, PAUSE_FACTOR * last.took_ms)
        return age >= min(pause, INTERVAL_MS) or age <= -INTERVAL_MS
    return abs(age) >= INTERVAL_MS


def make_pass(process: str, at: int) -> LeaderboardPass | None:
    """Compute the leaderboards at a time (epoch ms) and show them; return the pass.

    Return None, without a change visible to pages, if another process makes them or if another
    generation became current meanwhile.
    """
    try:
        begun = time.perf_counter()
        _drop_others(process)
        new = _begin(at)
        leaderboards = place_on_leaderboards(read_candidates(new.generation, new.first_seq, at), at)
        _write(process, new, leaderboards, _read_rounds(leaderboards, at))
        took_ms = round(1_000 * (time.perf_counter() - begun))
        is_shown = _finish(new, took_ms)
    except LeaseLost:
        log.info(
            "another process took the leaderboards over", extra={"event": "leaderboards_taken_over"}
        )
        return None
    finally:
        leases.give_back(LEASE, process)
    return new if is_shown else None


@transaction.atomic
def _begin(at: int) -> LeaderboardPass:
    """Insert a pass of the current generation, without rows."""
    generation, last = lock_current(), current_pass()
    # Entries never change, so entries that were too old earlier are still too old.
    known = last.first_seq if last is not None and last.at <= at else 0
    first_seq = find_first_seq(generation.last_seq, at, known)
    return LeaderboardPass.objects.create(
        generation=generation, last_seq=generation.last_seq, first_seq=first_seq, at=at
    )


def _read_rounds(leaderboards: Leaderboards, at: int) -> Mapping[int, RoundScore]:
    """Return the rounds of the people on Blotto's leaderboards."""
    people = {
        row.person for pool, rows in leaderboards.items() if pool.rules == BLOTTO for row in rows
    }
    return read_round_scores(people, at) if people else {}


def _write(
    process: str, new: LeaderboardPass, leaderboards: Leaderboards, rounds: Mapping[int, RoundScore]
) -> None:
    rows = (
        (new.pk, pool.rules, pool.speed.value, *row, *_rounds_of(pool, row, rounds))
        for pool, row in _with_pools(leaderboards)
    )
    for part in _in_parts(rows):
        _extend_lease(process)
        with transaction.atomic():
            insert_rows(LeaderboardRow._meta.db_table, ROW_COLUMNS, part)
    for combined in _in_parts((new.pk, *row) for row in combine(leaderboards)):
        _extend_lease(process)
        with transaction.atomic():
            insert_rows(CombinedRow._meta.db_table, COMBINED_COLUMNS, combined)


@transaction.atomic
def _finish(new: LeaderboardPass, took_ms: int) -> bool:
    """Make a pass the current one; return False if its generation is not, or if it was dropped."""
    generation, states = lock_current(), LeaderboardPass.State
    own = LeaderboardPass.objects.filter(pk=new.pk, state=states.BUILDING)
    if generation.pk != new.generation_id or not own.update(took_ms=took_ms):
        return False
    LeaderboardPass.objects.filter(state=states.CURRENT).update(state=states.OLD)
    own.update(state=states.CURRENT)
    new.state, new.took_ms = states.CURRENT, took_ms
    return True


def _drop_others(process: str) -> None:
    """Delete all passes except the current one, including those of dead processes."""
    _extend_lease(process)
    states = LeaderboardPass.State
    LeaderboardPass.objects.filter(state=states.BUILDING).update(state=states.OLD)
    for old in LeaderboardPass.objects.filter(state=states.OLD):
        for model in (LeaderboardRow, CombinedRow):
            for _ in _delete_in_parts(model, old):
                _extend_lease(process)
        old.delete()


def _delete_in_parts(
    model: type[LeaderboardRow] | type[CombinedRow], old: LeaderboardPass
) -> Iterator[None]:
    """Delete the rows of a pass; yield after each transaction."""
    keys = model._default_manager.filter(leaderboard_pass=old).values_list("pk", flat=True)
    while part := list(keys[:ROWS_A_WRITE]):
        model._default_manager.filter(pk__in=part).delete()
        yield


def _in_parts(rows: Iterable[T]) -> Iterator[list[T]]:
    rows = iter(rows)
    while part := list(islice(rows, ROWS_A_WRITE)):
        yield part


def _with_pools(leaderboards: Leaderboards) -> Iterator[tuple[Pool, PlacedRow]]:
    for pool, rows in leaderboards.items():
        yield from ((pool, row) for row in rows)


def _rounds_of(
    pool: Pool, row: PlacedRow, rounds: Mapping[int, RoundScore]
) -> tuple[int, int | None]:
    """Return the columns of rounds, which Blotto alone has."""
    found = rounds.get(row.person) if pool.rules == BLOTTO else None
    return (found.rounds, found.points) if found else (0, None)


def _extend_lease(process: str) -> None:
    if not leases.take(LEASE, process, now(), LEASE_MS):
        raise LeaseLost


class LeaderboardTask:
    """The leaderboards as a task of workers: the first process that finds a pass due makes it."""

    name = "leaderboards"

    def run(self, process: str, at: int) -> float:
        """Recompute the leaderboards if a pass is due; return the seconds until the next call."""
        if is_due(at):
            make_pass(process, at)
        return LOOK_INTERVAL_S

    def give_back(self, process: str) -> None:
        """Give the lease back, so that another process need not wait for its end."""
        leases.give_back(LEASE, process)


TASK = LeaderboardTask()
