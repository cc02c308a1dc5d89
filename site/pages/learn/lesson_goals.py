"""Goals of lessons, as predicates on the turn that was played."""

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
class PlayedTurn:
    """A whole legal turn and its result."""

    rules: Rules[Any]
    role: Role
    after: Any  # the state
    effects: tuple[Effect, ...]

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, if the turn ended the game."""
        return self.rules.outcome(self.after)


Goal = Callable[[PlayedTurn], bool]


def every(*aims: Goal) -> Goal:
    """Returns the goal of reaching all of these goals."""
    return lambda played: all(aim(played) for aim in aims)


def burns(square: str) -> Goal:
    """Returns the goal of landing the arrow on this square."""
    return lambda played: any(
        isinstance(effect, Place) and effect.at == square for effect in played.effects
    )


def keeps(played: PlayedTurn) -> bool:
    """Returns whether no arrow was shot."""
    return not any(isinstance(effect, Place) for effect in played.effects)


def ends_on(square: str) -> Goal:
    """Returns the goal of moving a piece to this square."""
    return lambda played: any(
        isinstance(effect, Slide) and effect.end == square for effect in played.effects
    )


def wins(played: PlayedTurn) -> bool:
    """Returns whether the turn wins the game."""
    return played.outcome is not None and played.outcome.winner == played.role


def draws(played: PlayedTurn) -> bool:
    """Returns whether the turn ends the game in a draw."""
    return played.outcome is not None and played.outcome.winner is None


def is_shut_in(played: PlayedTurn) -> bool:
    """Returns whether no amazon of the role that has just played could move again."""
    return not _reach(played.rules, played.after, played.role)


def owns(squares: int) -> Goal:
    """Returns the goal of `squares` empty squares or more that only the role's amazons reach."""

    def asks(played: PlayedTurn) -> bool:
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
    """Returns the empty squares beside a role's amazons, as a bit set."""
    assert isinstance(rules, Amazons)
    return rules.grid.around(_pieces(state, role)) & _empty(rules, state)


def _region(rules: Rules[Any], state: AmazonsState, role: Role) -> int:
    """Returns the empty squares that a role's amazons can reach in any number of moves."""
    assert isinstance(rules, Amazons)
    empty = _empty(rules, state)
    found, more = 0, _reach(rules, state, role)
    while more != found:
        found = more
        more = rules.grid.around(found) & empty
    return found


def takes(*squares: str, loses: int = 0) -> Goal:
    """Returns the goal of capturing the pieces on these squares and losing exactly `loses`."""
    return lambda played: (
        set(squares) <= _lost_pieces(played, OTHER[played.role])
        and len(_lost_pieces(played, played.role)) == loses
    )


def takes_at_least(count: int) -> Goal:
    """Returns the goal of capturing at least `count` enemy pieces."""
    return lambda played: len(_lost_pieces(played, OTHER[played.role])) >= count


def _lost_pieces(played: PlayedTurn, role: Role) -> set[str]:
    return {
        square
        for effect in played.effects
        if isinstance(effect, Remove) and effect.role == role
        for square in effect.squares
    }


def scores(points: int) -> Goal:
    """Returns the goal of getting exactly `points` in the round just revealed."""
    return lambda played: _round(played)[0] == points


def leaves_empty(field: int) -> Goal:
    """Returns the goal of putting no troops on this field (from 0)."""
    return lambda played: _round(played)[1][field] == 0


def _round(played: PlayedTurn) -> tuple[int, tuple[int, ...]]:
    """Returns the role's points and split in the newest round."""
    assert isinstance(played.after, BlottoState)
    pair = played.after.rounds[-1]
    index = 0 if played.role == "white" else 1
    return score(pair)[index], pair[index]
