"""What a small position asks for, as questions about the go that was played there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from games.amazons import Amazons
from games.amazons import State as AmazonsState
from games.blotto import State as BlottoState
from games.blotto import score
from games.core import OTHER, Outcome, Role, Rules
from games.effects import Effect, Place, Remove, Slide


@dataclass(frozen=True, slots=True)
class Played:
    """A whole go that the rules have allowed, and what came of it."""

    rules: Rules[Any]
    role: Role
    after: Any  # the state
    effects: tuple[Effect, ...]

    @property
    def outcome(self) -> Outcome | None:
        """The end, if the go ended the game."""
        return self.rules.outcome(self.after)


Aim = Callable[[Played], bool]


def every(*aims: Aim) -> Aim:
    """All of them at once."""
    return lambda played: all(aim(played) for aim in aims)


def burns(square: str) -> Aim:
    """The arrow lands on this square."""
    return lambda played: any(
        isinstance(effect, Place) and effect.at == square for effect in played.effects
    )


def keeps(played: Played) -> bool:
    """No arrow is shot."""
    return not any(isinstance(effect, Place) for effect in played.effects)


def ends_on(square: str) -> Aim:
    """A piece moves to this square."""
    return lambda played: any(
        isinstance(effect, Slide) and effect.end == square for effect in played.effects
    )


def wins(played: Played) -> bool:
    """The go wins the game."""
    return played.outcome is not None and played.outcome.winner == played.role


def draws(played: Played) -> bool:
    """The go ends the game level."""
    return played.outcome is not None and played.outcome.winner is None


def is_shut_in(played: Played) -> bool:
    """No amazon of the role that has just played could move if it were its go again."""
    return not _reach(played.rules, played.after, played.role)


def owns(squares: int) -> Aim:
    """At least so many empty squares can be got at by the role's amazons and never by the
    other's."""

    def asks(played: Played) -> bool:
        own = _region(played.rules, played.after, played.role)
        theirs = _region(played.rules, played.after, OTHER[played.role])
        return (own & ~theirs).bit_count() >= squares

    return asks


def _pieces(state: AmazonsState, role: Role) -> int:
    return state.white if role == "white" else state.black


def _empty(rules: Rules[Any], state: AmazonsState) -> int:
    assert isinstance(rules, Amazons)
    return rules.grid.board & ~(state.white | state.black | state.burnt)


def _reach(rules: Rules[Any], state: AmazonsState, role: Role) -> int:
    """The empty squares beside a role's amazons."""
    assert isinstance(rules, Amazons)
    return rules.grid.around(_pieces(state, role)) & _empty(rules, state)


def _region(rules: Rules[Any], state: AmazonsState, role: Role) -> int:
    """The empty squares that a role's amazons can get to in any number of moves."""
    assert isinstance(rules, Amazons)
    empty = _empty(rules, state)
    found, more = 0, _reach(rules, state, role)
    while more != found:
        found = more
        more = rules.grid.around(found) & empty
    return found


def takes(*squares: str, loses: int = 0) -> Aim:
    """The pieces that stood on these squares are captured, and exactly so many of one's own."""
    return lambda played: (
        set(squares) <= _lost(played, OTHER[played.role])
        and len(_lost(played, played.role)) == loses
    )


def takes_at_least(count: int) -> Aim:
    """So many enemies are captured, or more."""
    return lambda played: len(_lost(played, OTHER[played.role])) >= count


def _lost(played: Played, role: Role) -> set[str]:
    return {
        square
        for effect in played.effects
        if isinstance(effect, Remove) and effect.role == role
        for square in effect.squares
    }


def scores(points: int) -> Aim:
    """The round just revealed gives the role exactly so many points."""
    return lambda played: _round(played)[0] == points


def leaves_empty(field: int) -> Aim:
    """The role has put nobody on this field (from 0)."""
    return lambda played: _round(played)[1][field] == 0


def _round(played: Played) -> tuple[int, tuple[int, ...]]:
    """The role's points and split in the newest round."""
    assert isinstance(played.after, BlottoState)
    pair = played.after.rounds[-1]
    index = 0 if played.role == "white" else 1
    return score(pair)[index], pair[index]
