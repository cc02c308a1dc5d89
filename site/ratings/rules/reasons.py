"""Decide whether a rated game counts, from facts about it and from the log.

Rules of the game itself and further rules are asked when a game is examined, outside of any
transaction. Log rules depend on the entries before the game's own, so they are asked while its
entry is appended, under the lock of the log.
"""

from collections.abc import Callable, Sequence
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


FurtherRule = Callable[[GameFacts], NotRated | None]
# Rules that need more than the game itself, such as a shared network; they run last, outside of any
# transaction.
FURTHER_RULES: list[FurtherRule] = []


@dataclass(frozen=True, slots=True)
class Decided:
    """A game whose entry is appended, and why it does not count; None: it counts."""

    facts: GameFacts
    not_rated: NotRated | None


LogRule = Callable[[GameFacts, Sequence[Decided]], NotRated | None]
# Rules that ask the log before a game's entry: its rows, and the games before it in the same
# transaction, whose entries are not written yet.
LOG_RULES: list[LogRule] = []


def why_not(facts: GameFacts, further: Sequence[FurtherRule] = ()) -> NotRated | None:
    """Return why a game does not count, the first reason that holds; None if it counts."""
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
    found = (rule(facts) for rule in further)
    return next((reason for reason in found if reason), None)


def decide(
    facts: GameFacts,
    not_rated: NotRated | None,
    before: Sequence[Decided],
    rules: Sequence[LogRule],
) -> Decided:
    """Return a game with the final decision: an earlier reason stands, else the log rules say."""
    found = (rule(facts, before) for rule in rules)
    return Decided(facts, not_rated or next((reason for reason in found if reason), None))
