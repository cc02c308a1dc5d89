"""`python -m tests.bench.ratings.whole_history`: compare the fold with the optimal ratings.

The games of `simulation` are rated in other ways too:

- the formula of the fold, but with each opponent's strength known exactly;
- the optimum, from all games at once: the most probable strengths, by somebody who knows the model
  (spread of strengths, share of draws, first-move advantage). No rule that knows the results alone
  does better.
- its limit: the mean error that remains by the information in the games (Laplace's approximation),
  and the same if each opponent's strength were known exactly: the bound of van Trees.
- `whr`, Coulom's whole-history rating, which knows neither the spread nor the advantage.

Prints, for each game: the mean distance from the true strengths of all of them, the mean distance
between fold and `whr` and their rank correlation (both centred: `whr` has a scale of its own).
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from math import log, pi, sqrt
from typing import Any, Final

import numpy as np
from scipy.stats import spearmanr

from games.rating.entries import SCORES
from games.rating.pools import start_of, tau_of
from games.rating.standing import DAY_MS, START, UNIT, Numbers, Standing, rate_side
from tests.bench.ratings.simulation import CANDIDATES, MODELS, Model, Year, simulate

MEAN_OF_NORMAL: Final = sqrt(2 / pi)  # E|x| of a standard normal x
K: Final = log(10) / 400  # logistic strength of a point
MAX_STEPS: Final = 60
CLOSE: Final = 1e-6  # points
WHR_ITERATIONS: Final = 100
WHR_W2: Final = 0.01  # Elo² a day: strengths are constant here
Array = Any  # numpy.ndarray of floats


@dataclass(frozen=True, slots=True)
class Optimum:
    """The most exact estimate of strengths from all results."""

    strengths: Array  # points
    deviations: Array  # of the posterior, in points
    known_opponents: Array  # the same if opponents were known exactly


def optimum(year: Year) -> Optimum:
    """Return the most probable strengths of a year's people, and their uncertainty.

    Fisher scoring on the posterior; strengths are normal around 1500 with the model's spread.
    """
    model, count = year.model, len(year.strengths)
    white = np.array([game.white for game in year.games])
    black = np.array([game.black for game in year.games])
    score = np.array([SCORES[game.winner] for game in year.games])
    prior = 1.0 / model.spread**2
    found = np.zeros(count)  # around 1500
    for _ in range(MAX_STEPS):
        slope, information = _game_terms(model, found[white] - found[black], score)
        gradient = -prior * found
        np.add.at(gradient, white, slope)
        np.add.at(gradient, black, -slope)
        hessian = _joint_information(count, white, black, information) + prior * np.eye(count)
        step = np.linalg.solve(hessian, gradient)
        found += step
        if np.max(np.abs(step)) < CLOSE:
            break
    alone = np.full(count, prior)
    np.add.at(alone, white, information)
    np.add.at(alone, black, information)
    deviations = np.sqrt(np.diag(np.linalg.inv(hessian)))
    return Optimum(1500.0 + found, deviations, 1.0 / np.sqrt(alone))


def _game_terms(model: Model, difference: Array, score: Array) -> tuple[Array, Array]:
    """Return the slope of each result's logarithmic likelihood, and its Fisher information.

    The probabilities are those of `simulation._winner`: of a draw 4·d·E·(1 − E), and half of that
    is taken from either side's expected score E.
    """
    e = 1.0 / (1.0 + np.exp(-K * (difference + model.advantage)))
    d, v = model.draws, e * (1.0 - e)
    derivative = K * v  # of E
    win, draw, loss = e - 2 * d * v, 4 * d * v, 1.0 - e - 2 * d * v
    change = K * v * (1.0 - 2.0 * e)  # of v
    of_win, of_draw = derivative - 2 * d * change, 4 * d * change
    of_loss = -derivative - 2 * d * change
    slope = np.where(score == 1.0, of_win / win, of_loss / loss)
    information = of_win**2 / win + of_loss**2 / loss
    if d:
        slope = np.where(score == 0.5, of_draw / draw, slope)
        information = information + of_draw**2 / draw
    return slope, information


def _joint_information(count: int, white: Array, black: Array, information: Array) -> Array:
    matrix = np.zeros((count, count))
    np.add.at(matrix, (white, white), information)
    np.add.at(matrix, (black, black), information)
    np.add.at(matrix, (white, black), -information)
    np.add.at(matrix, (black, white), -information)
    return matrix


def whole_history(year: Year) -> Array:
    """Return everybody's last rating by the package `whr`, with its mean moved to 1500."""
    import whr

    base = whr.Base(config={"w2": WHR_W2})
    names = {"white": "W", "black": "B", "": "D"}
    for game in year.games:
        day = game.at // DAY_MS
        base.create_game(str(game.black), str(game.white), names[game.winner], day)
    base.iterate(WHR_ITERATIONS)
    count = len(year.strengths)
    elo = np.array([base.ratings_for_player(str(person))[-1][1] for person in range(count)])
    return elo - elo.mean() + 1500.0


