"""Entries read back from their texts, and whether their hashes are a chain."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.ledger import GENESIS, chained, text_of

FIELDS = {"game", "rev", "kind", "role", "id", "at", "lag", "clock", "body"}


class Broken(ValueError):
    """What comes after this cannot be checked; `str` is an English sentence."""


@dataclass(frozen=True, slots=True)
class Line:
    """One entry."""

    rev: int
    kind: str
    role: str | None
    id: str | None
    at: int  # ms since the epoch
    lag: int  # ms
    clock: Mapping[str, int | None]
    body: Mapping[str, Any]

    @property
    def is_old(self) -> bool:
        """Whether it is from before entries held clocks and actions: then what it does not say
        cannot be compared."""
        return not self.clock


def chain_faults(entries: Iterable[tuple[str, str]]) -> list[str]:
    """What is wrong with texts and hashes, taken as a chain."""
    faults, head = [], GENESIS
    for rev, (text, hash) in enumerate(entries):
        if chained(head, text) != hash:
            faults.append(f"rev {rev}: the hash is not that of this entry after the one before")
        head = hash
    return faults


def lines_of(game: str, texts: Sequence[str]) -> list[Line]:
    """The entries of a game in order. Raises Broken if they are not its whole ledger."""
    lines: list[Line] = []
    for rev, text in enumerate(texts):
        line = _line(rev, game, text)
        if line.rev != rev:
            raise Broken(f"rev {rev}: the entry that stands there is number {line.rev}")
        if line.is_old and lines and not lines[-1].is_old:
            raise Broken(f"rev {rev}: the entry has no clock, though those before it have")
        lines.append(line)
    if not lines:
        raise Broken("the ledger is empty")
    return lines


def _line(rev: int, game: str, text: str) -> Line:
    try:
        value = json.loads(text)
        is_canonical = text_of(value) == text
    except (ValueError, TypeError, RecursionError, UnicodeError):
        raise Broken(f"rev {rev}: the entry is not JSON") from None
    if not isinstance(value, dict) or value.keys() != FIELDS or not is_canonical:
        raise Broken(f"rev {rev}: the entry is not written as entries are")
    if value.pop("game") != game:
        raise Broken(f"rev {rev}: the entry is of another game")
    line = Line(**value)
    numbers = (line.rev, line.at, line.lag, *(ms for ms in _values(line.clock) if ms is not None))
    names = (line.role, line.id)
    if (
        any(type(number) is not int for number in numbers)
        or any(type(name) not in (str, type(None)) for name in names)
        or type(line.kind) is not str
        or type(line.body) is not dict
        or set(line.clock) not in ({"white", "black"}, set())
    ):
        raise Broken(f"rev {rev}: the entry is not written as entries are")
    return line


def _values(clock: object) -> list[Any]:
    return list(clock.values()) if isinstance(clock, dict) else ["no clock"]
