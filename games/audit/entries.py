"""Parsing of ledger entries and verification of their hash chain."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.ledger import GENESIS, chain_hash, text_of

FIELDS = {"game", "rev", "kind", "role", "id", "at", "lag", "clock", "body"}


class Broken(ValueError):
    """Fault after which the audit cannot continue; `str` is an English sentence."""


@dataclass(frozen=True, slots=True)
class ParsedEntry:
    """One parsed entry of a ledger."""

    rev: int
    kind: str
    role: str | None
    id: str | None
    at: int  # ms since the epoch
    lag: int  # ms
    clock: Mapping[str, int | None]
    body: Mapping[str, Any]


def chain_faults(entries: Iterable[tuple[str, str]]) -> list[str]:
    """Return the faults in a chain of texts and hashes."""
    faults, head = [], GENESIS
    for rev, (text, hash) in enumerate(entries):
        if chain_hash(head, text) != hash:
            faults.append(f"rev {rev}: the hash is not that of this entry after the one before")
        head = hash
    return faults


def parse_entries(game: str, texts: Sequence[str]) -> list[ParsedEntry]:
    """Return the entries of a game in order. Raises Broken if the ledger is incomplete."""
    entries: list[ParsedEntry] = []
    for rev, text in enumerate(texts):
        entry = _parse_entry(rev, game, text)
        if entry.rev != rev:
            raise Broken(f"rev {rev}: the entry there has the number {entry.rev}")
        entries.append(entry)
    if not entries:
        raise Broken("the ledger is empty")
    return entries


def _parse_entry(rev: int, game: str, text: str) -> ParsedEntry:
    try:
        value = json.loads(text)
        is_canonical = text_of(value) == text
    except (ValueError, TypeError, RecursionError, UnicodeError):
        raise Broken(f"rev {rev}: the entry is not JSON") from None
    if not isinstance(value, dict) or value.keys() != FIELDS or not is_canonical:
        raise Broken(f"rev {rev}: the entry is not in canonical form")
    if value.pop("game") != game:
        raise Broken(f"rev {rev}: the entry belongs to another game")
    entry = ParsedEntry(**value)
    numbers = (
        entry.rev,
        entry.at,
        entry.lag,
        *(ms for ms in _values(entry.clock) if ms is not None),
    )
    names = (entry.role, entry.id)
    if (
        any(type(number) is not int for number in numbers)
        or any(type(name) not in (str, type(None)) for name in names)
        or type(entry.kind) is not str
        or type(entry.body) is not dict
        or entry.clock.keys() != {"white", "black"}
    ):
        raise Broken(f"rev {rev}: the entry is not in canonical form")
    return entry


def _values(clock: object) -> list[Any]:
    return list(clock.values()) if isinstance(clock, dict) else ["no clock"]
