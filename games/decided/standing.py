"""Standing of a position for spectators: regions, guaranteed turns of both roles, the winner.

It must not be shown to a player of a running game. It takes 2 to 4 ms on 10×10.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from games.amazons import Amazons, State
from games.core import ROLES, Role, Rules
from games.counting import count_territory
from games.decided.find import find, sure_turns
from games.decided.regions import sides_of
from games.decided.witness import Witness


@dataclass(frozen=True, slots=True)
class SureRegion:
    """A region of a position of Amazons with at least one empty square."""

    squares: int  # its empty squares, a set as in `games.grid`
    role: Role | None  # its owner; None: amazons of both roles stand in it, or none
    sure: int  # guaranteed turns of the owner; squares where arrows are optional


@dataclass(frozen=True, slots=True)
class Standing:
    """The certain part of a position. `sure` and `most` are by role, white first."""

    regions: tuple[SureRegion, ...]
    sure: tuple[int, int]  # turns in own regions; own squares where arrows are optional
    most: tuple[int, int]  # turns, or squares, that a role can ever have
    winner: Role | None  # the role with a forced win; None: undecided or unknown
    witness: Witness | None  # its proof


def standing_of(rules: Rules[Any], state: Any, *, is_counted: bool) -> Standing:
    """Return the standing of a position; a game without regions has at most a winner."""
    return _standing(rules, state, is_counted)  # type: ignore[arg-type]  # frozen, so hashable


@lru_cache(maxsize=512)
def _standing(rules: Any, state: Any, is_counted: bool) -> Standing:
    """Cached: all spectators of a game ask for the same position."""
    winner, witness = _winner(rules, state, is_counted)
    if not isinstance(rules, Amazons):
        return Standing((), (0, 0), (0, 0), winner, witness)
    regions = _regions(rules, state)
    white, black = (sum(region.sure for region in regions if region.role == role) for role in ROLES)
    most = sides_of(rules, state, "black").most, sides_of(rules, state, "white").most
    return Standing(regions, (white, black), most, winner, witness)


def _regions(rules: Amazons, state: State) -> tuple[SureRegion, ...]:
    """Return the regions, ordered by lowest square, with their guaranteed turns or squares."""
    sure: dict[int, int] = {}  # by the empty squares of a region
    for role in ROLES:
        turns = sure_turns(rules, state, role) if rules.split else ()
        for region, empty in sides_of(rules, state, role).own:
            inside = sum(region >> target & 1 for _, target, _ in turns)
            sure[empty] = inside if rules.split else empty.bit_count()
    return tuple(
        SureRegion(region.squares, region.role, sure.get(region.squares, 0))
        for region in count_territory(rules, state).regions
    )


def _winner(rules: Rules[Any], state: Any, is_counted: bool) -> tuple[Role | None, Witness | None]:
    """Return the role with a forced win, and its proof.

    A role that would win if it were to move also wins if it is not to move: the opponent's turn
    changes neither its line nor its own squares, and adds no squares to the opponent's.
    """
    if not rules.control(state) or (isinstance(rules, Amazons) and state.moved is not None):
        return None, None
    for role in ROLES:
        turned = replace(state, to_move=role) if isinstance(rules, Amazons) else state
        witness = find(rules, turned, role, is_counted=is_counted)
        if witness is not None:
            return role, witness
    return None, None
