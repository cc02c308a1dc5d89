"""Make the opening book of Amazons: search the start, then the positions after near-best turns.

A turn is near-best if the search of its position visits it often, and if the position after it,
searched by itself, is worth nearly as much as the one after the best turn. Positions and turns are
written alike for all images under the symmetries of the start, so that mirrored ones count once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any, Final

from games.amazons import Amazons, State
from games.catalogue import rules_of
from games.core import Action, fill_noop
from games.lab.book_searches import Candidate, Effort, Found
from games.opening_keys import position_key, turn_of_position
from games.players.amazons.opening_book import (
    FORMAT,
    BadBook,
    read_entries,
    text_of_key,
    weights_digest,
)
from games.players.amazons.position import actions_of, read
from games.players.amazons.search import Search
from games.players.amazons.weights import fitted_weights
from games.players.core import Allowance
from games.symmetry import CanonicalPosition, canonical_position, canonical_turn

VISITS_DIVISOR: Final = 50  # a turn needs a fiftieth of the visits of the most visited one
MAX_CANDIDATES: Final = 8  # of a position, the most visited
VALUE_DIGITS: Final = 3  # of a value in the book

SearchAll = Callable[[Sequence[str]], Mapping[str, Found]]  # of positions by their canonical texts
Imap = Callable[[Callable[[str], Found], Iterable[str]], Iterator[Found]]


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of the book: the same terms and effort give the same book."""

    turns: int  # of both sides, from the start
    tolerance: float  # winning chance that a turn may lose against the best one, 0 to 1
    positions: int  # most positions of the book


def search_position(effort: Effort, text: str) -> Found:
    """Search a position and return the result; `text` is canonical, with no turn begun."""
    rules = _amazons(effort.key)
    state = rules.read(text)
    search = Search(effort.simulations, not rules.split, weights=fitted_weights(effort.key))
    rng = Random(f"opening book {effort.key} {effort.simulations} {effort.seed} {text}")
    search.look_at(read(rules.view(state, None)), rng)
    tree = search.tree
    assert tree is not None
    if tree.edge_count[0] == 0:
        search.forget()
        return Found(-1.0, ())
    search.grow(effort.simulations, Allowance(effort.simulations))
    found = Found(search.value(search.best()), tuple(_candidates(rules, state, tree)))
    search.forget()
    return found


def _candidates(rules: Amazons, state: State, tree: Any) -> list[Candidate]:
    """Return the turns with enough visits, most visited first; mirrored ones are one."""
    position = _canonical(rules, state)
    visits: dict[str, int] = {}
    totals: dict[str, float] = {}
    for move, edge in _visited_turns(tree):
        acts = [int(tree.action[move]), int(tree.action[edge])]
        actions = actions_of(acts, False, rules.split)
        turn = canonical_turn(rules, state, actions, position.symmetries)
        count = int(tree.visits[edge])
        visits[turn] = visits.get(turn, 0) + count
        totals[turn] = totals.get(turn, 0.0) + count * float(tree.mean[edge])
    most = max(visits.values(), default=0)
    found = [
        Candidate(turn, count, totals[turn] / count)
        for turn, count in visits.items()
        if count * VISITS_DIVISOR >= most
    ]
    return sorted(found, key=lambda each: (-each.visits, each.turn))


def _visited_turns(tree: Any) -> Iterator[tuple[int, int]]:
    """Yield the edges of a move of the root and of a shot after it that were visited."""
    for move in range(int(tree.edge_count[0])):
        node = int(tree.child[move])
        if node < 0:
            continue
        start = int(tree.first_edge[node])
        for edge in range(start, start + int(tree.edge_count[node])):
            if tree.visits[edge] > 0:
                yield move, edge


