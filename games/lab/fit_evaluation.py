"""Fit the weights of the evaluation of Amazons to games of self-play.

The expected result is tanh of a weighted sum of terms, so this is logistic regression. Two sets of
weights are fitted, for positions before a move and before its shot. Smoothness prior: the second
differences of a weight along the phases are penalised, in units of the spread of its term.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from games.lab.self_play import VALUE_SCALE, read_games, replay
from games.players.amazons.evaluation import PHASES, terms

SKIPPED_ACTIONS: Final = 6  # at the start of a game, random ones among them
TEST_SHARE: Final = 5  # every fifth game is kept apart to measure the loss
SEARCH_SHARE: Final = 0.5  # of the search's value in the goal; the rest is the result
SMOOTHNESS: Final = 3e-4  # penalty of second differences
RIDGE: Final = 1e-5  # penalty of weights
MAX_SEARCH_VALUE: Final = 0.99
STEPS: Final = 12  # of Newton's method


@dataclass(frozen=True, slots=True)
class Samples:
    """Positions with their goals."""

    terms: Any  # float (n, 7): what `evaluation.terms` returns
    result: Any  # float (n,): 1 won, -1 lost by the side to act
    value: Any  # float (n,): of the search
    is_shot: Any  # bool (n,)
    is_test: Any  # bool (n,)


def samples_of(key: str, files: Iterable[Path]) -> Samples:
    """Return all positions of the games in these files."""
    rows, results, values, shots, tests = [], [], [], [], []
    games = 0
    for file in files:
        for record in read_games(file):
            games += 1
            for index, (position, value, result) in enumerate(replay(key, record)):
                if index < SKIPPED_ACTIONS:
                    continue
                rows.append(terms(*position.words))
                results.append(result)
                values.append(value / VALUE_SCALE)
                shots.append(position.move >= 0)
                tests.append(games % TEST_SHARE == 0)
    return Samples(
        np.array(rows),
        np.array(results, float),
        np.clip(np.array(values), -MAX_SEARCH_VALUE, MAX_SEARCH_VALUE),
        np.array(shots),
        np.array(tests),
    )


def design(rows: Any) -> Any:
    """Return the terms spread over the phases: float (n, phases × 6)."""
    w, knots = rows[:, 6], np.array(PHASES)
    knot = np.clip(np.searchsorted(knots, w) - 1, 0, len(knots) - 2)
    part = np.minimum(1.0, (w - knots[knot]) / (knots[knot + 1] - knots[knot]))
    shares = np.zeros((len(w), len(knots)))
    index = np.arange(len(w))
    shares[index, knot] = 1.0 - part
    shares[index, knot + 1] += part
    return (shares[:, :, None] * rows[:, None, :6]).reshape(len(w), -1)


def fit(rows: Any, goal: Any) -> Any:
    """Return weights, float (phases, 6), for positions with these terms and goals in [-1, 1]."""
    columns = design(rows)
    prior = _penalty(rows[:, :6].std(axis=0) + 1e-6)
    weights = np.zeros(columns.shape[1])
    for _ in range(STEPS):
        value = np.tanh(columns @ weights)
        slope = columns.T @ (value - goal) / len(goal) + prior @ weights
        curvature = (columns * (1.0 - value**2)[:, None]).T @ columns / len(goal) + prior
        weights -= np.linalg.solve(curvature, slope)
    return weights.reshape(len(PHASES), -1)


def _penalty(scale: Any) -> Any:
    """Return the quadratic form of the prior."""
    width, count = len(scale), len(PHASES)
    differences = np.zeros(((count - 2) * width, count * width))
    for phase in range(count - 2):
        for term in range(width):
            row = phase * width + term
            for offset, factor in enumerate((1.0, -2.0, 1.0)):
                differences[row, (phase + offset) * width + term] = factor * scale[term]
    return SMOOTHNESS * differences.T @ differences + RIDGE * np.diag(np.tile(scale, count) ** 2)


def loss(rows: Any, weights: Any, result: Any) -> float:
    """Return the mean cross-entropy of results in nats."""
    score = 2.0 * (design(rows) @ weights.ravel())
    return float(np.mean(np.logaddexp(0.0, -score * result)))


def fit_both(samples: Samples) -> Any:
    """Return weights as `evaluation.WEIGHTS` has them, fitted to the games that are no test."""
    goal = (1.0 - SEARCH_SHARE) * samples.result + SEARCH_SHARE * samples.value
    parts = []
    for is_shot in (False, True):
        chosen = (samples.is_shot == is_shot) & ~samples.is_test
        parts.append(fit(samples.terms[chosen], goal[chosen]))
    return np.vstack(parts)


def losses(samples: Samples, weights: Any) -> list[float]:
    """Return the losses of these weights on the test games, before a move and before a shot."""
    rows = np.split(weights, 2)
    return [
        round(loss(samples.terms[chosen], rows[int(is_shot)], samples.result[chosen]), 4)
        for is_shot in (False, True)
        if (chosen := samples.is_test & (samples.is_shot == is_shot)).any()
    ]
