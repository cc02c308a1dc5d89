"""Opening book of Amazons: near-best turns of the first positions, among which level 8 chooses.

`opening_book.json` has them with the commands that made them; see `games/lab/README.md`. A position
and its images under the symmetries of the start are one. The book of a rule set is used only if all
its positions can be reached by its turns, and if the evaluation still has the weights of the search
that made it; otherwise level 8 searches from the start on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from math import isfinite
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, Final

from games.amazons import State
from games.catalogue import rules_of
from games.core import Action, BadAction, IllegalAction, Rules, View, advance, fill_noop
from games.notation import read
from games.opening_keys import position_key, turn_of_position
from games.players.amazons.weights import fitted_weights
from games.symmetry import CanonicalPosition, canonical_position, image_of, inverse_of

FILE: Final = Path(str(files("games.players.amazons") / "opening_book.json"))
FORMAT: Final = 1
KEYS: Final = ("amazons", "amazons-10x10", "amazons-8x8")
KEY_CHARS: Final = 16  # of a 64-bit key in hexadecimal
DIGEST_CHARS: Final = 16

Turns = Mapping[str, float]  # canonical turn → its value for the side that plays it, -1 to 1


class BadBook(ValueError):
    """A book cannot be used; `str` is the reason, without a capital or a full stop."""


@dataclass(frozen=True, slots=True)
class Book:
    """Near-best turns of a rule set, by `games.opening_keys.position_key`."""

    key: str
    positions: Mapping[int, Turns]


@dataclass(frozen=True, slots=True)
class BookTurn:
    """A turn as it is on a board, or its shot where the move has been made."""

    actions: tuple[Action, ...]
    value: float  # for the side that plays it, -1 to 1


def book_turn(book: Book, view: View, rng: Random) -> BookTurn | None:
    """Return a turn of the book, each of its images with the same chance; None if it has none.

    `view` is of `games.amazons`, for the side to move. Between a move and its shot, the shot is one
    that the book has after this move. None as well if the turn is not legal here: the book is then
    of another position with the same key.
    """
    rules = rules_of(book.key)
    state = _state_of(rules, view)
    begun = _turn_start(state)
    position = canonical_position(rules, begun)
    assert position is not None
    turns = book.positions.get(position_key(rules, position))
    if turns is None:
        return None
    images = _images(rules, begun, position, turns)
    if state.moved is not None:
        shots = [each for each in images if each.actions[0] == state.moved]
        images = [replace(each, actions=each.actions[1:]) for each in shots]
    if not images:
        return None
    chosen = rng.choice(images)
    return None if _play(rules, state, chosen.actions) is None else chosen


def weights_digest(key: str) -> str:
    """Return a digest of the weights with which level 8 evaluates a rule set."""
    weights = fitted_weights(key)
    return sha256(weights.astype("<f8").tobytes()).hexdigest()[:DIGEST_CHARS]


@cache
def load(path: Path = FILE) -> tuple[Mapping[str, Book], str]:
    """Return the books that can be used, by rule set, and a sentence about the others, if any."""
    try:
        entries = read_entries(path)
    except BadBook as error:
        return MappingProxyType({}), _sentence(path, str(error))
    books, faults = {}, []
    for key in KEYS:
        try:
            books[key] = _book_of(key, entries.get(key))
        except BadBook as error:
            faults.append(f"{key}: {error}")
    return MappingProxyType(books), _sentence(path, "; ".join(faults)) if faults else ""


def read_entries(path: Path) -> dict[str, Any]:
    """Return what the file has of each rule set, unchecked. Raises BadBook."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadBook(error.strerror or str(error)) from None
    except (ValueError, RecursionError):
        raise BadBook("it is truncated or damaged") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BadBook("it is of another version")
    if not isinstance(content.get("books"), dict):
        raise BadBook("it is damaged")
    return dict(content["books"])


def _sentence(path: Path, why: str) -> str:
    return (
        f"The opening book of Amazons, {path.name}, is not used ({why}). Level 8 searches instead; "
        "`python -m games opening-book KEY` writes it anew."
    )


