"""Messages of the site about conditional replies, for the pages of their owner alone. Pure."""

from collections.abc import Sequence
from typing import Any

from games import notation
from games.core import OTHER, Role, View, fill_noop
from play.domain.game_state import GameState, with_position
from play.domain.reply_plans import Line, Lines, play_turn
from play.domain.snapshot import ShownPrompt
from play.domain.wire_types import Outgoing, Shown


class ShownTurn(Shown, frozen=True):
    """A turn of a line: its canonical actions, and how each is written for people."""

    role: Role
    actions: Sequence[str]
    text: Sequence[str]


class RepliesState(Outgoing, frozen=True, tag="replies"):
    """The conditional replies of the reader, for the step for which they were saved."""

    step: int
    takebacks: int
    lines: Sequence[Sequence[ShownTurn]]


class Saved(Outgoing, frozen=True, tag="saved"):
    """Answers `save_replies`."""

    id: str
    lines: int  # how many are stored


class Tried(Outgoing, frozen=True, tag="tried"):
    """Answers `try_turns`: the position after the turns, and what can be chosen there."""

    id: str
    turns: Sequence[ShownTurn]
    role: Role | None  # to move there; None: the game would be over
    view: View
    prompt: ShownPrompt | None


def shown_lines(game: GameState, role: Role, lines: Lines) -> list[list[ShownTurn]]:
    """Return the lines of a role as its pages show them, from the position of `game`."""
    return [_shown_turns(game, OTHER[role], line)[0] for line in lines]


def tried(game: GameState, role: Role, id: str, turns: Line) -> Tried:
    """Return the position after turns of a line of `role`. Raise `Refused` if one is illegal."""
    shown, after = _shown_turns(game, OTHER[role], turns)
    mover = next(iter(after.control), None)
    prompt = game.rules.prompt(after.state, mover) if mover else None
    return Tried(
        id=id, turns=shown, role=mover, view=game.rules.view(after.state, None), prompt=prompt
    )


def _shown_turns(game: GameState, mover: Role, turns: Line) -> tuple[list[ShownTurn], GameState]:
    """Return the turns as they are shown, and the game with the position after them."""
    shown: list[ShownTurn] = []
    for turn in turns:
        after, actions = play_turn(game.rules, game.state, mover, turn)
        shown.append(ShownTurn(mover, actions, _notation(game, mover, actions)))
        game, mover = with_position(game, after), OTHER[mover]
    return shown, game


def _notation(game: GameState, role: Role, actions: Sequence[str]) -> list[str]:
    rules, state = game.rules, game.state
    texts: list[str] = []
    for text in actions:
        action: Any = rules.parse(text)
        texts.append(notation.write(rules, state, role, action))
        state = rules.play(state, fill_noop(rules, {role: action}))
    return texts
