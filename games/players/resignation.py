"""Resignation rule shared by the site and the matches."""

from __future__ import annotations

from typing import Final

HOPELESS_VALUE: Final = -0.97  # a value, -1 (lost) to 1 (won)


def gives_up(value: float, before: float | None) -> bool:
    """Return whether a player with this evaluation resigns.

    `before` is the evaluation at its previous turn, None if there was none.
    """
    return before is not None and max(value, before) <= HOPELESS_VALUE
