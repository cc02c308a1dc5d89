"""Where the games of a match begin: positions after a few random goes, none of them lopsided."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any, Final

from games.amazons import Amazons
from games.amazons import State as AmazonsState
from games.catalogue import rules_of
from games.core import Joint, Rules, assemble
from games.grid import Grid, squares
from games.pincer import State as PincerState
from games.players.core import Allowance
from games.players.levels import level_of, player_of

Opening = tuple[Joint, ...]  # the turns from the start on
GOES: Final[Mapping[str, int]] = {
    "amazons": 4,
    "amazons-10x10": 4,
    "amazons-8x8": 4,
    "blotto": 1,
    "pincer": 4,
}
FAIR_SHARE: Final = 8  # a lead in territory of more than an eighth of the board is lopsided
JUDGE: Final = 6  # the level whose search tells whether an opening of Pincer is lost
EVEN: Final = 0.3  # the value up to which it is not: a piece less is about 0.5
TRIES: Final = 1000  # in a row without a new opening: then there are no more


class TooFew(ValueError):
    """The game has not so many different openings; `str` is an English sentence."""


@cache
def openings(key: str, count: int, seed: int) -> tuple[Opening, ...]:
    """So many openings, all leading to different positions; fewer asked for are the first ones.

    Raises TooFew, games.catalogue.UnknownRules.
    """
    rules = rules_of(key)
    rng = Random(f"openings {key} {seed}")
    found: dict[str, Opening] = {}
    fruitless = 0
    while len(found) < count:
        opening, state = _random(rules, GOES[key], rng)
        fruitless += 1
        if rules.control(state) and is_fair(rules, state) and rules.write(state) not in found:
            found[rules.write(state)] = opening
            fruitless = 0
        if fruitless == TRIES:
            raise TooFew(f"{rules.name} has not {count} different openings to play from.")
    return tuple(found.values())


def _random(rules: Rules[Any], goes: int, rng: Random) -> tuple[Opening, Any]:
    """So many random goes, and the state after them."""
    state, turns = rules.start(), []
    while rules.goes(state) < goes and (roles := rules.control(state)):
        # In the order of `roles`: a set has none that is the same in every process.
        acting = [role for role in rules.roles if role in roles]
        sealed = {role: rules.choices(state, role).sample(rng) for role in acting}
        turns.append(assemble(rules, state, sealed))
        state = rules.play(state, turns[-1])
    return tuple(turns), state


def is_fair(rules: Rules[Any], state: Any) -> bool:
    """Whether neither side is far ahead: in Amazons by territory, in Pincer by pieces."""
    fair = _FAIR.get(type(state))
    return fair is None or fair(rules, state)


def _fair_amazons(rules: Amazons, state: AmazonsState) -> bool:
    return abs(territory(rules, state)) * FAIR_SHARE <= rules.width * rules.height


def _fair_pincer(rules: Rules[Any], state: PincerState) -> bool:
    """Pieces are not all: of random openings with as many on both sides one in seven is lost."""
    if state.white.bit_count() != state.black.bit_count():
        return False
    role = state.to_move
    judge, level = player_of(rules.key, JUDGE), level_of(rules.key, JUDGE)
    choices, view = rules.choices(state, role), rules.view(state, role)
    thought = judge.choose(view, role, choices, Allowance(level.nodes), 0)
    return abs(thought.value) <= EVEN


_FAIR: Final[Mapping[type, Callable[[Any, Any], bool]]] = {
    AmazonsState: _fair_amazons,
    PincerState: _fair_pincer,
}


def territory(rules: Amazons, state: AmazonsState) -> int:
    """Empty squares that white reaches in fewer queen's moves, less those of black."""
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
    """The empty squares that a side's queens need one move to, those that need two, …"""
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
