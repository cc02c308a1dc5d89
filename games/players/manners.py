"""When a game is given up; the site and the matches hold to it alike."""

from __future__ import annotations

from typing import Final

HOPELESS: Final = -0.97  # a value, -1 (lost) to 1 (won)


def gives_up(value: float, before: float | None) -> bool:
    """Whether a player gives up who thinks this of his game, and thought that at his go before
    (None: there was none)."""
    return before is not None and max(value, before) <= HOPELESS
