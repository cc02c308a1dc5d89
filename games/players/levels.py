"""The eight levels of each game, with their players. Imports no engine."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from games.catalogue import rules_of
from games.players.core import Level, Player
from games.text import clip

LEVEL_COUNT: Final = 8
COMPILED: Final = "games.players.compiled"
# The package of each game's player. It has `settings.LEVELS` (cheap to import) and
# `player.player_of(key, number)`, `player.warm()`.
ENGINES: Final[Mapping[str, str]] = {
    "amazons": "games.players.amazons",
    "amazons-10x10": "games.players.amazons",
    "amazons-8x8": "games.players.amazons",
    "blotto": "games.players.blotto",
    "pincer": "games.players.pincer",
}
# Modules of optional data files: `load()[1]` is a sentence if the file is missing, else empty.
DATA: Final = ("games.players.pincer.solved.few_pieces", "games.players.amazons.opening_book")


class UnknownLevel(ValueError):
    """The game has no such level; `str` is an English sentence."""

    def __init__(self, key: str, number: object) -> None:
        super().__init__(f"“{clip(str(number))}” is not a level of {rules_of(key).name}.")


class NotCompiled(RuntimeError):
    """The level needs compiled code, and numba is not installed; `str` is an English sentence."""


@cache
def levels_of(key: str) -> tuple[Level, ...]:
    """Return the levels of a game, weakest first. Raises UnknownRules."""
    rules_of(key)
    levels: Mapping[str, tuple[Level, ...]] = import_module(f"{ENGINES[key]}.settings").LEVELS
    return levels[key]


def level_of(key: str, number: int) -> Level:
    """Return one level of a game. Raises UnknownRules, UnknownLevel."""
    found = next((level for level in levels_of(key) if level.number == number), None)
    if found is None:
        raise UnknownLevel(key, number)
    return found


def has_numba() -> bool:
    """Return whether compiled code is available, without importing anything.

    In a process that called `load`, its result; elsewhere, whether numba is installed.
    """
    is_compiled = getattr(sys.modules.get(COMPILED), "IS_COMPILED", None)
    return (
        _is_installed() if is_compiled is None else bool(is_compiled)
    )  # None: the import is in progress


def is_loaded() -> bool:
    """Return whether `load` was called in this process; elsewhere numba costs memory and time."""
    return COMPILED in sys.modules


@cache
def _is_installed() -> bool:
    return find_spec("numba") is not None


def load() -> str:
    """Import numba, which takes a second; return the error if it is installed but fails."""
    return str(import_module(COMPILED).LOAD_ERROR)


def missing_data() -> str:
    """Return a sentence for each missing optional data file; empty if none is missing.

    Loads the files. Call it where players think.
    """
    if not has_numba():
        return ""
    found = [str(import_module(name).load()[1]) for name in DATA]
    return "\n".join(filter(None, found))


def is_available(key: str, number: int) -> bool:
    """Return whether this machine can play a level. Raises UnknownRules, UnknownLevel."""
    level = level_of(key, number)
    return has_numba() or not level.needs_numba


def player_of(key: str, number: int) -> Player:
    """Return a new player of a level, for one role of one game.

    Raises UnknownRules, UnknownLevel, NotCompiled.
    """
    if not is_available(key, number):
        raise NotCompiled(f"Level {number} of {rules_of(key).name} needs numba.")
    make: Callable[[str, int], Player] = import_module(f"{ENGINES[key]}.player").player_of
    return make(key, number)


def warm(key: str) -> None:
    """Prepare the player of a game: compile its code, or load it from disk.

    Takes seconds without cached code, and no time when called again. Does nothing without numba.
    Raises UnknownRules.
    """
    rules_of(key)
    if has_numba():
        _warm(ENGINES[key])


def is_cached(key: str) -> bool:
    """Return whether `warm` need not compile anything: code from these sources is on the disk.

    Imports numba for a player that is compiled, that is, one with a level that needs it. Raises
    UnknownRules.
    """
    if not has_numba() or not any(level.needs_numba for level in levels_of(key)):
        return True
    return bool(import_module(COMPILED).is_whole(_short(ENGINES[key])))


def note_cached(key: str) -> None:
    """Note that the player of a game has been compiled; `warm` has done it. Raises OSError."""
    if has_numba():
        import_module(COMPILED).note_whole(_short(ENGINES[key]))


def _short(engine: str) -> str:
    return engine.rpartition(".")[2]


def outdated_code() -> list[Path]:
    """Return the cache folders of code compiled from sources that are no longer here."""
    return [*import_module(COMPILED).outdated_folders()]


@cache
def _warm(engine: str) -> None:
    import_module(f"{engine}.player").warm()
