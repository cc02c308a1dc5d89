"""Conditional replies: lines of turns that a player prepares for days games. Pure.

A line begins with a turn of the opponent, followed by the player's reply, and so on. Turns are
compared by the positions they lead to: the same moves in another order are the same turn. Lines
are tried in order; the first whose turn matches gives the reply, and the rest of every line that
went on in the same way stays for the next turn. The messages about them go to pages of their
owner alone.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from accounts.refusals import Refused
from games import notation
from games.core import OTHER, Role, Rules, View, fill_noop
from play.domain.clocks import RUNNING_KINDS
from play.domain.decide import parse_legal
from play.domain.game_refusals import Reason
from play.domain.game_state import GameState, with_position
from play.domain.snapshot import ShownPrompt
from play.domain.wire_types import Outgoing, Shown

MAX_LINES = 5
MAX_REPLIES = 3  # own turns in a line

Turn = tuple[str, ...]  # canonical actions
Line = tuple[Turn, ...]  # turns of the opponent and of the player, alternating
Lines = tuple[Line, ...]


class Reply(Struct, frozen=True, gc=False):
    """The reply to a turn of the opponent, and the lines that stay after it."""

    actions: Turn
    rest: Lines

    def __repr__(self) -> str:
        return f"Reply(rest of {len(self.rest)} lines)"


def require_replies(game: GameState, role: Role | None) -> Role:
    """Return the role of a player who may have conditional replies here, or raise `Refused`.

    They are for slow games in which the players take turns.
    """
    if role is None:
        raise Refused(Reason.NOT_SEATED)
    if game.rules.is_simultaneous or game.clock.kind in RUNNING_KINDS:
        raise Refused(Reason.NO_REPLIES)
    return role


def checked_lines(game: GameState, role: Role, lines: Sequence[Sequence[Sequence[str]]]) -> Lines:
    """Return the lines in canonical form. Raise `Refused`, with the number of the line as `index`.

    A line is legal along the way from the current position, in which the opponent is to move.
    """
    if game.ending:
        raise Refused(Reason.OVER)
    if role in game.control:
        raise Refused(Reason.OWN_TURN)
    if len(lines) > MAX_LINES:
        raise Refused(Reason.TOO_MANY_LINES, index=MAX_LINES)
    for index, line in enumerate(lines):
        if len(line) > 2 * MAX_REPLIES:
            raise Refused(Reason.LINE_TOO_LONG, index=index)
        if not line or len(line) % 2:
            raise Refused(Reason.LINE_UNFINISHED, index=index)
    return tuple(_checked_line(game, role, line, index) for index, line in enumerate(lines))


def _checked_line(game: GameState, role: Role, line: Sequence[Sequence[str]], index: int) -> Line:
    state, checked = game.state, []
    for number, actions in enumerate(line):
        mover = role if number % 2 else OTHER[role]
        state, turn = play_turn(game.rules, state, mover, actions, index)
        checked.append(turn)
    return tuple(checked)


def play_turn(
    rules: Rules[Any], state: Any, role: Role, actions: Sequence[str], index: int = 0
) -> tuple[Any, Turn]:
    """Return the state after a whole turn (or the rest of one), and its canonical actions.

    Raise `Refused` if an action is illegal, or if the actions are not a whole turn.
    """
    turns, turn = rules.turns(state), []
    for text in actions:
        if rules.control(state) != {role} or rules.turns(state) > turns:
            raise Refused(Reason.NOT_IN_CONTROL, index=index)
        action = parse_legal(rules, state, role, text, index)
        state = rules.play(state, fill_noop(rules, {role: action}))
        turn.append(str(action))
    if rules.turns(state) == turns and rules.control(state):
        raise Refused(Reason.LINE_UNFINISHED, index=index)
    return state, tuple(turn)


def reply_to(
    rules: Rules[Any], state: Any, role: Role, lines: Lines, theirs: Sequence[str]
) -> Reply | None:
    """Return the reply of `role` to a turn of the opponent in a state; None if no line matches.

    A line that the rules do not allow any more is left out.
    """
    reached, _ = play_turn(rules, state, OTHER[role], theirs)
    chosen: Turn | None = None
    position: Any = None
    rest: list[Line] = []
    for line in lines:
        try:
            if play_turn(rules, state, OTHER[role], line[0])[0] != reached:
                continue
            after, turn = play_turn(rules, reached, role, line[1])
        except (Refused, IndexError):
            continue
        if chosen is None:
            chosen, position = turn, after
        if after == position and len(line) > 2:
            rest.append(line[2:])
    return None if chosen is None else Reply(chosen, tuple(rest))


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
