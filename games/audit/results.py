"""Expected result of an entry, from its kind and the position before it."""

from __future__ import annotations

from typing import Any

from games.core import OTHER, Role, Rules
from games.counting import TerritoryCount

Result = dict[str, Any]  # winner, goals, reason
# Of games of `amazons` in which squares are not counted: consecutive turns without an arrow after
# which a draw may be claimed, and turns after which the game is a draw.
MAX_QUIET_TURNS = 50
MAX_TURNS = 400


def result_by_rules(rules: Rules[Any], state: Any) -> Result | None:
    """Return the result of a final position; None while the game goes on."""
    outcome = rules.outcome(state)
    if outcome is None:
        return None
    return result(outcome.winner, dict(outcome.goals), outcome.reason)


def result_by_length(rules: Rules[Any], state: Any) -> Result | None:
    """Return the result of a game without counts that is too long; None while it goes on."""
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


def counted_result(count: TerritoryCount, reason: str) -> Result:
    """Return the result of a count."""
    if count.winner is None:
        return result(None, {"white": 50, "black": 50}, reason)
    return result(count.winner, {count.winner: 100, OTHER[count.winner]: 0}, reason)


def void(rules: Rules[Any], state: Any, reason: str) -> Result:
    """Return a result that counts for neither role."""
    end = agreed_result(rules, state, None, reason)
    return end if rules.counts_points else end | {"goals": {"white": 0, "black": 0}}


def result(winner: str | None, goals: dict[Any, int], reason: str) -> Result:
    """Return a result in the form of the ledger."""
    return {"winner": winner, "goals": goals, "reason": reason}