def _book_of(key: str, entry: Any) -> Book:
    """Return the book of a rule set, all of whose turns are legal. Raises BadBook."""
    if entry is None:
        raise BadBook("it is missing")
    if not isinstance(entry, dict) or not isinstance(entry.get("positions"), dict):
        raise BadBook("it is damaged")
    if entry.get("weights") != weights_digest(key):
        raise BadBook("it was made with other weights")
    positions = {_key_of(text): _turns_of(turns) for text, turns in entry["positions"].items()}
    book = Book(key, MappingProxyType(positions))
    if reachable_positions(book) != positions.keys():
        raise BadBook("a position cannot be reached by its turns")
    return book


def _key_of(text: str) -> int:
    try:
        if len(text) != KEY_CHARS:
            raise ValueError
        return int.from_bytes(bytes.fromhex(text), signed=True)
    except ValueError:
        raise BadBook("it is damaged") from None


def text_of_key(key: int) -> str:
    """Return a key of a position as it is written in the file."""
    return key.to_bytes(KEY_CHARS // 2, signed=True).hex()


def _turns_of(turns: Any) -> Turns:
    if not isinstance(turns, dict) or not turns:
        raise BadBook("it is damaged")
    for value in turns.values():
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not isfinite(value) or not -1.0 <= value <= 1.0:
            raise BadBook("it is damaged")
    return MappingProxyType({text: float(value) for text, value in turns.items()})


def reachable_positions(book: Book) -> frozenset[int]:
    """Return the keys of the book's positions that its turns reach from the start.

    Raises BadBook if a turn is not legal.
    """
    rules = rules_of(book.key)
    found: set[int] = set()
    waiting = [rules.start()]
    while waiting:
        state = waiting.pop()
        position = canonical_position(rules, state)
        assert position is not None
        key = position_key(rules, position)
        if key in found or key not in book.positions:
            continue
        found.add(key)
        for turn in book.positions[key]:
            waiting.append(_after(rules, state, position, turn))
    return frozenset(found)


def _after(rules: Rules[Any], state: State, position: CanonicalPosition, turn: str) -> State:
    """Return the state after a canonical turn. Raises BadBook."""
    try:
        actions = turn_of_position(rules, state, position, turn)
    except BadAction:
        raise BadBook("a turn cannot be read") from None
    after = _play(rules, state, actions)
    if after is None or rules.turns(after) != rules.turns(state) + 1:
        raise BadBook("a turn is not legal")
    return after


def _images(
    rules: Rules[Any], begun: State, position: CanonicalPosition, turns: Turns
) -> list[BookTurn]:
    """Return all turns as they are on a board: mirrored ones too where the position is its own."""
    found: dict[tuple[Action, ...], float] = {}
    for text, value in turns.items():
        actions = read(rules, begun, begun.to_move, text)
        for symmetry in position.symmetries:
            back = inverse_of(symmetry)
            found[tuple(image_of(action, back) for action in actions)] = value
    return [BookTurn(actions, value) for actions, value in found.items()]


def _play(rules: Rules[Any], state: State, actions: Iterable[Action]) -> State | None:
    """Return the state after actions of the side to move; None if one is not legal."""
    role = state.to_move
    for action in actions:
        try:
            state = advance(rules, state, fill_noop(rules, {role: action}))
        except (BadAction, IllegalAction):
            return None
    return state


def _state_of(rules: Rules[Any], view: View) -> Any:
    """Return the state of a view of `games.amazons`."""
    moved = "-" if view["moved"] is None else "-".join(view["moved"])
    return rules.read(f"{view['board']} {view['to_move']} {moved} {view['turns']}")


def _turn_start(state: State) -> State:
    """Return the state in which the turn began."""
    if state.moved is None:
        return state
    step = 1 << state.moved.origin | 1 << state.moved.target
    if state.to_move == "white":
        return replace(state, white=state.white ^ step, moved=None)
    return replace(state, black=state.black ^ step, moved=None)
