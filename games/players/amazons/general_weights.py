"""Weights of the evaluation that are not fitted to a board, made from the terms of Lieberum.

The terms stand in `TERMS`, in the order of the columns of a table of their weights. `from_terms`
makes the weights of the inputs from it, see `distances`, which has the source of the terms.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from games.players.amazons.distances import (
    ALONE_AT,
    COLUMNS,
    CROWDING_AT,
    KING_CLASSES,
    KINGS_AT,
    QUEEN_CLASSES,
)

# t1, even, t2, c1, c2: cells nearer to a side in queen moves, cells as near to both, cells nearer
# in king moves, sums of 2 (2^-own - 2^-other) over queen moves, and of (other - own) / 6 over king
# moves. mobility: how enclosed the other side's amazons are, minus the own.
TERMS: Final = ("t1", "even", "t2", "c1", "c2", "mobility")
QUEEN_MOVES: Final = (1.0, 2.0, 3.0, 4.0, np.inf)  # of the classes, about
KING_MOVES: Final = (1.0, 2.0, 3.0, 4.0, 5.5, 7.0)
PHASES: Final = (0.0, 5.0, 15.0, 35.0, 70.0)  # values of w, between which weights are interpolated
# Of the terms by phase, fitted by logistic regression to 716 games of the search against itself.
_ROWS: Final = (
    (0.87, -0.25, -0.21, 0.14, -0.26, 0.60),
    (0.25, 0.01, 0.05, -0.01, 0.05, 0.01),
    (0.15, 0.03, 0.02, -0.05, 0.08, 0.38),
    (0.07, 0.01, 0.02, -0.04, 0.08, 0.56),
    (-0.06, 0.00, 0.03, 0.13, -0.04, 0.73),
)
# Of a beginner, who sees how far amazons can go, and counts squares once the sides are separated.
_MOBILITY_ROWS: Final = ((0.87, 0, 0, 0.1, 0, 0.2), *((0, 0, 0, 0.05, 0, 0.2),) * 4)


def from_terms(rows: Any) -> Any:
    """Return weights of the inputs, float (phases, COLUMNS), from those of TERMS, (phases, 6)."""
    t1, even, t2, c1, c2, mobility = np.array(rows, float).T[:, :, None]
    made = np.zeros((len(rows), COLUMNS))
    own, other = _pairs(QUEEN_MOVES)
    made[:, :KINGS_AT] = (
        t1 * _nearer(own, other)
        + even * ((own == other) & np.isfinite(own))
        + c1 * 2.0 * (2.0**-own - 2.0**-other)
    )
    own, other = _pairs(KING_MOVES)
    made[:, KINGS_AT:CROWDING_AT] = t2 * _nearer(own, other) + c2 * (other - own) / 6.0
    made[:, CROWDING_AT] = mobility[:, 0]
    made[:, CROWDING_AT + 1] = -mobility[:, 0]
    made[:, ALONE_AT] = t1[:, 0]
    return made


def _pairs(distances: tuple[float, ...]) -> tuple[Any, Any]:
    """Return the own distance and the other of each pair of classes."""
    many = len(distances)
    return np.repeat(distances, many), np.tile(distances, many)


def _nearer(own: Any, other: Any) -> Any:
    return (own < other).astype(float) - (own > other)


# Rows: the phases before a move, then once more before its shot.
WEIGHTS: Final = np.vstack(2 * (from_terms(_ROWS),))
MOBILITY_WEIGHTS: Final = np.vstack(2 * (from_terms(_MOBILITY_ROWS),))
assert len(QUEEN_MOVES) == QUEEN_CLASSES
assert len(KING_MOVES) == KING_CLASSES
