"""Invariants that must hold after every fault, on database rows and client logs.

Nothing here comes from the server's own code but the pure rules. Each law yields what is wrong,
and of which kind: `lost`, `doubled`, `reordered`, `leaked`, or `broken` for the rest.
"""

import json
from collections.abc import Callable, Iterator

from tests.faults.laws.evidence import Evidence, Finding, Trouble
from tests.faults.laws.leak_detection import LeakDetector
from tests.faults.laws.page_laws import (
    accepted_is_kept,
    ends_are_final,
    exports_are_the_record,
    nobody_waits_for_ever,
    pages_agree,
    pages_end_alike,
)
from tests.faults.laws.record_laws import (
    clocks_add_up,
    entries_say_what_was_sent,
    flags_are_just,
    nothing_is_invented,
    order_is_gapless,
    record_replays_to_position,
    refusals_are_explained,
    seals_are_what_was_committed,
    steps_are_what_was_sent,
    takebacks_are_kept,
    the_ledger_is_chained,
)

# An action may wait so long for the database that another process commits a later one first.
SKEW = 30_000  # ms
Law = Callable[[Evidence], Trouble]
LAWS: tuple[Law, ...] = (
    accepted_is_kept,
    nothing_is_invented,
    refusals_are_explained,
    entries_say_what_was_sent,
    order_is_gapless,
    steps_are_what_was_sent,
    takebacks_are_kept,
    record_replays_to_position,
    clocks_add_up,
    flags_are_just,
    ends_are_final,
    pages_agree,
    pages_end_alike,
    exports_are_the_record,
    nobody_waits_for_ever,
    the_ledger_is_chained,
    seals_are_what_was_committed,
)


def judged(evidence: list[Evidence], leak_detector: LeakDetector) -> list[Finding]:
    """The findings of all laws, and the detected leaks."""
    found = [
        Finding(
            kind, law.__name__, f"{each.rows.game['rules']} {each.rows.game['slug'][:6]}: {text}"
        )
        for each in evidence
        for law in LAWS
        for kind, text in law(each)
    ]
    for each in evidence:
        for step, salts in salts_of(each):
            leak_detector.salts(each.rows.game["slug"], step, salts)
    return found + [Finding("leaked", "view safety", text) for text in leak_detector.leaks]


def salts_of(e: Evidence) -> Iterator[tuple[int, dict[str, str]]]:
    """The salts of every reveal, by step and role."""
    for step in e.rows.steps:
        proofs = json.loads(step.get("seals") or "{}")
        yield step["number"], {role: proof["salt"] for role, proof in proofs.items()}
