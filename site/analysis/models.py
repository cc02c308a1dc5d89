"""The tables of the rooms of this app, where Django looks for them."""

from analysis.explorer.models import OpeningCount, OpeningGame, OpeningTurn
from analysis.reviews.models import Review
from analysis.studies.models import Study

__all__ = ["OpeningCount", "OpeningGame", "OpeningTurn", "Review", "Study"]
