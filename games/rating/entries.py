"""Entries of the public file of ratings, `ratings.jsonl`.

The first line is the header; each further line is one entry with a number `seq` that grows from
line to line. The header states the `seq` of the last entry, so a file that was cut off is known to
be incomplete.

A game's entry states whether the game counted: the reason why not (`not_rated`) rests on facts that
are not public, such as a shared device, so it is stated and cannot be recomputed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from games.rating.placement import PlacementGame
from games.rating.pools import Pool
from games.rating.standing import Numbers

FORMAT: Final = "quiver-ratings"
VERSION: Final = 1
SCORES: Final = {"white": 1.0, "": 0.5, "black": 0.0}  # white's, by the winner


class NotRated(StrEnum):
    """Reasons why a game that was to be rated did not count."""

    GUEST = "guest"
    COMPUTER = "computer"
    NO_CLOCK = "no_clock"
    NO_TURN = "no_turn"
    ABORTED = "aborted"
    SERIAL_TIMEOUT = "serial_timeout"
    RELATED = "related"
    PAIR_LIMIT = "pair_limit"
    UNVERIFIED = "unverified"
    ANNULLED = "annulled"


@dataclass(frozen=True, slots=True)
class Header:
    """First line of the file: which generation of ratings it holds, up to which entry."""

    generation: int
    last_seq: int  # of the last entry; 0 without one


@dataclass(frozen=True, slots=True)
class Anchors:
    """Fixed ratings of a game's eight levels, in thousandths of a point, from this entry on."""

    seq: int
    rules: str
    ratings: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Placement:
    """A person's first rating in a pool, from games against levels."""

    seq: int
    at: int  # epoch ms
    pool: Pool
    person: int
    games: tuple[PlacementGame, ...]
    after: Numbers | None  # None: the person had played a rated game already


@dataclass(frozen=True, slots=True)
class SideNumbers:
    """The numbers of both sides at one moment."""

    white: Numbers
    black: Numbers


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game that was to be rated. `before` and `after` are None if it did not count."""

    seq: int
    at: int  # its end, epoch ms
    pool: Pool
    game: str
    white: int
    black: int
    winner: str  # white, black or empty: a draw
    not_rated: NotRated | None
    before: SideNumbers | None
    after: SideNumbers | None


@dataclass(frozen=True, slots=True)
class Fit:
    """From this entry on the first-move advantage is that of all games before it."""

    seq: int
    rules: str
    advantage: int  # thousandths of a point


@dataclass(frozen=True, slots=True)
class Correction:
    """A game is annulled from the beginning, or restored. The last one of a game counts."""

    seq: int
    game: str
    is_annulled: bool
    reason: str


Entry = Anchors | Placement | GameEntry | Fit | Correction
