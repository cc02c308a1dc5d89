"""Ratings of the eight levels of a game from a ladder, and the file that keeps them.

Levels far apart give one-sided results, which bound their difference on one side only. So each
difference between neighbours has a prior: normal with mean 0 and a standard deviation of
`PRIOR_DEVIATION` Elo. The likelihood is that of `games.lab.likelihood`, which counts the two games
from an opening as one observation. Stated are mean and 95 % interval of the posterior.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from pathlib import Path
from typing import Any, Final

from games.lab.likelihood import log_likelihood, score_of
from games.lab.tally import Tally
from games.rating.anchors import ANCHOR_LEVEL, ANCHOR_RATING, FORMAT, MIN_ANCHOR
from games.rating.standing import MAX_RATING, UNIT

PRIOR_DEVIATION: Final = 300  # Elo, of the difference between neighbours
MAX_ELO: Final = 1000  # differences beyond are not considered; the prior makes them negligible
TAIL: Final = 0.025  # on either side of the interval


@dataclass(frozen=True, slots=True)
class Difference:
    """Posterior of the Elo difference between two neighbours."""

    mean: float
    deviation: float
    low: int  # 95 % interval
    high: int


def difference(pairs: Sequence[int]) -> Difference:
    """Return the posterior of a difference; `pairs` as in `games.lab.likelihood`."""
    elos = range(-MAX_ELO, MAX_ELO + 1)
    logs = [log_likelihood(pairs, score_of(elo)) - (elo / PRIOR_DEVIATION) ** 2 / 2 for elo in elos]
    top = max(logs)
    weights = [exp(each - top) for each in logs]
    total = sum(weights)
    mean = sum(elo * weight for elo, weight in zip(elos, weights, strict=True)) / total
    variance = sum((elo - mean) ** 2 * weight for elo, weight in zip(elos, weights, strict=True))
    below, low, high = 0.0, -MAX_ELO, MAX_ELO
    for elo, weight in zip(elos, weights, strict=True):
        if below < TAIL * total:
            low = elo
        if below < (1.0 - TAIL) * total:
            high = elo
        below += weight
    return Difference(mean, sqrt(variance / total), low, high)


def anchors_object(
    rules: str, version: int, command: str, tallies: Sequence[Tally]
) -> dict[str, Any]:
    """Return the content of a file of anchors; `tallies` has each level against the one below."""
    steps = [difference(tally.pairs) for tally in tallies]
    ratings, margins = [], []
    for level in range(1, len(steps) + 2):
        between = steps[min(level, ANCHOR_LEVEL) - 1 : max(level, ANCHOR_LEVEL) - 1]
        away = sum(step.mean for step in between) * (1 if level > ANCHOR_LEVEL else -1)
        rating = ANCHOR_RATING + round(away) * UNIT
        ratings.append(max(MIN_ANCHOR, min(rating, MAX_RATING)))
        margins.append(round(2 * sqrt(sum(step.deviation**2 for step in between))))
    return {
        "format": FORMAT,
        "version": version,
        "rules": rules,
        "command": command,
        "prior": f"Each difference between neighbours: normal, mean 0, {PRIOR_DEVIATION} Elo",
        "ratings": ratings,
        "margins": margins,
        "steps": [
            _step_object(level, tally, step)
            for level, (tally, step) in enumerate(zip(tallies, steps, strict=True), 1)
        ],
    }


def _step_object(level: int, tally: Tally, step: Difference) -> Mapping[str, object]:
    lost, drawn, won = tally.results
    return {
        "level": level + 1,
        "below": level,
        "games": tally.games,
        "won": won,
        "drawn": drawn,
        "lost": lost,
        "elo": round(step.mean),
        "interval": [step.low, step.high],
    }


def write_anchors(path: Path, content: Mapping[str, Any]) -> None:
    """Write a file of anchors, a line for each entry. Raises OSError."""
    lines = [
        "{",
        *(f'  "{key}": {json.dumps(value)},' for key, value in content.items() if key != "steps"),
        '  "steps": [',
        ",\n".join(f"    {json.dumps(step)}" for step in content["steps"]),
        "  ]",
        "}",
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
