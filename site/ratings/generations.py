"""Fold the log anew: check the current generation, or make the next one.

A new generation is built beside the current one in many short transactions, so that games go on
being written and rated. The last transaction folds what came meanwhile and makes it the current
one; a process that dies before that has changed nothing that anybody reads.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

from django.db import transaction

from play.domain.clocks import SECOND_MS, now
from play.models import Game
from play.storage import leases
from ratings.entry_log import EntryRow, annulled_games, read_batches
from ratings.models import Generation, RatedGame, RatingEntry, Standing, make_first_generation
from ratings.pool_fold import PoolFold
from ratings.rated_rows import RatedGameRow, insert_rated_games, save_standings

LEASE = "ratings-refold"
LEASE_MS = 60 * SECOND_MS  # extended with each batch of entries
ROWS_A_WRITE = 500  # in one transaction, for which others wait on SQLite
MAX_TAIL = 200  # entries that are folded in the last transaction
MAX_LOCK_TRIES = 3
GAME = RatingEntry.Kind.GAME.value
T = TypeVar("T")


class CannotRefold(Exception):
    """No generation can be made now; `str` is an English sentence."""


class Changed(NamedTuple):
    """Corrections of games that a new generation begins to obey."""

    games: tuple[int, ...]
    is_annulled: bool
    reason: str


def lock_current() -> Generation:
    """Lock the current generation until the end of the transaction, and return it.

    Entries are appended under this lock alone. On SQLite every transaction excludes all others.
    """
    make_first_generation()
    for _ in range(MAX_LOCK_TRIES):
        current = Generation.objects.select_for_update().filter(is_current=True).first()
        if current is not None:  # else another became current while this transaction waited
            return current
    raise CannotRefold("New generations of ratings follow too fast. Try again.")


def rebuild(process: str) -> Generation:
    """Make a new generation from the log and return it. Raise CannotRefold."""
    return _refold(process, None)


def correct(slugs: Sequence[str], is_annulled: bool, reason: str, process: str) -> Generation:
    """Annul or restore games: append a correction of each, and make one generation that obeys them.

    Raise CannotRefold, also if one of them has no entry or is in that state already.
    """
    slugs = list(dict.fromkeys(slugs))  # each once
    entries = RatingEntry.objects.filter(kind=GAME, game__slug__in=slugs)
    games = dict(entries.values_list("game__slug", "game"))
    if missing := [slug for slug in slugs if slug not in games]:
        raise CannotRefold(f"Game {missing[0]} has no entry in the ratings.")
    if not 0 < len(reason) <= 200:
        raise CannotRefold("A correction has a reason of 1 to 200 characters.")
    return _refold(process, Changed(tuple(games[slug] for slug in slugs), is_annulled, reason))


def _refold(process: str, change: Changed | None) -> Generation:
    _extend_lease(process)
    try:
        _delete_unfinished(process)
        make_first_generation()
        current = Generation.objects.get(is_current=True)
        obeyed = annulled_games(current.last_seq)
        annulled = obeyed if change is None else _apply_change(obeyed, change)
        new = Generation.objects.create()
        fold, done = PoolFold(), 0
        while (last := Generation.objects.get(is_current=True).last_seq) - done > MAX_TAIL:
            for rows in read_batches(done, last):
                _extend_lease(process)
                _write_games(fold_games(fold, rows, annulled, new.pk))
                done = rows[-1].seq
        for part in _in_parts(fold.take_changed(new.pk)):
            with transaction.atomic():
                save_standings(part)
        _finish(new, done, fold, obeyed, change)
        _delete_old_standings(new)
        return new
    finally:
        leases.give_back(LEASE, process)


def _apply_change(annulled: frozenset[int], change: Changed) -> frozenset[int]:
    for slug, game in Game.objects.filter(pk__in=change.games).values_list("slug", "pk"):
        if (game in annulled) == change.is_annulled:
            state = "annulled already" if change.is_annulled else "not annulled"
            raise CannotRefold(f"Game {slug} is {state}.")
    games = frozenset(change.games)
    return annulled | games if change.is_annulled else annulled - games


def fold_games(
    fold: PoolFold, rows: Sequence[EntryRow], annulled: frozenset[int], generation: int
) -> Iterator[RatedGameRow]:
    """Fold entries; yield the rows of the games that count."""
    for row in rows:
        if row.kind == GAME and row.why_not(annulled) is None:
            yield RatedGameRow.of(generation, row.seq, *fold.play(row.as_game(annulled)))


def _write_games(games: Iterator[RatedGameRow]) -> None:
    for part in _in_parts(games):
        with transaction.atomic():
            insert_rated_games(part)


@transaction.atomic
def _finish(
    new: Generation, done: int, fold: PoolFold, obeyed: frozenset[int], change: Changed | None
) -> None:
    """Fold the last entries, append the correction, and make the generation the current one.

    `obeyed` are the games annulled by the corrections that were read. Raise CannotRefold if a
    process that took the lease over has appended others: this generation would undo them.
    """
    current = lock_current()
    if annulled_games(current.last_seq) != obeyed:
        raise CannotRefold("Another process has corrected the ratings meanwhile. Try again.")
    annulled = obeyed if change is None else _apply_change(obeyed, change)
    for rows in read_batches(done, current.last_seq):
        _write_games(fold_games(fold, rows, annulled, new.pk))
    save_standings(fold.take_changed(new.pk))
    new.last_seq, new.made, new.is_current = current.last_seq, now(), True
    if change is not None:
        kinds = RatingEntry.Kind
        RatingEntry.objects.bulk_create(
            RatingEntry(
                seq=seq,
                kind=kinds.ANNULMENT if change.is_annulled else kinds.RESTORATION,
                at=new.made,
                game_id=game,
                reason=change.reason,
            )
            for seq, game in enumerate(change.games, new.last_seq + 1)
        )
        new.last_seq += len(change.games)
    Generation.objects.filter(pk=current.pk).update(is_current=False)
    # Fails if this process has lost its lease and another has deleted the generation since.
    new.save(force_update=True)


def _in_parts(rows: Iterable[T]) -> Iterator[list[T]]:
    rows = iter(rows)
    while part := list(islice(rows, ROWS_A_WRITE)):
        yield part


def _extend_lease(process: str) -> None:
    if not leases.take(LEASE, process, now(), LEASE_MS):
        raise CannotRefold("Another process makes a new generation of ratings. Try again later.")


def _delete_unfinished(process: str) -> None:
    """Delete what a process left behind that died while it made a generation."""
    for dead in Generation.objects.filter(made=None):
        for model in (RatedGame, Standing):
            for _ in _delete_in_parts(model, dead):
                _extend_lease(process)
        dead.delete()


def _delete_old_standings(new: Generation) -> None:
    """Delete the standings of earlier generations: their games alone stay readable."""
    for old in Generation.objects.filter(pk__lt=new.pk):
        for _ in _delete_in_parts(Standing, old):
            pass


def _delete_in_parts(
    model: type[RatedGame] | type[Standing], generation: Generation
) -> Iterator[None]:
    """Delete the rows of a generation; yield after each transaction."""
    rows = model._default_manager.filter(generation=generation).values_list("pk", flat=True)
    while keys := list(rows[:ROWS_A_WRITE]):
        model._default_manager.filter(pk__in=keys).delete()
        yield
