"""Fit the weights of the evaluation of Amazons to games of self-play.

The expected result is tanh of a weighted sum of inputs, so this is logistic regression. Two sets of
weights are fitted, for positions before a move and before its shot. Smoothness prior: the second
differences of a weight along the phases are penalised, in units of the spread of its input.
Positions without a shared cell are left out: they depend only on the weight of ALONE_AT, which
keeps its value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from games.lab.self_play import VALUE_SCALE, read_games, replay
from games.players.amazons.area_turns import new_scratch
from games.players.amazons.distances import ALONE_AT, COLUMNS, count_inputs
from games.players.amazons.general_weights import PHASES

SKIPPED_ACTIONS: Final = 6  # at the start of a game, random ones among them
TEST_SHARE: Final = 5  # every fifth game is kept apart to measure the loss
SEARCH_SHARE: Final = 0.5  # of the search's value in the goal; the rest is the result
SMOOTHNESS: Final = 3e-4  # penalty of second differences
RIDGE: Final = 1e-4  # penalty of weights
LEAST_SPREAD: Final = 0.02  # of an input, for the penalties
ALONE_WEIGHT: Final = 0.35  # of a cell where none is shared
MAX_SEARCH_VALUE: Final = 0.99
STEPS: Final = 8  # of Newton's method
ROWS_AT_A_TIME: Final = 20_000  # bounds the memory


@dataclass(frozen=True, slots=True)
class Samples:
    """Positions with their goals."""

    inputs: Any  # float32 (n, COLUMNS): see `distances`
    w: Any  # float (n,): what `distances.count_inputs` returns, more than 0
    result: Any  # float (n,): 1 won, -1 lost by the side to act
    value: Any  # float (n,): of the search
    is_shot: Any  # bool (n,)
    is_test: Any  # bool (n,)


def samples_of(key: str, files: Iterable[Path]) -> Samples:
    """Return the positions of the games in these files in which cells are shared."""
    scratch = new_scratch()
    rows, phases, results, values, shots, tests = [], [], [], [], [], []
    games = 0
    for file in files:
        for record in read_games(file):
            games += 1
            for index, (position, value, result) in enumerate(replay(key, record)):
                if index < SKIPPED_ACTIONS:
                    continue
                w = count_inputs(*position.words, scratch.waves, scratch.inputs)
                if w == 0.0:
                    continue
                rows.append(scratch.inputs.astype(np.float32))
                phases.append(w)
                results.append(result)
                values.append(value / VALUE_SCALE)
                shots.append(position.move >= 0)
                tests.append(games % TEST_SHARE == 0)
    return Samples(
        np.array(rows),
        np.array(phases),
        np.array(results, float),
        np.clip(np.array(values), -MAX_SEARCH_VALUE, MAX_SEARCH_VALUE),
        np.array(shots, bool),
        np.array(tests, bool),
    )


def design(inputs: Any, w: Any) -> Any:
    """Return the inputs spread over the phases: float (n, phases × ALONE_AT)."""
    knots = np.array(PHASES)
    knot = np.clip(np.searchsorted(knots, w) - 1, 0, len(knots) - 2)
    part = np.minimum(1.0, (w - knots[knot]) / (knots[knot + 1] - knots[knot]))
    shares = np.zeros((len(w), len(knots)))
    index = np.arange(len(w))
    shares[index, knot] = 1.0 - part
    shares[index, knot + 1] += part
    return (shares[:, :, None] * inputs[:, None, :ALONE_AT]).reshape(len(w), -1)


def fit(inputs: Any, w: Any, goal: Any) -> Any:
    """Return weights, float (phases, COLUMNS), for positions with these goals in [-1, 1]."""
    prior = _penalty(inputs[:, :ALONE_AT].std(axis=0, dtype=float) + LEAST_SPREAD)
    weights = np.zeros(len(prior))
    for _ in range(STEPS):
        slope, curvature = prior @ weights, prior.copy()
        for part in _parts(len(goal)):
            columns = design(inputs[part], w[part])
            value = np.tanh(columns @ weights)
            slope += columns.T @ (value - goal[part]) / len(goal)
            curvature += (columns * (1.0 - value**2)[:, None]).T @ columns / len(goal)
        weights -= np.linalg.solve(curvature, slope)
    made = np.full((len(PHASES), COLUMNS), ALONE_WEIGHT)
    made[:, :ALONE_AT] = weights.reshape(len(PHASES), -1)
    return made


def _parts(many: int) -> Iterator[slice]:
    for start in range(0, many, ROWS_AT_A_TIME):
        yield slice(start, start + ROWS_AT_A_TIME)


def _penalty(scale: Any) -> Any:
    """Return the quadratic form of the prior."""
    width, count = len(scale), len(PHASES)
    differences = np.zeros(((count - 2) * width, count * width))
    for phase in range(count - 2):
        for column in range(width):
            row = phase * width + column
            for offset, factor in enumerate((1.0, -2.0, 1.0)):
                differences[row, (phase + offset) * width + column] = factor * scale[column]
    return SMOOTHNESS * differences.T @ differences + RIDGE * np.diag(np.tile(scale, count) ** 2)


def loss(inputs: Any, w: Any, weights: Any, result: Any) -> float:
    """Return the mean cross-entropy of results in nats."""
    flat, total = weights[:, :ALONE_AT].ravel(), 0.0
    for part in _parts(len(result)):
        score = 2.0 * (design(inputs[part], w[part]) @ flat)
        total += float(np.logaddexp(0.0, -score * result[part]).sum())
    return total / len(result)


def fit_both(samples: Samples) -> Any:
    """Return weights as `general_weights.WEIGHTS` has them, fitted to games that are no test."""
    goal = (1.0 - SEARCH_SHARE) * samples.result + SEARCH_SHARE * samples.value
    parts = []
    for is_shot in (False, True):
        chosen = (samples.is_shot == is_shot) & ~samples.is_test
        parts.append(fit(samples.inputs[chosen], samples.w[chosen], goal[chosen]))
    return np.vstack(parts)


def losses(samples: Samples, weights: Any) -> list[float]:
    """Return the losses of these weights on the test games, before a move and before a shot."""
    rows = np.split(weights, 2)
    return [
        round(
            loss(
                samples.inputs[chosen],
                samples.w[chosen],
                rows[int(is_shot)],
                samples.result[chosen],
            ),
            4,
        )
        for is_shot in (False, True)
        if (chosen := samples.is_test & (samples.is_shot == is_shot)).any()
    ]
