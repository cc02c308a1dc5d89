"""Explain to a player why a square cannot be chosen. Pure.

The answer comes from the rules and from what is published: in games with sealed actions there is
none.
"""

from collections.abc import Sequence

from games.core import BadAction, Role
from games.explain import explain
from play.domain.game_state import GameState
from play.domain.refusals import Reason, Refused
from play.domain.snapshot import Explained


def explanation(
    game: GameState, role: Role, id: str, step: int, squares: Sequence[str]
) -> Explained:
    """Return why the turn of `role` cannot go on to the last of these squares.

    For a role that waits, the turn is its premove. Raise `Refused` for a step that is not the
    present one, after the end, and where no squares are chosen in the open.
    """
    if game.rules.is_simultaneous:
        raise Refused(Reason.BAD_ACTION)
    if game.ending is not None:
        raise Refused(Reason.OVER)
    if step != game.step:
        raise Refused(Reason.STALE_STEP)
    state = game.state if role in game.control else game.rules.with_turn_of(game.state, role)
    if state is None:
        raise Refused(Reason.NOT_IN_CONTROL)
    try:
        fault = explain(game.rules, state, role, squares)
    except BadAction as error:
        raise Refused(Reason.BAD_ACTION, say=str(error)) from None
    if fault is None:
        return Explained(id=id, code=None, squares=(), say="")
    return Explained(id=id, code=fault.code, squares=fault.squares, say=str(fault))
