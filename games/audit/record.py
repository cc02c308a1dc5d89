"""Checks an exported record: the ledger in it, and that the record says what the ledger says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.audit.book import Book, Known
from games.audit.fold import opened, read
from games.audit.lines import Broken, chain_faults, lines_of
from games.catalogue import rules_of
from games.core import ROLES, Rules
from games.records import BadRecord


@dataclass(frozen=True, slots=True)
class Audit:
    """What came out: the book as far as it could be followed, and all that is wrong."""

    book: Book | None
    faults: Sequence[str]


def audited(
    game: str,
    rules: Rules[Any],
    entries: Sequence[tuple[str, str]],
    clock: object = None,
    known: Known = lambda number, rev: None,
) -> Audit:
    """Checks texts and hashes of a ledger, and plays what they say."""
    faults, book = chain_faults(entries), None
    try:
        first, *others = lines_of(game, [text for text, _ in entries])
        book = opened(game, rules, first, clock, known)
        read(book, others)
    except Broken as broken:
        faults.append(str(broken))
    return Audit(book, [*faults, *(book.faults if book else ())])


def checked(record: Any) -> tuple[list[str], str]:
    """All that is wrong with an exported record, and what it is in a few words.

    Raises BadRecord, UnknownRules.
    """
    if not isinstance(record, dict):
        raise BadRecord("A record is a JSON object.")
    rules, slug = rules_of(str(record.get("game"))), record.get("id")
    actions, entries = record.get("actions"), _entries(record.get("ledger"))
    if not isinstance(slug, str) or not isinstance(actions, list):
        raise BadRecord("A record needs an id and a list of actions.")
    audit = audited(slug, rules, entries, record.get("clock"), _known(rules, actions))
    faults = list(audit.faults)
    if audit.book and not faults:
        faults = _differences(record, audit.book)
    head = entries[-1][1] if entries else None
    return faults, f"{rules.key} {slug}, {len(entries)} entries up to {head}"


def _entries(ledger: Any) -> list[tuple[str, str]]:
    if not isinstance(ledger, list):
        raise BadRecord("The record has no ledger: it is from before there were any.")
    pairs = [(e.get("text"), e.get("hash")) for e in ledger if isinstance(e, dict)]
    if len(pairs) != len(ledger) or not all(type(part) is str for pair in pairs for part in pair):
        raise BadRecord("An entry of the ledger is a text and a hash.")
    try:
        [part.encode() for pair in pairs for part in pair]  # type: ignore[union-attr]
    except UnicodeEncodeError:
        raise BadRecord("The ledger has characters that are none.") from None
    return [(str(text), str(hash)) for text, hash in pairs]


def _known(rules: Rules[Any], actions: Sequence[Any]) -> Known:
    """What the record itself says was played, for entries that are too old to say it."""

    def known(number: int, rev: int) -> Mapping[str, str] | None:
        played = actions[number] if number < len(actions) else None
        both: list[Any] = played if isinstance(played, list) else [played, played]
        is_said = len(both) == len(ROLES) and all(type(text) is str for text in both)
        return {r: str(text) for r, text in zip(ROLES, both, strict=True)} if is_said else None

    return known


def _differences(record: Mapping[str, Any], book: Book) -> list[str]:
    """Where the record says something else than its ledger."""
    faults = []
    both = book.rules.kind == "split"
    actions: list[Any] = [
        [turn.joint["white"], turn.joint["black"]] if both else next(iter(turn.joint.values()))
        for turn in book.turns
    ]
    if record["actions"] != actions:
        faults.append("the actions of the record are not those of its ledger")
    times = book.times
    clock = {"kind": times.kind, "initial": times.initial, "increment": times.increment}
    if record.get("clock") != clock:
        faults.append(f"the record says {record.get('clock')}, and its ledger {clock}")
    if record.get("result") != book.result:
        faults.append(f"the record says {record.get('result')}, and its ledger {book.result}")
    return faults
