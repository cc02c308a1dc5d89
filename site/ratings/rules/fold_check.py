"""Compare the stored rows of the current generation with a fold of the log; read-only."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, Q, QuerySet

from ratings.models import FittedAdvantage, Generation, RatedGame, RatingEntry, Standing
from ratings.rules.entry_log import EntryRow, annulled_games, read_batches
from ratings.rules.generations import CannotRefold, fold_games, lock_current
from ratings.rules.pool_fold import PoolFold
from ratings.rules.rated_rows import (
    ADVANTAGE_COLUMNS,
    RATED_GAME_COLUMNS,
    STANDING_COLUMNS,
    AdvantageRow,
    RatedGameRow,
    StandingRow,
)


class RatingsDiffer(Exception):
    """A row differs from the fold; `str` is an English sentence that names the first one."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A generation that is right."""

    generation: int
    entries: int
    standings: int


def check_current() -> Checked | None:
    """Compare all rows of the current generation with a fold of the log; None without one.

    Raise RatingsDiffer, and CannotRefold if another generation becomes current meanwhile.
    """
    current = Generation.objects.filter(is_current=True).first()
    if current is None:
        return None
    _compare_with_games()
    annulled, fold, done = annulled_games(current.last_seq), PoolFold(), 0
    for rows in read_batches(0, current.last_seq):
        _compare(fold, rows, annulled, current.pk, done)
        done = rows[-1].seq
    kept = _standings(Standing.objects.filter(generation=current))
    with transaction.atomic():  # short: games that have ended meanwhile, and their players
        locked = lock_current()
        if locked.pk != current.pk:
            raise CannotRefold("Another generation of ratings has become current. Check again.")
        tail = [row for rows in read_batches(done, locked.last_seq) for row in rows]
        people = {person for row in tail for person in (row.white, row.black) if person}
        kept |= _standings(Standing.objects.filter(generation=locked, person__in=people))
        _compare(fold, tail, annulled, locked.pk, done)
    done = tail[-1].seq if tail else done
    if done != locked.last_seq:
        raise RatingsDiffer(
            f"Generation {locked.pk} ends with entry {locked.last_seq}, not {done}."
        )
    standings = len(kept)
    _compare_standings(fold, kept, locked.pk)
    return Checked(locked.pk, done, standings)


def _compare_with_games() -> None:
    """Compare the entries of games with the games themselves."""
    same = Q(winner=F("game__winner"), at=F("game__ended"), rules=F("game__rules"))
    entries = RatingEntry.objects.filter(kind=RatingEntry.Kind.GAME)
    if (wrong := entries.exclude(same).order_by("seq").first()) is not None:
        raise RatingsDiffer(f"Entry {wrong.seq} differs from its game, {wrong.game_id}.")


def _compare(
    fold: PoolFold, rows: Iterable[EntryRow], annulled: frozenset[int], generation: int, done: int
) -> None:
    """Fold entries that follow entry `done`, and compare the rated games of these entries."""
    entries = list(rows)
    for expected, row in enumerate(entries, done + 1):
        if row.seq != expected:
            raise RatingsDiffer(f"Entry {expected} is missing.")
    if not entries:
        return
    first, last = entries[0].seq, entries[-1].seq
    stored = RatedGame.objects.filter(
        generation=generation, entry__gte=first, entry__lte=last
    ).order_by("entry")
    kept_rows = (RatedGameRow(*row) for row in stored.values_list(*RATED_GAME_COLUMNS))
    fitted: list[AdvantageRow] = []
    folded = fold_games(fold, entries, annulled, generation, fitted)
    for kept, right in _pairs(kept_rows, folded):
        if kept is None or (right is not None and right.entry_id < kept.entry_id):
            assert right is not None
            raise RatingsDiffer(f"Entry {right.entry_id} counts, but has no rated game.")
        if right is None or right.entry_id > kept.entry_id:
            raise RatingsDiffer(f"Entry {kept.entry_id} does not count, but has a rated game.")
        if (words := _difference(kept, right)) is not None:
            raise RatingsDiffer(f"The rated game of entry {right.entry_id}: {words}")
    _compare_advantages(generation, first, last, fitted)


def _compare_advantages(
    generation: int, first: int, last: int, fitted: Sequence[AdvantageRow]
) -> None:
    stored = FittedAdvantage.objects.filter(
        generation=generation, entry__gte=first, entry__lte=last
    ).order_by("entry")
    kept = [AdvantageRow(*row) for row in stored.values_list(*ADVANTAGE_COLUMNS)]
    for right in fitted:
        if right not in kept:
            raise RatingsDiffer(
                f"Entry {right.entry_id} fits a first-move advantage of {right.advantage}, which "
                "is not stored so."
            )
    if len(kept) > len(fitted):
        raise RatingsDiffer("A first-move advantage is stored that follows from no entry.")


def _pairs(
    stored: Iterable[RatedGameRow], folded: Iterator[RatedGameRow]
) -> Iterator[tuple[RatedGameRow | None, RatedGameRow | None]]:
    """Yield the rows side by side; None where one side has ended."""
    for kept in stored:
        yield kept, next(folded, None)
    yield from ((None, right) for right in folded)


def _standings(stored: QuerySet[Standing]) -> dict[tuple[int, str, str], StandingRow]:
    """Return standings by person and pool."""
    rows = (StandingRow(*row) for row in stored.values_list(*STANDING_COLUMNS))
    return {(row.person_id, row.rules, row.speed): row for row in rows}


def _compare_standings(
    fold: PoolFold, kept: dict[tuple[int, str, str], StandingRow], generation: int
) -> None:
    """Compare the standings, and take from `kept` those that the fold has."""
    for right in fold.all_rows(generation):
        row = kept.pop((right.person_id, right.rules, right.speed), None)
        name = f"standing of person {right.person_id} in {right.rules}/{right.speed}"
        if row is None:
            raise RatingsDiffer(f"The {name} is missing.")
        if (words := _difference(row, right)) is not None:
            raise RatingsDiffer(f"The {name}: {words}")
    for person, rules, speed in kept:
        raise RatingsDiffer(
            f"The standing of person {person} in {rules}/{speed} follows from no entry."
        )


def _difference(kept: RatedGameRow | StandingRow, right: RatedGameRow | StandingRow) -> str | None:
    """Return the first column that differs, as a sentence; None if there is none."""
    columns = STANDING_COLUMNS if isinstance(right, StandingRow) else RATED_GAME_COLUMNS
    for column, value, expected in zip(columns, kept, right, strict=True):
        if value != expected:
            return f"{column} is {value}, but must be {expected}."
    return None
