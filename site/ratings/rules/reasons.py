"""Decide whether a rated game counts, from facts about it."""

from dataclasses import dataclass

from games.rating.entries import NotRated
from games.rating.pools import Pool, Speed
from play.domain.clocks import RUNNING_KINDS
from play.models import VOID


@dataclass(frozen=True, slots=True)
class GameFacts:
    """The facts of an ended game on which its rating depends. The users are white's and black's."""

    game: int
    users: tuple[int, int]
    rules: str
    clock_kind: str
    ended: int  # epoch ms
    winner: str  # role; empty without one
    ending: str  # reason of the end, such as time or aborted
    has_computer: bool
    had_guest: bool  # one of the users was a guest when the game began
    have_both_moved: bool  # both roles have completed a turn
    is_verified: bool  # its log matches the stored rows
    position: str = ""  # its last one, as written by `Rules.write`

    @property
    def pool(self) -> Pool:
        """The pool in which it counts."""
        return pool_of_game(self.rules, self.clock_kind)


def pool_of_game(rules: str, clock_kind: str) -> Pool:
    """Return the pool of games of a rule set with a clock of a kind (`fischer`, `days`…).

    A game without a clock is as slow as one by days.
    """
    return Pool(rules, Speed.LIVE if clock_kind in RUNNING_KINDS else Speed.DAYS)


@dataclass(frozen=True, slots=True)
class Decided:
    """A game whose entry is appended, and why it does not count; None: it counts."""

    facts: GameFacts
    not_rated: NotRated | None


def why_not(facts: GameFacts) -> NotRated | None:
    """Return why the facts alone say that a game does not count, the first reason; else None."""
    reasons = (
        (facts.has_computer, NotRated.COMPUTER),
        (facts.had_guest, NotRated.GUEST),
        (facts.clock_kind == "none", NotRated.NO_CLOCK),
        (not facts.is_verified, NotRated.UNVERIFIED),
        (facts.ending in VOID, NotRated.ABORTED),
        (not facts.have_both_moved, NotRated.NO_TURN),
    )
    for holds, reason in reasons:
        if holds:
            return reason
    return None
