"""Players that can be named in a match: levels and yardsticks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from games.catalogue import RULES, rules_of
from games.lab.game import Follower
from games.players.core import Allowance, Player
from games.players.levels import ENGINES, level_of, player_of
from games.players.manners import PLAYS_ON, Manners, manners_of
from games.text import clip


class NoEntrant(ValueError):
    """No player of this name can play this game here; `str` is an English sentence."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """One side of a match."""

    name: str
    nodes: int  # for one action, unless the match says otherwise
    make: Callable[[], Player]  # a new one for each game
    manners: Manners = PLAYS_ON
    is_level: bool = False


@dataclass(frozen=True, slots=True)
class Yardstick:
    """Reference player that is not a level."""

    module: str
    name: str  # of the class in the module
    games: tuple[str, ...]  # keys
    number: str = ""  # meaning of the number after the colon; "" if it takes none
    needs: str = ""  # an optional module

    def make(self, argument: int | None) -> Player:
        """Return a new player; imports its module."""
        found: Callable[..., Player] = getattr(import_module(self.module), self.name)
        return found() if argument is None else found(argument)


_AMAZONS: Final = ("amazons", "amazons-10x10", "amazons-8x8")
NO_BOOK: Final = ":no-book"  # after a level of Amazons
YARDSTICKS: Final[Mapping[str, Yardstick]] = {
    "random": Yardstick("games.players.random_player", "RandomPlayer", tuple(RULES)),
    "one-turn": Yardstick("games.players.amazons.greedy", "OneTurn", _AMAZONS),
    "material": Yardstick("games.players.pincer.material", "Material", ("pincer",), "DEPTH"),
    "novice": Yardstick("games.lab.novices", "Novice", (*_AMAZONS, "pincer")),
    "habit": Yardstick("games.lab.habits", "Habit", ("blotto",), "1-5"),
    "spiel": Yardstick(
        "games.lab.spiel", "Spiel", ("amazons-10x10",), "SIMULATIONS", needs="pyspiel"
    ),
}


def entrant(name: str, key: str) -> Entrant:
    """Return the player of this name.

    Raises NoEntrant, and games.catalogue.UnknownRules, games.players.levels.UnknownLevel and
    NotCompiled.
    """
    rules_of(key)
    word, colon, number = name.partition(":")
    if word.isascii() and word.isdecimal() and len(word) <= 4:
        return _level(name, key, int(word), colon + number)
    stick = YARDSTICKS.get(word)
    if stick is None or bool(colon) != bool(stick.number):
        raise NoEntrant(f"“{clip(name)}” is not a player; there are {_names()}.")
    if key not in stick.games:
        raise NoEntrant(f"“{word}” does not play {rules_of(key).name}.")
    argument = _argument(name, number) if colon else None
    if stick.needs and find_spec(stick.needs) is None:
        raise NoEntrant(f"“{word}” needs {stick.needs}: install the extra “yardsticks”.")
    return Entrant(name, 1, partial(stick.make, argument))


def _level(name: str, key: str, number: int, suffix: str) -> Entrant:
    """Return a level; with the suffix NO_BOOK it opens without its book."""
    level = level_of(key, number)
    make: Callable[[], Player] = partial(player_of, key, level.number)
    make()  # raises NotCompiled now, not in the middle of a match
    if suffix:
        if suffix != NO_BOOK or key not in _AMAZONS:
            raise NoEntrant(f"“{clip(name)}” is not a player of {rules_of(key).name}.")
        make = partial(_without_book, key, level.number)
    return Entrant(name, level.nodes, make, manners_of(key, level.number), is_level=True)


def _without_book(key: str, number: int) -> Player:
    """Return a new player of a level of Amazons that searches from the start on."""
    player: Player = import_module(f"{ENGINES[key]}.player").player_of(key, number, False)
    return player


def warm(key: str, who: Entrant) -> None:
    """Compile and load a player's code before its time is measured."""
    if who.is_level:
        module: Any = import_module(f"{ENGINES[key]}.player")
        module.warm()
        return
    rules, player = rules_of(key), who.make()
    state = rules.start()
    while rules.turns(state) == 0 and "white" in rules.control(state):
        choices = rules.choices(state, "white")
        thought = player.choose(rules.view(state, "white"), "white", choices, Allowance(1), 0)
        if isinstance(player, Follower):
            player.follow(thought.action)
        state = rules.play(state, dict.fromkeys(rules.roles, thought.action))


def _argument(name: str, number: str) -> int:
    if number.isascii() and number.isdecimal() and len(number) <= 8 and int(number) > 0:
        return int(number)
    raise NoEntrant(f"“{clip(name)}” needs a whole number from 1 after the colon.")


def _names() -> str:
    sticks = [
        f"{name}:{stick.number}" if stick.number else name for name, stick in YARDSTICKS.items()
    ]
    return f"the levels by number, {', '.join(sticks[:-1])} and {sticks[-1]}"
