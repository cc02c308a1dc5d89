"""The whole turns of a game in which one role acts at a time, and the positions between them."""

from collections.abc import Iterator
from typing import Any

from games.core import assemble_joint
from play.domain.game_state import GameState
from play.storage import load


def whole_turns(game: GameState) -> Iterator[tuple[list[str], Any]]:
    """Yield the canonical actions of each whole turn, and the state after it. One query.

    A turn that was begun when the game ended is left out.
    """
    rules, state = game.rules, game.rules.start()
    actions: list[str] = []
    for step in load.steps_of(game.id, game.rev, 0, game.step):
        actions.append(load.single_action(step))
        before = rules.turns(state)
        (role,) = rules.control(state)
        state = rules.play(state, assemble_joint(rules, state, {role: rules.parse(actions[-1])}))
        if rules.turns(state) > before or rules.outcome(state) is not None:
            yield actions, state
            actions = []


def searched_positions(game: GameState) -> list[Any]:
    """Return the states that a review searches: at the start and after each turn.

    The last one is left out if the game is over in it by its rules, for then nothing is searched.
    """
    states = [game.rules.start(), *(state for _actions, state in whole_turns(game))]
    return [state for state in states if game.rules.outcome(state) is None]
