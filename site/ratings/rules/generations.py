"""Refold the log: check the current generation, or make the next one.

A new generation is built beside the current one in many short transactions, so that games go on
being written and rated. The last transaction folds the entries appended meanwhile and makes it the
current one; a process that dies earlier has changed nothing visible.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from django.db import transaction

from play.domain.clocks import SECOND_MS, now
from play.models import Game
from play.storage import leases
from ratings.models import (
    FittedAdvantage,
    Generation,
    RatedGame,
    RatingEntry,
    Standing,
    make_first_generation,
)
from ratings.rules.entry_log import FURTHER_KINDS, EntryRow, annulled_games, read_batches
from ratings.rules.pool_fold import PoolFold
from ratings.rules.rated_rows import (
    RATED_GAME_COLUMNS,
    AdvantageRow,
    RatedGameRow,
    insert_advantages,
    insert_rated_games,
    save_standings,
)

LEASE = "ratings-refold"
LEASE_MS = 60 * SECOND_MS  # extended with each batch of entries
ROWS_A_WRITE = 500  # in one transaction, for which others wait on SQLite
MAX_TAIL = 200  # entries that are folded in the last transaction
MAX_LOCK_TRIES = 3
MAX_REASON_CHARS = 200
GAME = RatingEntry.Kind.GAME.value
T = TypeVar("T")


class CannotRefold(Exception):
    """No generation can be made now; `str` is an English sentence."""


class Correction(NamedTuple):
    """A game (its slug) that is to be annulled or restored."""

    slug: str
    is_annulled: bool
    reason: str  # public


class Change(NamedTuple):
    """A correction of a game (its id) that has an entry."""

    game: int
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
    return _refold(process, ())


def correct(slugs: Sequence[str], is_annulled: bool, reason: str, process: str) -> Generation:
    """Annul or restore games, each once, as `correct_all`."""
    once = dict.fromkeys(slugs)
    return correct_all([Correction(slug, is_annulled, reason) for slug in once], process)


def correct_all(corrections: Sequence[Correction], process: str) -> Generation:
    """Append corrections, at most one of each game, and make one generation that applies them all.

    Games whose players have the same numbers before them as in the current generation are copied
    without a computation. Raise CannotRefold, also if a game has no entry or is in its state
    already.
    """
    slugs = [each.slug for each in corrections]
    entries = RatingEntry.objects.filter(kind=GAME, game__slug__in=slugs)
    games = dict(entries.values_list("game__slug", "game"))
    if missing := [slug for slug in slugs if slug not in games]:
        raise CannotRefold(f"Game {missing[0]} has no entry in the ratings.")
    if not all(0 < len(each.reason) <= MAX_REASON_CHARS for each in corrections):
        raise CannotRefold("A correction has a reason of 1 to 200 characters.")
    changes = [Change(games[each.slug], each.is_annulled, each.reason) for each in corrections]
    return _refold(process, changes)


def _refold(process: str, changes: Sequence[Change]) -> Generation:
    _extend_lease(process)
    try:
        delete_unfinished(process)
        make_first_generation()
        current = Generation.objects.get(is_current=True)
        obeyed = annulled_games(current.last_seq)
        annulled = _apply_changes(obeyed, changes)
        new = Generation.objects.create()
        fold, done = PoolFold(), 0
        while (last := Generation.objects.get(is_current=True).last_seq) - done > MAX_TAIL:
            for rows in read_batches(done, last):
                _extend_lease(process)
                # A rebuild trusts no row: it has to mend those that were damaged.
                known = _known_rows(current, rows) if changes else {}
                _write_games(fold, rows, annulled, new.pk, known)
                done = rows[-1].seq
        for part in _in_parts(fold.take_changed(new.pk)):
            with transaction.atomic():
                save_standings(part)
        _finish(new, done, fold, obeyed, changes)
        _delete_old_standings(new)
        return new
    finally:
        leases.give_back(LEASE, process)


def _apply_changes(annulled: frozenset[int], changes: Sequence[Change]) -> frozenset[int]:
    """Return the annulled games after changes. Raise CannotRefold if one would change nothing."""
    for change in changes:
        if (change.game in annulled) == change.is_annulled:
            slug = Game.objects.values_list("slug", flat=True).get(pk=change.game)
            state = "annulled already" if change.is_annulled else "not annulled"
            raise CannotRefold(f"Game {slug} is {state}.")
    begun = frozenset(change.game for change in changes if change.is_annulled)
    ended = frozenset(change.game for change in changes if not change.is_annulled)
    return annulled - ended | begun


def _known_rows(generation: Generation, rows: Sequence[EntryRow]) -> dict[int, RatedGameRow]:
    """Return the rated games of entries in a generation, by seq."""
    games = RatedGame.objects.filter(
        generation=generation, entry__gte=rows[0].seq, entry__lte=rows[-1].seq
    )
    found = (RatedGameRow(*row) for row in games.values_list(*RATED_GAME_COLUMNS))
    return {row.entry_id: row for row in found}


def fold_games(
    fold: PoolFold,
    rows: Sequence[EntryRow],
    annulled: frozenset[int],
    generation: int,
    fitted: list[AdvantageRow],
    known: Mapping[int, RatedGameRow] = MappingProxyType({}),
) -> Iterator[RatedGameRow]:
    """Fold entries; yield the rows of the games that count, and add advantages to `fitted`.

    `known` are rows of another generation by seq, see `Fold.play`. Raise CannotRefold for a
    placement that does not follow from the entries before it.
    """
    for row in rows:
        if row.kind == GAME:
            if row.why_not(annulled) is None:
                before = known.get(row.seq)
                numbers = fold.play(row.as_game(annulled), before and before.numbers)
                yield RatedGameRow.of(generation, row.seq, *numbers)
        elif row.kind == FURTHER_KINDS.ANCHORS:
            fold.set_anchors(row.as_anchors())
        elif row.kind == FURTHER_KINDS.PLACEMENT:
            _fold_placement(fold, row)
        elif row.kind == FURTHER_KINDS.ADVANTAGE:
            advantage = fold.fit_advantage(row.rules)
            fitted.append(AdvantageRow(generation, row.seq, row.rules, advantage))


def _fold_placement(fold: PoolFold, row: EntryRow) -> None:
    try:
        placement = row.as_placement()
        numbers = fold.place(placement)
    except (ValueError, KeyError, TypeError) as error:  # NoAnchors and NotNext among them
        raise CannotRefold(f"Entry {row.seq}, a placement, cannot be folded: {error}") from error
    if numbers != placement.after:
        raise CannotRefold(
            f"Entry {row.seq} states {placement.after} as the first rating; the fold gives "
            f"{numbers}."
        )


def _write_games(
    fold: PoolFold,
    rows: Sequence[EntryRow],
    annulled: frozenset[int],
    generation: int,
    known: Mapping[int, RatedGameRow] = MappingProxyType({}),
) -> None:
    fitted: list[AdvantageRow] = []
    for part in _in_parts(fold_games(fold, rows, annulled, generation, fitted, known)):
        with transaction.atomic():
            insert_rated_games(part)
    insert_advantages(fitted)


@transaction.atomic
def _finish(
    new: Generation, done: int, fold: PoolFold, obeyed: frozenset[int], changes: Sequence[Change]
) -> None:
    """Fold the last entries, append the corrections, and make the generation the current one.

    `obeyed` are the games annulled by the corrections that were read. Raise CannotRefold if a
    process that took the lease over has appended others: this generation would undo them.
    """
    current = lock_current()
    if annulled_games(current.last_seq) != obeyed:
        raise CannotRefold("Another process has corrected the ratings meanwhile. Try again.")
    annulled = _apply_changes(obeyed, changes)
    for rows in read_batches(done, current.last_seq):
        _write_games(fold, rows, annulled, new.pk)
    save_standings(fold.take_changed(new.pk))
    new.last_seq, new.made, new.is_current = current.last_seq, now(), True
    kinds = RatingEntry.Kind
    RatingEntry.objects.bulk_create(
        RatingEntry(
            seq=seq,
            kind=kinds.ANNULMENT if change.is_annulled else kinds.RESTORATION,
            at=new.made,
            game_id=change.game,
            reason=change.reason,
        )
        for seq, change in enumerate(changes, new.last_seq + 1)
    )
    new.last_seq += len(changes)
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


def delete_unfinished(process: str) -> None:
    """Delete the rows left by a process that died while it made or deleted a generation.

    Call it with the lease. Raise CannotRefold if another process takes it over.
    """
    for dead in Generation.objects.filter(made=None):
        for model in (RatedGame, FittedAdvantage, Standing):
            for _ in _delete_in_parts(model, dead):
                _extend_lease(process)
        dead.delete()


def _delete_old_standings(new: Generation) -> None:
    """Delete the standings of earlier generations: their games alone stay readable."""
    for old in Generation.objects.filter(pk__lt=new.pk):
        for _ in _delete_in_parts(Standing, old):
            pass


def _delete_in_parts(
    model: type[RatedGame | FittedAdvantage | Standing], generation: Generation
) -> Iterator[None]:
    """Delete the rows of a generation; yield after each transaction."""
    rows = model._default_manager.filter(generation=generation).values_list("pk", flat=True)
    while keys := list(rows[:ROWS_A_WRITE]):
        model._default_manager.filter(pk__in=keys).delete()
        yield
