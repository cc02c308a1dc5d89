"""Explain positions: territory, proofs, best lines, and why a turn is better than another.

Everything is pure and returns frozen values of squares, canonical actions and numbers.
"""

from games.players.analysis.decided import Proof, Region, decided
from games.players.analysis.lines import Line, best_lines
from games.players.analysis.territory import territory
from games.players.analysis.why import Reason, why

__all__ = [
    "Line",
    "Proof",
    "Reason",
    "Region",
    "best_lines",
    "decided",
    "territory",
    "why",
]
