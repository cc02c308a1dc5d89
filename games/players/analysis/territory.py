"""Territory of Amazons by compiled code: the same as `games.territory`, several times as fast."""

from __future__ import annotations

from games.amazons import Amazons, State
from games.players.amazons.nearest import owners
from games.players.amazons.position import Position, whole
from games.players.analysis.boards import cells_of, grid_set_of
from games.territory import Territory


def territory(rules: Amazons, state: State) -> Territory:
    """Return which empty squares each role reaches first by queen moves.

    The side to move does not matter. Sets are ints as in `games.grid`. Takes less than 0.1 ms.
    """
    empty = rules.grid.board & ~(state.white | state.black | state.burnt)
    position = Position(cells_of(state.white), cells_of(state.black), cells_of(empty))
    found = owners(*position.words)
    white, black, contested = (grid_set_of(whole((found[at], found[at + 1]))) for at in (0, 2, 4))
    return Territory(white, black, contested, empty & ~(white | black | contested))
