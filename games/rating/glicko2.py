"""Glicko-2: one player's new rating from results against opponents.

Source: M. Glickman, "Example of the Glicko-2 system", 2013 (glicko.net), whose step numbers the
comments give. Ratings and deviations are on the scale of Glicko (1500 ± 350) outside this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from games.rating.exact import exp, log, sqrt

SCALE: Final = 173.7178  # points per unit of Glicko-2's own scale
CENTRE: Final = 1500.0
PI_SQUARED: Final = 9.869604401089358
TOLERANCE: Final = 1e-6  # of the logarithm of the volatility's square
MAX_ITERATIONS: Final = 100  # the search takes under 20; a bound in case of absurd arguments


@dataclass(frozen=True, slots=True)
class Strength:
    """A rating, its deviation (both in points) and its volatility."""

    rating: float
    deviation: float
    volatility: float


@dataclass(frozen=True, slots=True)
class Result:
    """A score, 0 to 1, against an opponent of this rating and deviation, in points."""

    rating: float
    deviation: float
    score: float


def weight(deviation: float) -> float:
    """Return how far an opponent's uncertainty lessens the weight of a result, 0 to 1 (step 3)."""
    phi = deviation / SCALE
    return 1.0 / sqrt(1.0 + 3.0 * phi * phi / PI_SQUARED)


def expected_score(difference: float, deviation: float) -> float:
    """Return the score expected at this rating difference, own minus the opponent's (step 3)."""
    return logistic(weight(deviation) * difference / SCALE)


def logistic(x: float) -> float:
    """Return 1 / (1 + e^−x), the score expected at a weighted difference x on Glicko-2's scale."""
    return 1.0 / (1.0 + exp(-x))


def aged_deviation(deviation: float, volatility: float, periods: float) -> float:
    """Return the deviation after rating periods without a game; a period may be a fraction."""
    phi = deviation / SCALE
    return SCALE * sqrt(phi * phi + periods * volatility * volatility)


def update(
    player: Strength, results: Sequence[Result], tau: float, periods: float = 0.0
) -> Strength:
    """Return the player's strength after these results of one rating period.

    `tau` limits the change of the volatility. `periods` is the time by which the deviation grows
    in step 6: 1 in Glickman's paper, 0 where the deviation was aged up to the game beforehand.
    There must be at least one result.
    """
    mu, phi = (player.rating - CENTRE) / SCALE, player.deviation / SCALE
    information = improvement = 0.0
    for result in results:
        g = weight(result.deviation)
        expected = logistic(g * (mu - (result.rating - CENTRE) / SCALE))
        information += g * g * expected * (1.0 - expected)
        improvement += g * (result.score - expected)
    variance = 1.0 / information
    delta = variance * improvement
    volatility = _new_volatility(phi, player.volatility, variance, delta, tau)
    widened = phi * phi + periods * volatility * volatility  # step 6
    new_phi = 1.0 / sqrt(1.0 / widened + information)  # step 7
    new_mu = mu + new_phi * new_phi * improvement
    return Strength(CENTRE + SCALE * new_mu, SCALE * new_phi, volatility)


def _new_volatility(
    phi: float, volatility: float, variance: float, delta: float, tau: float
) -> float:
    """Return the new volatility by the Illinois method (step 5)."""
    start = log(volatility * volatility)

    def slope(x: float) -> float:
        power = exp(x)
        spread = phi * phi + variance + power
        gain = power * (delta * delta - spread) / (2.0 * spread * spread)
        return gain - (x - start) / (tau * tau)

    low = start
    if delta * delta > phi * phi + variance:
        high = log(delta * delta - phi * phi - variance)
    else:
        steps = 1
        while slope(start - steps * tau) < 0.0:
            steps += 1
        high = start - steps * tau
    at_low, at_high = slope(low), slope(high)
    for _ in range(MAX_ITERATIONS):
        if abs(high - low) <= TOLERANCE:
            break
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0.0:
            low, at_low = high, at_high
        else:
            at_low /= 2.0
        high, at_high = middle, at_middle
    return exp(low / 2.0)
