"""Weights of the evaluation of Amazons, fitted for each board to games of self-play.

`weights.json` has them with the command that made them; see `games/lab/README.md`.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from games.players.amazons.general_weights import WEIGHTS


@cache
def fitted_weights(key: str) -> Any:
    """Return the weights of a rule set, shaped as `WEIGHTS`. Callers must not write to them.

    A rule set without an entry has those of the entry that it names in `same`.
    """
    content = json.loads(files(__package__).joinpath("weights.json").read_text(encoding="utf-8"))
    board = content["boards"][content["same"].get(key, key)]
    weights = np.array(board["weights"], float)
    if weights.shape != WEIGHTS.shape or not np.isfinite(weights).all():
        raise ValueError(f"weights.json: the weights of {key} are not {WEIGHTS.shape} numbers")
    weights.setflags(write=False)
    return weights
