"""Expected result of an entry, from its kind and the position before it."""

from __future__ import annotations

from typing import Any

from games.core import OTHER, Role, Rules

Result = dict[str, Any]  # winner, goals, reason
# Consecutive turns without an arrow after which a draw may be claimed in `amazons`.
MAX_QUIET_TURNS = 50
MAX_TURNS = 400  # turns after which a game of `amazons` is a draw


def result_by_rules(rules: Rules[Any], state: Any) -> Result | None:
    """Return the result of a final position; None while the game goes on."""
    outcome = rules.outcome(state)
    if outcome is not None:
        return result(outcome.winner, dict(outcome.goals), outcome.reason)
    if rules.key == "amazons" and rules.turns(state) >= MAX_TURNS:
        return agreed_result(rules, state, None, "too_long")
    return None


def agreed_result(rules: Rules[Any], state: Any, winner: Role | None, reason: str) -> Result:
    """Return a result outside the rules; points already scored are kept."""
    if rules.counts_points:
        goals = rules.view(state, None)["totals"]
    elif winner is None:
        goals = {"white": 50, "black": 50}
    else:
        goals = {winner: 100, OTHER[winner]: 0}
    return result(winner, goals, reason)


def void(rules: Rules[Any], state: Any, reason: str) -> Result:
    """Return a result that counts for neither role."""
    end = agreed_result(rules, state, None, reason)
    return end if rules.counts_points else end | {"goals": {"white": 0, "black": 0}}


def result(winner: str | None, goals: dict[Any, int], reason: str) -> Result:
    """Return a result in the form of the ledger."""
    return {"winner": winner, "goals": goals, "reason": reason}
