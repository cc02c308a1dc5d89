"""The result that an entry must have led to, by its kind and the position that it found."""

from __future__ import annotations

from typing import Any

from games.core import OTHER, Role, Rules

Result = dict[str, Any]  # winner, goals, reason
QUIET_LIMIT = 50  # goes in a row without an arrow after which a draw may be claimed in `amazons`
GO_LIMIT = 400  # goes after which a game of `amazons` is a draw


def by_the_rules(rules: Rules[Any], state: Any) -> Result | None:
    """The end that the position is; None while the game goes on."""
    outcome = rules.outcome(state)
    if outcome is not None:
        return result(outcome.winner, dict(outcome.goals), outcome.reason)
    if rules.key == "amazons" and rules.goes(state) >= GO_LIMIT:
        return settled(rules, state, None, "too_long")
    return None


def settled(rules: Rules[Any], state: Any, winner: Role | None, reason: str) -> Result:
    """An end of which the rules know nothing; points that were reached stay."""
    if rules.kind == "split":
        goals = rules.view(state, None)["totals"]
    elif winner is None:
        goals = {"white": 50, "black": 50}
    else:
        goals = {winner: 100, OTHER[winner]: 0}
    return result(winner, goals, reason)


def void(rules: Rules[Any], state: Any, reason: str) -> Result:
    """An end that counts for nobody."""
    end = settled(rules, state, None, reason)
    return end if rules.kind == "split" else end | {"goals": {"white": 0, "black": 0}}


def result(winner: str | None, goals: dict[Any, int], reason: str) -> Result:
    """A result as the ledger writes it."""
    return {"winner": winner, "goals": goals, "reason": reason}
