"""Append the log entry of each ended rated game: once, in order, after verification.

One process applies at a time, by a lease. That only saves work: entries are appended under a lock
of the current generation's row and are unique by game, so several processes may run this at once,
and each may be killed at any moment.
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db import DatabaseError, connection, transaction
from django.db.models import Exists, OuterRef

from games.catalogue import RULES
from games.rating.entries import GameEntry, NotRated
from play.domain.clocks import SECOND_MS
from play.models import Game
from play.storage.ended_games_task import EndedGamesTask
from play.storage.verify import Rows, audit_rows, rows_of
from ratings import entry_log
from ratings.generations import lock_current
from ratings.ledger_version import check_version
from ratings.models import RatingEntry
from ratings.placing.closing import place_before
from ratings.pool_fold import load_fold
from ratings.rated_rows import RatedGameRow, insert_rated_games, save_standings
from ratings.reasons import FURTHER_RULES, LOG_RULES, Decided, GameFacts, decide, why_not
from telemetry.redaction import shorten_key

LEASE = "ratings"
LEASE_MS = 5 * SECOND_MS
# On SQLite all processes are on one machine, and every commit makes web processes look.
EMBEDDED_LEASE_MS = 20 * SECOND_MS
INTERVAL_S = 1.0  # between two rounds
STANDBY_INTERVAL_S = 2.0  # the same of a process without the lease
GAMES_A_ROUND = 20  # verified, then written in one transaction
log = logging.getLogger("quiver.ratings")


@dataclass(frozen=True, slots=True)
class Examined:
    """An ended game, and the reason not to count it; None: it counts unless a log rule objects."""

    slug: str
    facts: GameFacts
    not_rated: NotRated | None


class PendingGame(NamedTuple):
    """An ended game that lacks an entry."""

    key: int
    slug: str
    ended: int  # epoch ms


def pending_games(since: int = 0, skipped: Collection[int] = ()) -> list[PendingGame]:
    """Return games that ended at `since` or later and lack an entry.

    They come in the order of their ends, at most `GAMES_A_ROUND`. A game of a rule set that was
    withdrawn has no pool.
    """
    done = RatingEntry.objects.filter(kind=RatingEntry.Kind.GAME, game=OuterRef("pk"))
    games = Game.objects.rated_and_over(since).filter(~Exists(done), rules__in=RULES)
    rows = games.exclude(pk__in=skipped).order_by("ended", "pk")
    columns = rows.values_list("pk", "slug", "ended")
    found = columns[:GAMES_A_ROUND]
    return [PendingGame(key, slug, ended) for key, slug, ended in found if ended is not None]


def apply_ended_games(since: int = 0, skipped: set[int] | None = None) -> int:
    """Rate the games that ended at `since` (epoch ms) or later; return how many were found.

    At most `GAMES_A_ROUND` at a time. Games that cannot be read are logged and added to `skipped`.
    """
    return len(_apply_games(since, set() if skipped is None else skipped))


def _apply_games(since: int, skipped: set[int]) -> list[PendingGame]:
    """Rate games as `apply_ended_games` does; return those that were found."""
    games = pending_games(since, skipped)
    examined = []
    for key, slug, _ in games:
        try:
            if (found := examine(slug)) is not None:
                examined.append(found)
        except DatabaseError:
            raise
        except Exception:
            skipped.add(key)
            log.exception(
                "game %s could not be read for its rating; later ones are rated, this one is tried "
                "again when the process restarts",
                shorten_key(slug),
                extra={"event": "rating_failed"},
            )
    if examined:
        place_before({user for each in examined for user in each.facts.users})
        append_games(examined)
    return games


def examine(slug: str) -> Examined | None:
    """Verify an ended game against its log, and decide whether it counts.

    Return None if it is gone. Raise ratings.ledger_version.NewerLedger. A log that does not match
    the stored rows is logged as an error.
    """
    rows = rows_of(slug)
    if rows is None:
        return None
    check_version(rows)
    faults, record = audit_rows(rows)
    if faults:
        log.error(
            "game %s does not count: its log and what is stored of it differ (%s). "
            "“manage.py verify” names all faults.",
            shorten_key(slug),
            faults[0],
            extra={"event": "rating_unverified"},
        )
    have_both_moved = record is not None and not record.may_abort
    facts = _facts(rows, have_both_moved=have_both_moved, is_verified=not faults)
    return Examined(slug, facts, why_not(facts, FURTHER_RULES))


def _facts(rows: Rows, have_both_moved: bool, is_verified: bool) -> GameFacts:
    game, seats = rows.game, {seat.role: seat for seat in rows.seats}
    assert game.ended is not None
    return GameFacts(
        game=game.pk,
        users=(seats["white"].user_id, seats["black"].user_id),
        rules=game.rules,
        clock_kind=game.clock_kind,
        ended=game.ended,
        winner=game.winner,
        ending=game.reason,
        has_computer=any(seat.user.is_bot for seat in seats.values()),
        had_guest=any(not (seat.has_account or seat.user.is_bot) for seat in seats.values()),
        have_both_moved=have_both_moved,
        is_verified=is_verified,
        position=game.position,
    )


@transaction.atomic
def append_games(examined: Sequence[Examined]) -> list[int]:
    """Append the entries of some games in one transaction; return the ids of those that were new.

    A game that has an entry by now is left out. Log rules are asked here: under the lock no other
    process appends an entry between their reads and this one.
    """
    generation = lock_current()
    keys = [each.facts.game for each in examined]
    of_games = RatingEntry.objects.filter(kind=RatingEntry.Kind.GAME, game__in=keys)
    done = set(of_games.values_list("game", flat=True))
    new = [each for each in examined if each.facts.game not in done]
    numbers = entry_log.person_numbers({user for each in new for user in each.facts.users})
    fold = load_fold(generation, set(numbers.values()))
    entries, rated = [], []
    decided: list[Decided] = []
    for seq, each in enumerate(new, generation.last_seq + 1):
        facts, (white, black) = each.facts, (numbers[user] for user in each.facts.users)
        decided.append(decide(facts, each.not_rated, decided, LOG_RULES))
        pool, not_rated = facts.pool, decided[-1].not_rated or ""
        entries.append(
            RatingEntry(
                seq=seq,
                kind=RatingEntry.Kind.GAME,
                at=facts.ended,
                game_id=facts.game,
                rules=pool.rules,
                speed=pool.speed.value,
                white_id=white,
                black_id=black,
                winner=facts.winner,
                not_rated=not_rated,
            )
        )
        if not not_rated:
            game = GameEntry(
                seq, facts.ended, pool, each.slug, white, black, facts.winner, None, None, None
            )
            rated.append(RatedGameRow.of(generation.pk, seq, *fold.play(game)))
    RatingEntry.objects.bulk_create(entries)
    insert_rated_games(rated)
    save_standings(fold.take_changed(generation.pk))
    generation.last_seq += len(new)
    generation.save(update_fields=["last_seq"])
    return [each.facts.game for each in new]


class ApplierTask(EndedGamesTask):
    """The applier as a task of workers: rounds by the process that holds the lease."""

    name = LEASE
    interval_s = INTERVAL_S

    def do_round(self, since: int, skipped: set[int]) -> int | None:
        """Rate games that have ended."""
        found = _apply_games(since, skipped)
        return found[-1].ended if len(found) == GAMES_A_ROUND else None

    def lease_ms(self) -> int:
        """Return for how long a process holds the lease."""
        return lease_ms()

    def standby_interval_s(self) -> float:
        """Return the seconds between two calls in a process without the lease."""
        return STANDBY_INTERVAL_S


def lease_ms() -> int:
    """Return for how long a process holds the lease."""
    return EMBEDDED_LEASE_MS if connection.vendor == "sqlite" else LEASE_MS


TASK = ApplierTask()
