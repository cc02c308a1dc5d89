"""Why one turn of Amazons is better than another: the inputs of the evaluation, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.amazons import Amazons, State
from games.core import assemble_joint
from games.players.amazons.area_turns import new_scratch
from games.players.amazons.distances import (
    ALONE_AT,
    CROWDING_AT,
    KINGS_AT,
    QUEEN_CLASSES,
    count_inputs,
    unshared_cells,
)
from games.players.amazons.general_weights import PHASES
from games.players.amazons.weights import fitted_weights
from games.players.analysis.boards import position_of
from games.players.analysis.decided import decided

_SMALL: Final = 0.005  # weighted differences below it are left out
_EQUAL: Final = [(QUEEN_CLASSES + 1) * number for number in range(QUEEN_CLASSES)]
_GROUPS: Final[dict[str, list[int]]] = {  # columns of the inputs
    "territory": [column for column in range(KINGS_AT) if column not in _EQUAL],
    "contested": _EQUAL,
    "steps": list(range(KINGS_AT, CROWDING_AT)),
    "mobility": list(range(CROWDING_AT, ALONE_AT)),
}
# By group of inputs: the text for a positive difference, then for a negative one.
TEXTS: Final = {
    "territory": (
        "More squares are nearer to your amazons in queen moves.",
        "Fewer squares are nearer to your amazons in queen moves.",
    ),
    "contested": (
        "The squares that both sides reach equally fast count for you.",
        "The squares that both sides reach equally fast count against you.",
    ),
    "steps": (
        "Your amazons stand better, step by step, for the squares that are still open.",
        "Your amazons stand worse, step by step, for the squares that are still open.",
    ),
    "mobility": (
        "Your amazons are less shut in, or the opponent's more.",
        "Your amazons are more shut in, or the opponent's less.",
    ),
    "proof": (
        "The better turn wins for certain, or the other one loses for certain.",
        "The other turn wins for certain, or this one loses for certain.",
    ),
}


@dataclass(frozen=True, slots=True)
class Reason:
    """One difference between two turns."""

    term: str  # a key of TEXTS
    amount: float  # weighted, before the result is squashed to -1 to 1; positive speaks for `turn`
    text: str  # English, addressed to the player of the turns


def why(
    rules: Amazons, state: State, turn: Sequence[str], other: Sequence[str]
) -> tuple[Reason, ...]:
    """Return the differences between a turn and another one, the largest first.

    Both are whole turns as canonical actions, from `state` on. The amounts add up to the difference
    of the evaluations, but for those below 0.005. A proof comes first, with the amount 2 or -2 if
    one turn wins and the other loses, else 1 or -1. Raises games.core.BadAction or IllegalAction.
    """
    ends = [_play(rules, state, actions) for actions in (turn, other)]
    reasons = []
    proved = _result(rules, state, ends[0]) - _result(rules, state, ends[1])
    if proved:
        reasons.append(Reason("proof", float(proved), TEXTS["proof"][proved < 0]))
    first, second = (_contributions(rules, end) for end in ends)
    amounts = {name: first[name] - second[name] for name in first}
    for name in sorted(amounts, key=lambda each: -abs(amounts[each])):
        if abs(amounts[name]) >= _SMALL:
            reasons.append(Reason(name, amounts[name], TEXTS[name][amounts[name] < 0]))
    return tuple(reasons)


def _play(rules: Amazons, state: State, actions: Sequence[str]) -> State:
    """Return the state after a turn, which is checked."""
    mover = state.to_move
    for text in actions:
        action = rules.parse(text)
        rules.check(state, mover, action)
        state = rules.play(state, assemble_joint(rules, state, {mover: action}))
    return state


def _result(rules: Amazons, before: State, after: State) -> int:
    """Return 1 for a proved win of the role that made the turn, -1 for a proved loss, else 0."""
    outcome, proof = rules.outcome(after), decided(rules, after)
    winner = outcome.winner if outcome else proof.winner if proof else None
    return 0 if winner is None else 1 if winner == before.to_move else -1


def _contributions(rules: Amazons, after: State) -> dict[str, float]:
    """Return the contribution of each group of inputs, for the side that has just moved."""
    scratch = new_scratch()
    w = count_inputs(*position_of(after, rules.grid.board).words, scratch.waves, scratch.inputs)
    inputs, weights = scratch.inputs, fitted_weights(rules.key)  # the first rows: before a move
    if w == 0.0:
        own, other = unshared_cells(inputs)
        lead = own - other - 0.5
        return dict.fromkeys(_GROUPS, 0.0) | {"territory": -float(weights[0, ALONE_AT]) * lead}
    knot = max(index for index in range(len(PHASES) - 1) if index == 0 or w > PHASES[index])
    part = min(1.0, (w - PHASES[knot]) / (PHASES[knot + 1] - PHASES[knot]))
    weighted = inputs * ((1.0 - part) * weights[knot] + part * weights[knot + 1])
    return {name: -float(weighted[columns].sum()) for name, columns in _GROUPS.items()}
