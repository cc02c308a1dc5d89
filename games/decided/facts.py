"""Proven facts of a position for spectators: regions, guaranteed turns of both roles, the winner.

They must not be shown to a player of a running game. It takes 2 to 4 ms on 10×10.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from games.amazons import Amazons, State
from games.core import ROLES, Role, Rules
from games.counting import count_territory
from games.decided.find import find, sides_of, sure_turns
from games.decided.witness import Witness


@dataclass(frozen=True, slots=True)
class SureRegion:
    """A region of a position of Amazons with at least one empty square."""

    squares: int  # its empty squares, a set as in `games.grid`
    role: Role | None  # its owner; None: amazons of both roles stand in it, or none
    sure: int  # guaranteed turns of the owner; squares where arrows are optional


@dataclass(frozen=True, slots=True)
class ProvenFacts:
    """The certain part of a position. `sure` and `most` are by role, white first."""

    regions: tuple[SureRegion, ...]
    sure: tuple[int, int]  # turns in own regions; own squares where arrows are optional
    most: tuple[int, int]  # turns, or squares, that a role can ever have
    winner: Role | None  # the role with a forced win; None: undecided or unknown
    witness: Witness | None  # its proof


def proven_facts_of(rules: Rules[Any], state: Any, *, is_counted: bool) -> ProvenFacts:
    """Return the proven facts of a position; a game without regions has at most a winner."""
    return _facts(rules, state, is_counted)  # type: ignore[arg-type]  # frozen, so hashable


@lru_cache(maxsize=512)
def _facts(rules: Any, state: Any, is_counted: bool) -> ProvenFacts:
    """Cached: all spectators of a game ask for the same position."""
    winner, witness = _winner(rules, state, is_counted)
    if not isinstance(rules, Amazons):
        return ProvenFacts((), (0, 0), (0, 0), winner, witness)
    regions = _regions(rules, state)
    white, black = (sum(region.sure for region in regions if region.role == role) for role in ROLES)
    most = sides_of(rules, state, "black").most, sides_of(rules, state, "white").most
    return ProvenFacts(regions, (white, black), most, winner, witness)


def _regions(rules: Amazons, state: State) -> tuple[SureRegion, ...]:
    """Return the regions, ordered by lowest square, with their guaranteed turns or squares."""
    grid, unburnt = rules.grid, rules.grid.board & ~state.burnt
    turns = {role: sure_turns(rules, state, role) if rules.split else () for role in ROLES}
    regions = []
    for region in count_territory(rules, state).regions:
        squares, role, sure = region.squares, region.role, 0
        if role is not None:
            whole = grid.flood(squares, unburnt)
            inside = sum(whole >> target & 1 for _, target, _ in turns[role])
            sure = inside if rules.split else squares.bit_count()
        regions.append(SureRegion(squares, role, sure))
    return tuple(regions)


def _winner(rules: Rules[Any], state: Any, is_counted: bool) -> tuple[Role | None, Witness | None]:
    """Return the role with a forced win, and its proof."""
    for role in ROLES:
        witness = find(rules, state, role, is_counted=is_counted)
        if witness is not None:
            return role, witness
    return None, None
