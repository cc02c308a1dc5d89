"""Reads entries of ratings from parsed JSON; every field is checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from games.rating.entries import (
    FORMAT,
    SCORES,
    VERSION,
    Anchors,
    Correction,
    Entry,
    Fit,
    GameEntry,
    Header,
    NotRated,
    Placement,
    SideNumbers,
)
from games.rating.placement import LEVELS, PlacementGame
from games.rating.pools import Pool, UnknownPool, is_rules_key, pool_of
from games.rating.standing import MAX_RATING, Numbers
from games.text import clip

MAX_INTEGER: Final = 2**53 - 1  # JSON readers keep integers up to this exactly


class BadEntry(ValueError):
    """A line is not an entry; `str` is an English sentence."""


def parse_header(value: Any) -> Header:
    """Return the header from parsed JSON. Raises BadEntry."""
    line = _object(value)
    if line.get("format") != FORMAT or line.get("version") != VERSION:
        raise BadEntry(f"The file is not “{FORMAT}”, version {VERSION}.")
    return Header(_integer(line, "generation", 1), _integer(line, "last_seq", 0))


def parse_entry(value: Any) -> Entry:
    """Return an entry from parsed JSON. Raises BadEntry."""
    line = _object(value)
    kind = line.get("kind")
    parser = _PARSERS.get(kind) if isinstance(kind, str) else None
    if parser is None:
        raise BadEntry(f"“{clip(str(kind))}” is not a kind of entry.")
    return parser(line)


def _game(line: Mapping[str, Any]) -> GameEntry:
    winner, reason = line.get("winner"), line.get("not_rated")
    if not isinstance(winner, str) or winner not in SCORES:
        raise BadEntry("The winner of a game is white, black or empty.")
    white, black = _integer(line, "white", 1), _integer(line, "black", 1)
    if white == black:
        raise BadEntry("A game has two different players.")
    not_rated = None if reason is None else _not_rated(reason)
    before, after = _sides(line.get("before")), _sides(line.get("after"))
    if (not_rated is None) != (before is not None) or (before is None) != (after is None):
        raise BadEntry("A game has numbers before and after it, or a reason why it has none.")
    return GameEntry(
        _integer(line, "seq", 1),
        _integer(line, "at", 0),
        _pool(line),
        _text(line, "game"),
        white,
        black,
        winner,
        not_rated,
        before,
        after,
    )


def _placement(line: Mapping[str, Any]) -> Placement:
    games = line.get("games")
    if not isinstance(games, list) or not games:
        raise BadEntry("A placement names its games.")
    played = tuple(_placement_game(_object(game)) for game in games)
    after = line.get("after")
    return Placement(
        _integer(line, "seq", 1),
        _integer(line, "at", 0),
        _pool(line),
        _integer(line, "person", 1),
        played,
        None if after is None else _numbers(after),
    )


def _placement_game(game: Mapping[str, Any]) -> PlacementGame:
    result = game.get("result")
    if result not in ("won", "drawn", "lost"):
        raise BadEntry("The result of a placement game is won, drawn or lost.")
    return PlacementGame(_integer(game, "level", 1, LEVELS), result)


def _anchors(line: Mapping[str, Any]) -> Anchors:
    ratings = line.get("ratings")
    if not isinstance(ratings, list) or len(ratings) != LEVELS:
        raise BadEntry(f"Anchors are {LEVELS} ratings.")
    numbered = {str(level): rating for level, rating in enumerate(ratings)}
    return Anchors(
        _integer(line, "seq", 1),
        _rules(line),
        tuple(_integer(numbered, str(level), 0, MAX_RATING) for level in range(LEVELS)),
    )


def _fit(line: Mapping[str, Any]) -> Fit:
    return Fit(
        _integer(line, "seq", 1), _rules(line), _integer(line, "advantage", -MAX_RATING, MAX_RATING)
    )


def _annulment(line: Mapping[str, Any]) -> Correction:
    return Correction(_integer(line, "seq", 1), _text(line, "game"), True, _text(line, "reason"))


def _restoration(line: Mapping[str, Any]) -> Correction:
    return Correction(_integer(line, "seq", 1), _text(line, "game"), False, _text(line, "reason"))


_PARSERS: Final[Mapping[str, Callable[[Mapping[str, Any]], Entry]]] = {
    "game": _game,
    "placement": _placement,
    "anchors": _anchors,
    "advantage": _fit,
    "annulment": _annulment,
    "restoration": _restoration,
}


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise BadEntry("A line is not a JSON object.")
    return value


def _integer(line: Mapping[str, Any], name: str, low: int, high: int = MAX_INTEGER) -> int:
    value = line.get(name)
    if type(value) is not int or not low <= value <= high:
        raise BadEntry(f"“{name}” is not a whole number from {low} to {high}.")
    return value


def _text(line: Mapping[str, Any], name: str) -> str:
    value = line.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= 200:
        raise BadEntry(f"“{name}” is not a text of 1 to 200 characters.")
    return value


def _rules(line: Mapping[str, Any]) -> str:
    name = _text(line, "rules")
    if not is_rules_key(name):
        raise BadEntry(f"“{clip(name)}” is not the key of a rule set.")
    return name


def _pool(line: Mapping[str, Any]) -> Pool:
    try:
        return pool_of(_text(line, "pool"))
    except UnknownPool as error:
        raise BadEntry(str(error)) from None


def _not_rated(reason: Any) -> NotRated:
    try:
        return NotRated(reason)
    except ValueError:
        raise BadEntry(f"“{clip(str(reason))}” is not a reason for a game not to count.") from None


def _sides(value: Any) -> SideNumbers | None:
    if value is None:
        return None
    sides = _object(value)
    return SideNumbers(_numbers(sides.get("white")), _numbers(sides.get("black")))


def _numbers(value: Any) -> Numbers:
    if not (
        isinstance(value, list)
        and len(value) == 3
        and all(type(number) is int and 0 < number <= MAX_INTEGER for number in value)
    ):
        raise BadEntry("Numbers are a rating, a deviation and a volatility.")
    return Numbers(*value)
