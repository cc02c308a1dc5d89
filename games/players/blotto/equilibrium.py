"""Equilibrium table for winning the match, written by `python -m games solve-blotto`."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

from games.players.blotto.splits import Mix, mix_of_types

FILE: Final = files("games.players.blotto") / "equilibrium.json"


@cache
def table() -> dict[str, dict[str, Any]]:
    """Return the file: by rounds left and lead in won rounds, `value` and `mix` of types."""
    found: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


@cache
def mix(left: int, lead: int) -> Mix:
    """Return the optimal mix for these rounds left, this one included, and this lead in won rounds.

    Raises KeyError for a situation that cannot occur in a match.
    """
    return mix_of_types(table()[str(left)][str(lead)]["mix"])


@cache
def value(left: int, lead: int) -> float:
    """Return the expected result with best play, -1 to 1. Raises KeyError as `mix`."""
    if left == 0:
        return float((lead > 0) - (lead < 0))
    return float(table()[str(left)][str(lead)]["value"])


def one_round() -> Mix:
    """Return the optimal mix for a single round."""
    return mix(1, 0)
