"""The results of a match so far, from A's point of view."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from games.core import OTHER, Role
from games.match.game import NOTHING, Effort, Played
from games.match.likelihood import SCORES, bound, log_ratio

ERROR: Final = 0.05  # the chance that the sequential test errs, either way


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games from one opening: A has white in the first and black in the second."""

    games: tuple[Played, Played]

    def points(self) -> tuple[int, int]:
        """What A got in each: 2 for a win, 1 for a draw, 0 for a loss."""
        first, second = self.games
        return _points(first, "white"), _points(second, "black")


def _points(game: Played, role: Role) -> int:
    return 1 if game.winner is None else 2 if game.winner == role else 0


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over pairs of games."""

    results: tuple[int, int, int] = (0, 0, 0)  # games lost, drawn, won
    pairs: tuple[int, ...] = (0,) * len(SCORES)  # by what they gave, see games.match.likelihood
    goes: int = 0  # of all games
    own: Effort = NOTHING
    theirs: Effort = NOTHING

    def plus(self, pair: Pair) -> Tally:
        """With one pair more."""
        points = pair.points()
        results, pairs = list(self.results), list(self.pairs)
        for each in points:
            results[each] += 1
        pairs[sum(points)] += 1
        own, theirs, goes = self.own, self.theirs, self.goes
        for game, role in zip(pair.games, _A_ROLES, strict=True):
            own += game.efforts[role]
            theirs += game.efforts[OTHER[role]]
            goes += game.goes
        return Tally((results[0], results[1], results[2]), tuple(pairs), goes, own, theirs)

    @property
    def games(self) -> int:
        """Games played."""
        return sum(self.results)


_A_ROLES: Final[tuple[Role, Role]] = ("white", "black")


class Verdict(StrEnum):
    """What a sequential test says."""

    STRONGER = "stronger"
    NOT_STRONGER = "not stronger"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """The two Elo differences between which a sequential test decides."""

    elo0: float
    elo1: float

    def verdict(self, tally: Tally) -> Verdict:
        """STRONGER if elo1 is believed, NOT_STRONGER if elo0 is."""
        ratio = log_ratio(tally.pairs, self.elo0, self.elo1)
        if abs(ratio) < bound(ERROR):
            return Verdict.UNDECIDED
        return Verdict.STRONGER if ratio > 0 else Verdict.NOT_STRONGER
