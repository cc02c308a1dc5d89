"""Audit of an exported record: its ledger, and the record's agreement with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.audit.entries import Broken, chain_faults, parse_entries
from games.audit.fold import open_record, read
from games.audit.game_record import GameRecord
from games.catalogue import rules_of
from games.core import Rules
from games.records import BadRecord


@dataclass(frozen=True, slots=True)
class Audit:
    """Result of an audit: the record as far as it could be followed, and all faults."""

    record: GameRecord | None
    faults: Sequence[str]


def audit_ledger(
    game: str,
    rules: Rules[Any],
    entries: Sequence[tuple[str, str]],
) -> Audit:
    """Verify texts and hashes of a ledger and play its actions."""
    faults, game_record = chain_faults(entries), None
    try:
        first, *others = parse_entries(game, [text for text, _ in entries])
        game_record = open_record(game, rules, first)
        read(game_record, others)
    except Broken as broken:
        faults.append(str(broken))
    return Audit(game_record, [*faults, *(game_record.faults if game_record else ())])


def check_record(record: Any) -> tuple[list[str], str]:
    """Return all faults of an exported record and a short summary of it.

    Raises BadRecord, UnknownRules.
    """
    if not isinstance(record, dict):
        raise BadRecord("A record is a JSON object.")
    rules, slug = rules_of(str(record.get("game"))), record.get("id")
    actions, entries = record.get("actions"), _entries(record.get("ledger"))
    if not isinstance(slug, str) or not isinstance(actions, list):
        raise BadRecord("A record needs an id and a list of actions.")
    audit = audit_ledger(slug, rules, entries)
    faults = list(audit.faults)
    if audit.record and not faults:
        faults = _differences(record, audit.record)
    head = entries[-1][1] if entries else None
    return faults, f"{rules.key} {slug}, {len(entries)} entries up to {head}"


def _entries(ledger: Any) -> list[tuple[str, str]]:
    if not isinstance(ledger, list):
        raise BadRecord("The record has no ledger.")
    pairs = [(e.get("text"), e.get("hash")) for e in ledger if isinstance(e, dict)]
    if len(pairs) != len(ledger) or not all(type(part) is str for pair in pairs for part in pair):
        raise BadRecord("An entry of the ledger is a text and a hash.")
    try:
        [part.encode() for pair in pairs for part in pair]  # type: ignore[union-attr]
    except UnicodeEncodeError:
        raise BadRecord("The ledger contains invalid characters.") from None
    return [(str(text), str(hash)) for text, hash in pairs]


def _differences(record: Mapping[str, Any], game_record: GameRecord) -> list[str]:
    """Return the differences between the record and its ledger."""
    faults = []
    both = game_record.rules.is_simultaneous
    actions: list[Any] = [
        [step.joint["white"], step.joint["black"]] if both else next(iter(step.joint.values()))
        for step in game_record.steps
    ]
    if record["actions"] != actions:
        faults.append("the actions of the record are not those of its ledger")
    times = game_record.times
    clock = {"kind": times.kind, "initial": times.initial, "increment": times.increment}
    if record.get("clock") != clock:
        faults.append(f"the record says {record.get('clock')}, but its ledger {clock}")
    if record.get("rated", False) != game_record.is_rated:
        faults.append("the record and its ledger differ about whether the game is rated")
    if record.get("counted", False) != game_record.is_counted:
        faults.append("the record and its ledger differ about whether squares are counted")
    if record.get("result") != game_record.result:
        faults.append(
            f"the record says {record.get('result')}, but its ledger {game_record.result}"
        )
    return faults
