"""Results of a match so far, from A's point of view."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from games.core import OTHER, Role
from games.lab.game import NOTHING, Effort, Played
from games.lab.likelihood import SCORES, bound, log_ratio

ERROR_SHARE: Final = 0.05  # of the sequential test, either way


@dataclass(frozen=True, slots=True)
class Pair:
    """Two games from one opening: A has white in the first and black in the second."""

    games: tuple[Played, Played]

    def points(self) -> tuple[int, int]:
        """Return A's points in each game: 2 for a win, 1 for a draw, 0 for a loss."""
        first, second = self.games
        return _points(first, "white"), _points(second, "black")


def _points(game: Played, role: Role) -> int:
    return 1 if game.winner is None else 2 if game.winner == role else 0


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over pairs of games."""

    results: tuple[int, int, int] = (0, 0, 0)  # games lost, drawn, won
    pairs: tuple[int, ...] = (0,) * len(SCORES)  # by score, see games.lab.likelihood
    turns: int = 0  # of all games
    own: Effort = NOTHING
    theirs: Effort = NOTHING

    def plus(self, pair: Pair) -> Tally:
        """Return the tally with one more pair."""
        points = pair.points()
        results, pairs = list(self.results), list(self.pairs)
        for each in points:
            results[each] += 1
        pairs[sum(points)] += 1
        own, theirs, turns = self.own, self.theirs, self.turns
        for game, role in zip(pair.games, _A_ROLES, strict=True):
            own += game.efforts[role]
            theirs += game.efforts[OTHER[role]]
            turns += game.turns
        return Tally((results[0], results[1], results[2]), tuple(pairs), turns, own, theirs)

    @property
    def games(self) -> int:
        """Number of games played."""
        return sum(self.results)


_A_ROLES: Final[tuple[Role, Role]] = ("white", "black")


class Verdict(StrEnum):
    """Verdict of a sequential test."""

    STRONGER = "stronger"
    NOT_STRONGER = "not stronger"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """The two Elo differences between which a sequential test decides."""

    elo0: float
    elo1: float

    def verdict(self, tally: Tally) -> Verdict:
        """Return STRONGER if elo1 is accepted, NOT_STRONGER if elo0 is."""
        ratio = log_ratio(tally.pairs, self.elo0, self.elo1)
        if abs(ratio) < bound(ERROR_SHARE):
            return Verdict.UNDECIDED
        return Verdict.STRONGER if ratio > 0 else Verdict.NOT_STRONGER
