"""Audit of ends by a count of own squares, recomputed from the position before them."""

from __future__ import annotations

from games.audit import results
from games.audit.entries import Broken, ParsedEntry
from games.audit.game_record import GameRecord
from games.audit.results import Result
from games.counting import as_json, count_territory, limit_reason, may_be_counted
from games.ledger import CLAIMS_FORMAT_VERSION, COUNTED_FORMAT_VERSION


def read_option(record: GameRecord, entry: ParsedEntry) -> None:
    """Note whether the game that an entry opens ends by a count. Raises Broken."""
    has_option, version = "counted" in entry.body, entry.body["format"]
    if version != CLAIMS_FORMAT_VERSION and has_option != (version == COUNTED_FORMAT_VERSION):
        raise Broken("rev 0: the option to count squares and the format of the ledger differ")
    if not has_option:
        return
    record.is_counted = entry.body["counted"] is True
    if not record.is_counted or not may_be_counted(record.rules):
        raise Broken("rev 0: squares are not counted in a game like this")


def result_by_limit(record: GameRecord, entry: ParsedEntry) -> Result | None:
    """Return the result of a game that has lasted too long after an action; None if it goes on."""
    if not record.is_counted:
        return results.result_by_length(record.rules, record.state)
    reason = limit_reason(record.quiet, record.rules.turns(record.state))
    return None if reason is None else _result(record, entry, reason)


def count(record: GameRecord, entry: ParsedEntry) -> Result:
    """Apply the entry of a role that has asked for the count of a game whose sides are parted."""
    record.role_of(entry)
    if not record.is_counted:
        raise Broken("squares are counted in a game without that option")
    if not count_territory(record.rules, record.state).is_parted:  # type: ignore[arg-type]
        record.complain(entry, "squares are counted before the sides are parted")
    return _result(record, entry, "counted")


def _result(record: GameRecord, entry: ParsedEntry, reason: str) -> Result:
    """Return the result of the count; the entry must have the same regions and numbers."""
    counted = count_territory(record.rules, record.state)  # type: ignore[arg-type]
    if entry.body.get("count") != as_json(counted):
        record.complain(
            entry, f"the count is {entry.body.get('count')}, but must be {as_json(counted)}"
        )
    return results.counted_result(counted, reason)
