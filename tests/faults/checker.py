"""What must hold after every fault: the invariants, on rows of the database and logs of clients.

Nothing here comes from the server's own code but the pure rules. Each law yields what is wrong,
and of which kind: `lost`, `doubled`, `reordered`, `leaked`, or `broken` for the rest.
"""

import json
from collections.abc import Callable, Iterator

from tests.faults.canaries import Canaries
from tests.faults.evidence import Evidence, Finding, Trouble
from tests.faults.page_laws import (
    accepted_is_kept,
    ends_are_final,
    nobody_waits_for_ever,
    pages_agree,
)
from tests.faults.record_laws import (
    clocks_add_up,
    flags_are_just,
    nothing_is_invented,
    order_is_gapless,
    seals_are_what_was_committed,
    the_ledger_is_chained,
    turns_are_what_was_sent,
)

# An action may wait so long for the database that another process commits a later one first.
SKEW = 30_000  # ms
Law = Callable[[Evidence], Trouble]
LAWS: tuple[Law, ...] = (
    accepted_is_kept,
    nothing_is_invented,
    order_is_gapless,
    turns_are_what_was_sent,
    clocks_add_up,
    flags_are_just,
    ends_are_final,
    pages_agree,
    nobody_waits_for_ever,
    the_ledger_is_chained,
    seals_are_what_was_committed,
)


def judged(evidence: list[Evidence], canaries: Canaries) -> list[Finding]:
    """All that is wrong."""
    found = [
        Finding(
            kind, law.__name__, f"{each.rows.game['rules']} {each.rows.game['slug'][:6]}: {text}"
        )
        for each in evidence
        for law in LAWS
        for kind, text in law(each)
    ]
    for each in evidence:
        for turn, salts in salts_of(each):
            canaries.salts(each.rows.game["slug"], turn, salts)
    return found + [Finding("leaked", "view safety", text) for text in canaries.leaks]


def salts_of(e: Evidence) -> Iterator[tuple[int, dict[str, str]]]:
    """The salts of every reveal, by turn and role."""
    for turn in e.rows.turns:
        proofs = json.loads(turn.get("seals") or "{}")
        yield turn["number"], {role: proof["salt"] for role, proof in proofs.items()}