def make_positions(key: str, terms: Terms, search_all: SearchAll) -> dict[str, dict[str, float]]:
    """Return the positions of a book, by their keys as texts: turns and their values.

    Goes turn by turn. Where there are more positions than the terms allow, it takes those to which
    the turns before have lost least.
    """
    rules = _amazons(key)
    frontier = {_canonical(rules, rules.start()).text: 0.0}  # loss by the turns so far
    book: dict[str, dict[str, float]] = {}
    for _ in range(terms.turns):
        chosen = sorted(frontier, key=lambda text: (frontier[text], text))
        chosen = chosen[: terms.positions - len(book)]
        found = search_all(chosen)
        replies = {text: _replies(rules, text, found[text], terms.tolerance) for text in chosen}
        after = search_all(sorted({end for each in replies.values() for end in each.values()}))
        before, frontier = frontier, {}
        for text in chosen:
            values = {turn: -after[end].value for turn, end in replies[text].items()}
            best = max(values.values(), default=0.0)
            near = {turn: v for turn, v in values.items() if v >= best - 2.0 * terms.tolerance}
            if not near:
                continue  # the game is over
            kept = {turn: round(value, VALUE_DIGITS) for turn, value in sorted(near.items())}
            book[text_of_key(position_key(rules, CanonicalPosition(text, ())))] = kept
            for turn, value in near.items():
                lost, end = before[text] + best - value, replies[text][turn]
                frontier[end] = min(lost, frontier.get(end, lost))
    return book


def _replies(rules: Amazons, text: str, found: Found, tolerance: float) -> dict[str, str]:
    """Return the turns to confirm, and the canonical positions after them."""
    best = max((each.value for each in found.candidates), default=0.0)
    near = [each for each in found.candidates if each.value >= best - 2.0 * tolerance]
    state = rules.read(text)
    position = _canonical(rules, state)
    return {
        each.turn: _canonical(
            rules, _after(rules, state, turn_of_position(rules, state, position, each.turn))
        ).text
        for each in near[:MAX_CANDIDATES]
    }


def _amazons(key: str) -> Amazons:
    rules = rules_of(key)
    assert isinstance(rules, Amazons)
    return rules


def _canonical(rules: Amazons, state: State) -> CanonicalPosition:
    """Return the canonical position of a state in which a turn begins."""
    position = canonical_position(rules, state)
    assert position is not None
    return position


def _after(rules: Amazons, state: State, actions: Sequence[Action]) -> State:
    (role,) = rules.control(state)
    for action in actions:
        state = rules.play(state, fill_noop(rules, {role: action}))
    return state


@contextmanager
def mapper(jobs: int) -> Iterator[Imap]:
    """Give a function that maps in order, in so many processes."""
    if jobs == 1:
        yield map
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield pool.imap


def searcher(
    effort: Effort, known: dict[str, Found], imap: Imap, note: Callable[[str, Found], None]
) -> SearchAll:
    """Return a function that searches positions missing in `known`, adds them and calls `note`."""

    def search_all(texts: Sequence[str]) -> Mapping[str, Found]:
        new = [text for text in texts if text not in known]
        for text, found in zip(new, imap(partial(search_position, effort), new), strict=True):
            known[text] = found
            note(text, found)
        return known

    return search_all


def write_book(path: Path, key: str, entry: Mapping[str, Any]) -> None:
    """Write the book of a rule set to a file, beside those of others. Raises OSError."""
    try:
        books = read_entries(path)
    except BadBook:
        books = {}  # the file has no usable book
    books[key] = {**entry, "weights": weights_digest(key)}
    path.write_text("".join(_lines(dict(sorted(books.items())))), encoding="utf-8")


def _lines(books: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the file: a position a line, so that a difference can be read."""
    yield f'{{"format": {FORMAT}, "books": {{'
    for number, (key, entry) in enumerate(books.items()):
        facts = {name: value for name, value in entry.items() if name != "positions"}
        head = json.dumps(facts, ensure_ascii=False)[:-1]
        positions = sorted(entry["positions"].items())
        yield f'{"," if number else ""}\n{json.dumps(key)}: {head}, "positions": {{\n'
        yield ",\n".join(f"{json.dumps(at)}: {json.dumps(turns)}" for at, turns in positions)
        yield "\n}}"
    yield "\n}}\n"
