"""The opening of a game as keys of positions and canonical turns, alike for symmetric games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from games.core import Action, Role, Rules, fill_noop
from games.notation import read
from games.symmetry import (
    CanonicalPosition,
    canonical_position,
    canonical_turn,
    image_of,
    inverse_of,
)

MAX_TURNS: Final = 12  # of both sides
KEY_BYTES: Final = 8


class PlayedTurn(NamedTuple):
    """A turn of an opening: the key of the position in which it begins, and its canonical text."""

    position: int
    turn: str


def position_key(rules: Rules[Any], position: CanonicalPosition) -> int:
    """Return a signed 64-bit hash of a rule set and a position, the same for all its images."""
    text = f"{rules.key} {position.text}".encode()
    return int.from_bytes(blake2b(text, digest_size=KEY_BYTES).digest(), signed=True)


def opening_turns(
    rules: Rules[Any], joints: Iterable[Mapping[Role, str]], most: int = MAX_TURNS
) -> list[PlayedTurn]:
    """Return the first whole turns of a game with a board, at most `most`.

    `joints` are its steps in order, as canonical strings without `noop`; their legality is not
    checked. Raises BadAction for text that is no action of the game.
    """
    found: list[PlayedTurn] = []
    state = begun = rules.start()
    actions: list[Action] = []
    for joint in joints:
        if len(found) == most:
            break
        decided = {role: rules.parse(text) for role, text in joint.items()}
        actions += decided.values()
        state = rules.play(state, fill_noop(rules, decided))
        if rules.turns(state) > rules.turns(begun):
            found.append(_opening_turn(rules, begun, actions))
            begun, actions = state, []
    return found


def _opening_turn(rules: Rules[Any], begun: Any, actions: Sequence[Action]) -> PlayedTurn:
    position = canonical_position(rules, begun)
    assert position is not None
    turn = canonical_turn(rules, begun, actions, position.symmetries)
    return PlayedTurn(position_key(rules, position), turn)


def turn_of_position(
    rules: Rules[Any], state: Any, position: CanonicalPosition, turn: str
) -> list[Action]:
    """Return the actions of a canonical turn as they are on a board with this position.

    `position` is the canonical one of `state`. Raises BadAction for text that is no turn.
    """
    back = inverse_of(position.symmetries[0])
    return [image_of(action, back) for action in read(rules, state, "white", turn)]
