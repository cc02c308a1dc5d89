"""Fault 29 counts what people did after a revocation, not the end of a deleted account."""

from tests.faults.cases.revoked_sessions import CLOSE, late_actions

REVOKED_AT = 1_000_000


def entry(after, role="white", action_id="a1"):
    """An entry of the ledger, received so many ms after the revocation."""
    at = REVOKED_AT + after
    return {"kind": "act", "role": role, "action_id": action_id, "received_at": at}


def test_an_action_after_the_revocation_is_late():
    assert late_actions([entry(CLOSE + 1)], "white", REVOKED_AT) == [entry(CLOSE + 1)]


def test_an_action_before_it_or_of_the_other_side_is_not():
    ledger = [
        entry(-500),
        entry(CLOSE),
        entry(2 * CLOSE, role="black"),
        entry(2 * CLOSE, role=None),
    ]
    assert late_actions(ledger, "white", REVOKED_AT) == []


def test_the_resignation_of_a_deleted_account_is_not():
    ledger = [entry(2 * CLOSE, action_id="site:departure"), entry(2 * CLOSE, action_id=None)]
    assert late_actions(ledger, "white", REVOKED_AT) == [ledger[1]]
