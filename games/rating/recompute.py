"""Recomputes a public file of ratings and names the first line that differs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from games.rating.entries import (
    Anchors,
    Correction,
    Entry,
    Fit,
    GameEntry,
    Header,
    NotRated,
    Placement,
)
from games.rating.entry_parsing import BadEntry, parse_entry, parse_header
from games.rating.fold import Fold, NoAnchors, annulled_games
from games.rating.placement import NotNext


class Differs(ValueError):
    """A line states something else than the fold; `str` is an English sentence."""


@dataclass(frozen=True, slots=True)
class Recomputed:
    """A file whose numbers all agree with the fold."""

    header: Header
    fold: Fold
    games: int
    rated: int


def recompute(lines: Iterable[str]) -> Recomputed:
    """Fold all entries of a file and compare each number.

    Raises BadEntry for a line that cannot be read and for a file that is incomplete, Differs for
    the first number that differs; both name the line.
    """
    header, entries = _parse(lines)
    annulled = annulled_games(entries)
    fold, games, rated = Fold(), set[str](), 0
    for number, entry in enumerate(entries, 2):
        try:
            if isinstance(entry, GameEntry):
                if entry.game in games:
                    raise BadEntry(f"Game {entry.game} has an entry already.")
                games.add(entry.game)
                rated += entry.not_rated is None
            _apply(fold, entry, annulled)
        except Differs as error:
            raise Differs(f"Line {number}: {error}") from None
        except (BadEntry, NoAnchors, NotNext) as error:
            raise BadEntry(f"Line {number}: {error}") from None
    unknown = sorted(annulled - games)
    if unknown:
        raise BadEntry(f"Game {unknown[0]} is annulled and has no entry.")
    return Recomputed(header, fold, len(games), rated)


def _parse(lines: Iterable[str]) -> tuple[Header, Sequence[Entry]]:
    values = _values(lines)
    try:
        number, first = next(values)
    except StopIteration:
        raise BadEntry("The file is empty.") from None
    header = parse_header(first)
    entries: list[Entry] = []
    for number, value in values:
        try:
            entry = parse_entry(value)
            if entries and entry.seq <= entries[-1].seq:
                raise BadEntry(f"“seq” {entry.seq} does not follow {entries[-1].seq}.")
        except BadEntry as error:
            raise BadEntry(f"Line {number}: {error}") from None
        entries.append(entry)
    last = entries[-1].seq if entries else 0
    if last != header.last_seq:
        raise BadEntry(
            f"The file is incomplete: it ends with entry {last}, and by its header with entry "
            f"{header.last_seq}."
            if last < header.last_seq
            else f"The file goes on to entry {last}; by its header it ends with {header.last_seq}."
        )
    return header, entries


def _values(lines: Iterable[str]) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(lines, 1):
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadEntry(f"Line {number} is not JSON: {error}.") from None


def _apply(fold: Fold, entry: Entry, annulled: frozenset[str]) -> None:
    match entry:
        case Anchors(rules=rules, ratings=ratings):
            fold.set_anchors(rules, ratings)
        case Placement(at=at, pool=pool, person=person, games=games, after=after):
            _compare("the first rating", after, fold.place(person, pool, games, at))
        case Fit(rules=rules, advantage=advantage):
            _compare("the first-move advantage", advantage, fold.fit_advantage(rules))
        case GameEntry():
            _apply_game(fold, entry, entry.game in annulled)
        case Correction():
            pass  # `annulled` has them all: they hold from the beginning


def _apply_game(fold: Fold, game: GameEntry, is_annulled: bool) -> None:
    if is_annulled != (game.not_rated is NotRated.ANNULLED):
        stated = game.not_rated or "rated"
        raise Differs(f"Game {game.game} is {stated}, and its last correction says otherwise.")
    if game.not_rated is None:
        before, after = fold.play(game)
        _compare(f"the numbers before game {game.game}", game.before, before)
        _compare(f"the numbers after game {game.game}", game.after, after)


def _compare(name: str, stated: object, folded: object) -> None:
    if stated != folded:
        raise Differs(f"The file states {stated} as {name}; the fold gives {folded}.")
