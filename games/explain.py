"""Explain why a square cannot be chosen next in a turn.

The `check` of the rules decides; this module depends on no particular game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from games.core import BadAction, Code, IllegalAction, Role, Rules, S, fill_noop
from games.prompts import PathPrompt, Step
from games.text import clip

_IN_THE_WAY: Final = frozenset({Code.PATH_BLOCKED, Code.OCCUPIED})  # squares: the blocking ones
_OF_TARGETS: Final = _IN_THE_WAY | {Code.NOT_A_LINE, Code.SAME_SQUARE, Code.NOT_ONE_STEP}


def explain(rules: Rules[S], state: S, role: Role, squares: Sequence[str]) -> IllegalAction | None:
    """Return why no turn of `role` begins with these squares; None if one does.

    `squares` are names ("d4") in the order of the prompt's steps. The answer is the fault of the
    first action that cannot be made; where the last square is a piece from which every way is
    blocked, it is `NO_WAY_OUT`. Raises BadAction for squares that are not on the board, for more
    squares than a turn has, and in games in which no squares are chosen.
    """
    if rules.kind != "path":
        raise BadAction(f"No squares are chosen in {rules.name}.")
    chosen = [_coordinates(rules, square) for square in squares]
    prompt = rules.prompt(state, role)
    if prompt is None:
        is_over = not rules.control(state)
        return IllegalAction(Code.GAME_OVER if is_over else Code.NOT_IN_CONTROL)
    assert isinstance(prompt, PathPrompt)
    if len(chosen) > len(prompt.steps):
        raise BadAction(f"A turn has at most {len(prompt.steps)} squares here.")
    for word, *indices in prompt.actions:
        begin, end = int(indices[0]), int(indices[-1]) + 1
        if len(chosen) <= begin:
            return None
        missing = prompt.steps[len(chosen) : end]
        ways = _completions(rules, chosen, missing)
        texts = [" ".join([str(word), *way[begin:end]]) for way in ways]
        if len(texts) > 1:
            return _common_fault(rules, state, role, texts, squares[-1])
        fault = _fault(rules, state, role, texts[0])
        if fault is not None or missing:
            return fault
        state = rules.play(state, fill_noop(rules, {role: rules.parse(texts[0])}))
    return None


def _coordinates(rules: Rules[S], square: str) -> str:
    """Return "4 10" for "d10". Raises BadAction for a square that is not on the board."""
    column, row = ord(square[:1] or " ") - 96, square[1:]
    is_number = row.isascii() and row.isdecimal() and len(row) <= 2 and row == str(int(row))
    if not is_number or not (1 <= column <= rules.width and 1 <= int(row) <= rules.height):
        raise BadAction(f"“{clip(square)}” is not a square of this board.")
    return f"{column} {row}"


def _completions(
    rules: Rules[S], chosen: Sequence[str], missing: Sequence[Step]
) -> Iterator[list[str]]:
    """Yield the chosen squares followed by every square of the board for a step that misses.

    A step in which an earlier square may be chosen again ("no arrow") gets that one.
    """
    kept = [step.keep for step in missing]
    is_open = None in kept
    for y in range(1, rules.height + 1 if is_open else 2):
        for x in range(1, rules.width + 1 if is_open else 2):
            yield [*chosen, *(f"{x} {y}" if at is None else chosen[at] for at in kept)]


def _common_fault(
    rules: Rules[S], state: S, role: Role, texts: Iterable[str], origin: str
) -> IllegalAction | None:
    """Return why none of the actions of a piece is legal, whatever its target; None if one is.

    A fault that is not one of the target is common to all. Else every way from `origin` is blocked.
    """
    around: dict[str, None] = {}  # the blocking squares, without duplicates
    for text in texts:
        fault = _fault(rules, state, role, text)
        if fault is None or fault.code not in _OF_TARGETS:
            return fault
        if fault.code in _IN_THE_WAY:
            around.update(dict.fromkeys(fault.squares))
    return IllegalAction(Code.NO_WAY_OUT, origin, *around)


def _fault(rules: Rules[S], state: S, role: Role, text: str) -> IllegalAction | None:
    """Return the fault of a canonical action; None if it is legal. Raises BadAction."""
    try:
        rules.check(state, role, rules.parse(text))
    except IllegalAction as fault:
        return fault
    return None
