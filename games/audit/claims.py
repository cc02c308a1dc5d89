"""Audit of claims that a game is decided: a witness is checked, refused claims are numbered."""

from __future__ import annotations

from games.audit import results
from games.audit.entries import Broken, ParsedEntry
from games.audit.game_record import GameRecord
from games.audit.results import Result
from games.core import Role
from games.decided import MAX_CLAIMS, BadWitness, Unproved, check, has_claims, parse
from games.ledger import CLAIMS_FORMAT_VERSION


def read_claims(record: GameRecord, entry: ParsedEntry) -> None:
    """Note whether a role may claim in the game that an entry opens. Raises Broken."""
    if entry.body["format"] != CLAIMS_FORMAT_VERSION:
        return
    if not has_claims(record.rules):
        raise Broken("rev 0: nobody may claim in a game like this")
    record.claims = {}


def claim_decided(record: GameRecord, entry: ParsedEntry) -> Result:
    """Apply the entry of a role that has proved that it wins."""
    role, _ = _read(record, entry)
    try:
        witness = parse(entry.body.get("witness"))
        check(record.rules, record.state, role, witness, is_counted=record.is_counted)
    except (BadWitness, Unproved) as flaw:
        record.complain(entry, f"the win is claimed, but not proved: {flaw}")
    return results.agreed_result(record.rules, record.state, role, "decided")


def refuse_claim(record: GameRecord, entry: ParsedEntry) -> None:
    """Apply the entry of a refused claim. The refusal itself is not checked."""
    role, claims = _read(record, entry)
    claims[role] = claims.get(role, 0) + 1
    if entry.body.get("number") != claims[role]:
        record.complain(entry, f"it must be refused claim {claims[role]} of {role}")


def _read(record: GameRecord, entry: ParsedEntry) -> tuple[Role, dict[Role, int]]:
    """Return who claims, and the refused claims before it. Raises Broken."""
    role = record.role_of(entry)
    if record.claims is None:
        raise Broken("the win is claimed in a game without claims")
    if role not in record.rules.control(record.state) or role in record.waiting:
        raise Broken(f"{role} claims the win, but is not to act")
    if record.claims.get(role, 0) >= MAX_CLAIMS:
        record.complain(entry, f"{role} claims after {MAX_CLAIMS} refused claims")
    return role, record.claims
