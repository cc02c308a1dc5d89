"""Random openings of a match, without lopsided positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any, Final

from games.amazons import Amazons
from games.amazons import State as AmazonsState
from games.catalogue import rules_of
from games.core import Joint, Rules, assemble_joint
from games.grid import Grid, squares
from games.pincer import State as PincerState
from games.players.core import Allowance
from games.players.pincer.player import Searcher
from games.players.pincer.settings import Handicap

Opening = tuple[Joint, ...]  # the steps from the start on
TURNS: Final[Mapping[str, int]] = {
    "amazons": 4,
    "amazons-10x10": 4,
    "amazons-8x8": 4,
    "blotto": 1,
    "pincer": 4,
}
FAIR_LEAD_DIVISOR: Final = 8  # a lead in territory of more than an eighth of the board is lopsided
# The search that decides whether an opening of Pincer is lost. It is no level, so that openings
# stay when levels change.
JUDGE: Final = Handicap(5, noise=2)
JUDGE_NODES: Final = 30_000
MAX_EVEN_VALUE: Final = 0.3  # values up to this are even; a piece is about 0.5
MAX_TRIES: Final = 1000  # consecutive tries without a new opening


class TooFew(ValueError):
    """The game has too few different openings; `str` is an English sentence."""


@cache
def openings(key: str, count: int, seed: int) -> tuple[Opening, ...]:
    """Return this many openings with different positions; a prefix for smaller counts.

    Raises TooFew, games.catalogue.UnknownRules.
    """
    rules = rules_of(key)
    rng = Random(f"openings {key} {seed}")
    found: dict[str, Opening] = {}
    fruitless = 0
    while len(found) < count:
        opening, state = _play_random(rules, TURNS[key], rng)
        fruitless += 1
        if rules.control(state) and is_fair(rules, state) and rules.write(state) not in found:
            found[rules.write(state)] = opening
            fruitless = 0
        if fruitless == MAX_TRIES:
            raise TooFew(f"{rules.name} has not {count} different openings to play from.")
    return tuple(found.values())


def _play_random(rules: Rules[Any], turns: int, rng: Random) -> tuple[Opening, Any]:
    """Return this many random turns and the state after them."""
    state, steps = rules.start(), []
    while rules.turns(state) < turns and (roles := rules.control(state)):
        # In the order of `roles`: the order of a set differs between processes.
        acting = [role for role in rules.roles if role in roles]
        sealed = {role: rules.choices(state, role).sample(rng) for role in acting}
        steps.append(assemble_joint(rules, state, sealed))
        state = rules.play(state, steps[-1])
    return tuple(steps), state


def is_fair(rules: Rules[Any], state: Any) -> bool:
    """Return whether neither side is far ahead: in Amazons by territory, in Pincer by pieces."""
    fair = _FAIR.get(type(state))
    return fair is None or fair(rules, state)


def _is_fair_amazons(rules: Amazons, state: AmazonsState) -> bool:
    return abs(territory(rules, state)) * FAIR_LEAD_DIVISOR <= rules.width * rules.height


def _is_fair_pincer(rules: Rules[Any], state: PincerState) -> bool:
    """Return whether the pieces are equal in number and a search finds no advantage.

    The search is needed: one in seven random openings with equal pieces is lost.
    """
    if state.white.bit_count() != state.black.bit_count():
        return False
    role = state.to_move
    choices, view = rules.choices(state, role), rules.view(state, role)
    thought = Searcher(JUDGE).choose(view, role, choices, Allowance(JUDGE_NODES), 0)
    return abs(thought.value) <= MAX_EVEN_VALUE


_FAIR: Final[Mapping[type, Callable[[Any, Any], bool]]] = {
    AmazonsState: _is_fair_amazons,
    PincerState: _is_fair_pincer,
}


def territory(rules: Amazons, state: AmazonsState) -> int:
    """Return the empty squares that white reaches in fewer queen's moves, minus black's."""
    taken = state.white | state.black | state.burnt | rules.grid.wall
    white = _waves(rules.grid, state.white, taken)
    black = _waves(rules.grid, state.black, taken)
    balance = seen_white = seen_black = 0
    for index in range(max(len(white), len(black))):
        new_white = white[index] if index < len(white) else 0
        new_black = black[index] if index < len(black) else 0
        balance += (new_white & ~(seen_black | new_black)).bit_count()
        balance -= (new_black & ~(seen_white | new_white)).bit_count()
        seen_white |= new_white
        seen_black |= new_black
    return balance


def _waves(grid: Grid, pieces: int, taken: int) -> list[int]:
    """Return the empty squares that a side's queens reach in one move, in two, and so on."""
    waves, seen, front = [], 0, pieces
    while front:
        reached = 0
        for square in squares(front):
            reached |= grid.reach(square, taken)
        front = reached & ~seen
        seen |= front
        if front:
            waves.append(front)
    return waves
