"""Notation of actions for people: "d1-d7/g7", "a5-b5", "6 4 0"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, Final

from games.amazons import Amazons
from games.amazons import State as AmazonsState
from games.blotto import Blotto, Troops
from games.core import Action, BadAction, Noop, Role, Rules, S
from games.grid import NAMES
from games.moves import Fire, Move, Play
from games.pincer import Pincer
from games.pincer import State as PincerState
from games.text import clip


def _play(action: Play) -> str:
    is_left_out = action.arrow == action.origin
    return action.way if is_left_out else f"{action.way}/{NAMES[action.arrow]}"


_WRITERS: Final[Mapping[type[Action], Callable[[Any], str]]] = {
    Play: _play,
    Move: lambda action: action.way,
    Fire: lambda action: f"/{NAMES[action.arrow]}",
    Troops: lambda action: " ".join(map(str, action.split)),
    Noop: lambda action: "",
}


def write(rules: Rules[S], state: S, role: Role, action: Action) -> str:
    """Return the notation of one role's part of a step. Trusts its input.

    "d1-d7/g7" or, without an arrow, "d1-d7"; in the split form "d1-d7", then "/g7"; "6 4 0" in
    Blotto; nothing for a noop.
    """
    return _WRITERS[type(action)](action)


_DASHES: Final = "−⁃ー─"  # beside those of category Pd
_SPELLINGS: Final = [
    (re.compile(pattern), spelling)
    for pattern, spelling in (
        # The number of the turn, and the marks of its quality.
        (r"^\s*[0-9]+\s*[.)]+\s*(?=[^0-9\s]|[0-9]+[^0-9]+[0-9]+[^0-9]+[0-9]+[^0-9]*$)", ""),
        (r"[!?.]+(?=\s|$)", ""),
        (r"([0-9])\s*(?:x|×|to)\s*(?=[a-z][0-9])", r"\1-"),
        (r"\s*[-→>:]+\s*", "-"),
        (r"([0-9])\s*[(\[{]\s*", r"\1/"),
        (r"\s*[/⁄∕@*]+\s*", "/"),
        (r"[()\[\]{}]", ""),
        (r"[\s,;+]+", " "),
    )
]


def normalise(text: str) -> str:
    """Return the canonical spelling of a typed turn: "c1-c5/e5", "a5-b5 a7-a6", "5 1 4".

    Signs of other keyboards and other notations are read: "c1:c5*e5", "1. c1-c5(e5)!", full-width
    signs. The page's is `static/js/lib/typed-text.js`.
    """
    # A Turkish keyboard writes İ or ı for the file i.
    plain = re.sub("[İı]", "i", unicodedata.normalize("NFKC", text)).lower()
    plain = "".join([_plain_sign(sign) for sign in plain])
    for pattern, spelling in _SPELLINGS:
        plain = pattern.sub(spelling, plain)
    return plain.strip()


def _plain_sign(sign: str) -> str:
    """Return a hyphen for any dash, nothing for signs without a shape, else the sign."""
    category = unicodedata.category(sign)
    if category == "Cf":
        return ""
    return "-" if category == "Pd" or sign in _DASHES else sign


def read(rules: Rules[S], state: S, role: Role, text: str) -> tuple[Action, ...]:
    """Parse the (rest of a) turn as a person types it. Raises BadAction.

    All spellings of `normalise` are read. Legality is not checked.
    """
    if len(text) > 100:
        raise BadAction("That is too long for one turn.")
    return _READERS[type(rules)](rules, state, normalise(text))


def _way(rules: Amazons | Pincer, text: str) -> tuple[int, int]:
    origin, dash, target = text.partition("-")
    if not dash:
        raise BadAction(f"“{clip(text)}” is not a move such as d1-d2.")
    return _square(rules, origin), _square(rules, target)


def _square(rules: Amazons | Pincer, text: str) -> int:
    square = rules.grid.by_name.get(text)
    if square is None:
        raise BadAction(f"“{clip(text)}” is not a square of this board.")
    return square


def _amazons(rules: Amazons, state: AmazonsState, text: str) -> tuple[Action, ...]:
    way, slash, arrow = text.partition("/")
    if state.moved is not None:
        if way or not slash:
            raise BadAction("Only the arrow is left to shoot, such as /d7.")
        return (Fire(_square(rules, arrow)),)
    origin, target = _way(rules, way)
    if not rules.split:
        return (Play(origin, target, _square(rules, arrow) if slash else origin),)
    move = Move(origin, target)
    return (move, Fire(_square(rules, arrow))) if slash else (move,)


def _pincer(rules: Pincer, state: PincerState, text: str) -> tuple[Action, ...]:
    moves = tuple(Move(*_way(rules, way)) for way in text.split(" "))
    most = rules.view(state, None)
    if len(moves) > most["of"] - most["step"] + 1:
        raise BadAction("That is more moves than are left in this turn.")
    return moves


def _blotto(rules: Blotto, state: object, text: str) -> tuple[Action, ...]:
    return (rules.parse(f"troops {re.sub('[/-]', ' ', text)}"),)


_READERS: Final[Mapping[type, Callable[[Any, Any, str], tuple[Action, ...]]]] = {
    Amazons: _amazons,
    Pincer: _pincer,
    Blotto: _blotto,
}