def formula_alone(year: Year) -> Array:
    """Return everybody's last rating by the fold's formula, with opponents of known strength."""
    edge, tau = round(year.model.advantage * UNIT), tau_of(year.pool)
    standings = [Standing(start_of(year.pool)) for _ in year.strengths]
    for game in year.games:
        score = SCORES[game.winner]
        for own, other, points, sign in (
            (game.white, game.black, score, 1),
            (game.black, game.white, 1.0 - score, -1),
        ):
            known = Numbers(round(year.strengths[other] * UNIT), 1, START.volatility)
            before = standings[own].numbers_at(game.at)
            after = rate_side(before, known, points, tau, sign * edge)
            standings[own] = standings[own].plus_game(after, game.at)
    return np.array([standing.numbers.rating / UNIT for standing in standings])


@dataclass(frozen=True, slots=True)
class Comparison:
    """Mean errors in points, and how near fold and `whr` are to each other."""

    fold: float
    formula: float
    optimum: float
    limit: float
    known_opponents: float
    whr: float
    distance: float
    rank_correlation: float


def compare(year: Year) -> Comparison:
    """Return the figures of one year."""
    true, fold, best = np.array(year.strengths), np.array(year.ratings()), optimum(year)
    history = whole_history(year)
    return Comparison(
        fold=_error(fold, true),
        formula=_error(formula_alone(year), true),
        optimum=_error(best.strengths, true),
        limit=MEAN_OF_NORMAL * float(best.deviations.mean()),
        known_opponents=MEAN_OF_NORMAL * float(best.known_opponents.mean()),
        whr=_error(history, true),
        distance=_error(fold - fold.mean(), history - history.mean()),
        rank_correlation=float(spearmanr(fold, history).statistic),
    )


def _error(found: Array, true: Array) -> float:
    return float(np.abs(found - true).mean())


def main() -> None:
    """Print a row for each game, as a table of Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=1000)
    parser.add_argument("--games", type=int, default=30, help="of each person")
    parser.add_argument("--candidates", type=int, default=CANDIDATES, help="waiting opponents")
    parser.add_argument("--placed", action="store_true", help="by games against levels")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(
        "| game | fold | opponents known | optimum | its limit | opponents known | whr | to whr "
        "| ranks |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for rules in MODELS:
        is_placed = options.placed and rules != "blotto"
        found = compare(
            simulate(
                rules, options.people, options.games, options.seed, is_placed, options.candidates
            )
        )
        print(
            f"| {rules} | {found.fold:.1f} | {found.formula:.1f} | {found.optimum:.1f} | "
            f"{found.limit:.1f} | {found.known_opponents:.1f} | {found.whr:.1f} | "
            f"{found.distance:.1f} | {found.rank_correlation:.3f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
