"""Statistics of a match: Elo difference, its interval and a sequential test.

Two games from one opening with sides swapped are one observation, because they depend on each
other: 0, 1/4, 1/2, 3/4 or 1 of the possible points. The likelihood of a mean is that of the
likeliest distribution over these five values with that mean. It gives the sequential test (M. Van
den Bergh, "The generalized sequential probability ratio test", the test of the chess engine
Stockfish's testing site) and the interval (A. Owen, "Empirical likelihood ratio confidence
intervals for a single functional", Biometrika 75, 1988).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, inf, log, log10
from typing import Final

SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
UNSEEN_COUNT: Final = 1e-3  # pseudo-count of a score not yet observed, as on that testing site
HALF_CHI_SQUARE_VALUE: Final = 1.9207294  # half the 95 % point of chi-square, one degree of freedom
BISECTIONS: Final = 80  # enough for full float precision


def elo_of(score: float) -> float:
    """Return the Elo difference at which this score is expected (A. Elo's logistic curve)."""
    if score <= 0.0 or score >= 1.0:
        return inf if score >= 1.0 else -inf
    return 400.0 * log10(score / (1.0 - score))


def score_of(elo: float) -> float:
    """Return the expected score at this Elo difference, 0 to 1."""
    return 1.0 / (1.0 + exp(-elo * log(10.0) / 400.0))


def mean_of(counts: Sequence[float]) -> float:
    """Return the mean score of these pairs, in the order of `SCORES`; 1/2 if there are none."""
    total = sum(counts)
    if not total:
        return 0.5
    return sum(count * score for count, score in zip(counts, SCORES, strict=True)) / total


def log_likelihood(counts: Sequence[float], mean: float) -> float:
    """Return the maximum log-likelihood of the pairs for this mean score.

    `mean` lies strictly between 0 and 1. The same constant is left out for every mean.
    """
    seen = [count or UNSEEN_COUNT for count in counts]
    total = sum(seen)
    offs = [score - mean for score in SCORES]

    def slope(t: float) -> float:
        return sum(n * off / (1.0 + t * off) for n, off in zip(seen, offs, strict=True))

    # The likeliest distribution is n / (total (1 + t off)), with the t at which its mean is right.
    t = _root(slope, -1.0 / offs[-1], -1.0 / offs[0])
    return sum(n * log(n / total / (1.0 + t * off)) for n, off in zip(seen, offs, strict=True))


def log_ratio(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio of the pairs for elo1 against elo0."""
    return log_likelihood(counts, score_of(elo1)) - log_likelihood(counts, score_of(elo0))


def interval(counts: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of the mean score."""
    if not sum(counts):
        return 0.0, 1.0
    mean = mean_of([count or UNSEEN_COUNT for count in counts])
    most = log_likelihood(counts, mean)

    def doubt(score: float) -> float:
        return most - log_likelihood(counts, score) - HALF_CHI_SQUARE_VALUE

    edge = 1e-9
    low = 0.0 if doubt(edge) < 0.0 else _root(doubt, edge, mean)
    high = 1.0 if doubt(1.0 - edge) < 0.0 else _root(lambda s: -doubt(s), mean, 1.0 - edge)
    return low, high


def bound(error: float) -> float:
    """Return the bound of A. Wald's test in log-likelihood for this error rate, both ways."""
    return log((1.0 - error) / error)


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Return the zero of a falling function between two points, at which it is not evaluated."""
    for _ in range(BISECTIONS):
        middle = (low + high) / 2.0
        if falling(middle) > 0.0:
            low = middle
        else:
            high = middle
    return (low + high) / 2.0
