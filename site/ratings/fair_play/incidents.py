"""Incidents in games that were to be rated, and the pauses of rated play that follow. Pure.

An incident is a loss on time in a game by days, an early or quick resignation, or a first turn that
was not made. Games are given in the order of their entries in the log of ratings.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from play.domain.clocks import DAY_MS

MAX_COUNTED_TIME_OUTS = 2  # of a person within `TIME_OUT_WINDOW_MS`
TIME_OUT_WINDOW_MS = 7 * DAY_MS
EARLY_TURNS = 6  # a resignation with fewer own turns is early
QUICK_TURNS = 9  # a resignation with fewer own turns is quick; a game of Pincer has 13 at most
MAX_EARLY_RESIGNATIONS = 3  # of a person among the last `RESIGNATION_WINDOW_GAMES` that counted
MAX_QUICK_RESIGNATIONS = 5  # the same, early ones included
RESIGNATION_WINDOW_GAMES = 7
MAX_NO_SHOWS = 2  # of a person within `NO_SHOW_WINDOW_MS`
NO_SHOW_WINDOW_MS = DAY_MS
MAX_PAIR_GAMES = 3  # of two people that count within `PAIR_WINDOW_MS`
PAIR_WINDOW_MS = DAY_MS
PAUSE_MS = DAY_MS  # from the end of the last game that a pause rests on
SHOWN_MS = 30 * DAY_MS  # for which a person, and staff, see past incidents


class Kind(StrEnum):
    """Kind of incident."""

    TIME_OUT = "time_out"
    RESIGNATION = "resignation"
    QUICK_RESIGNATION = "quick_resignation"
    NO_SHOW = "no_show"


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that was to be rated, as one of its two players sees it."""

    game: int
    ended: int  # epoch ms
    has_counted: bool
    incident: Kind | None = None  # of this player


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause of a person's rated play, with the games that it rests on, oldest first."""

    kind: Kind
    until: int  # epoch ms
    games: tuple[int, ...]


def is_serial(ended: int, counted: Sequence[int]) -> bool:
    """Return whether a time-out at `ended` exceeds the number that may count in seven days.

    `counted` are the ends of the person's time-outs that count, earlier or later ones: a game may
    reach the log late.
    """
    ends = sorted((*counted, ended))
    place = ends.index(ended)
    starts = range(max(0, place - MAX_COUNTED_TIME_OUTS), place + 1)
    return any(
        ends[start + MAX_COUNTED_TIME_OUTS] - ends[start] < TIME_OUT_WINDOW_MS
        for start in starts
        if start + MAX_COUNTED_TIME_OUTS < len(ends)
    )


def own_turns(role: str, turns: int) -> int:
    """Return a role's number of turns among the turns completed by both; white begins."""
    return (turns + 1) // 2 if role == "white" else turns // 2


def pauses(games: Sequence[PlayedGame]) -> list[Pause]:
    """Return the pauses that a person's games lead to, one for each game that causes one."""
    found = []
    for place, game in enumerate(games):
        if game.incident is None:
            continue
        if rests_on := _CAUSES[game.incident](games[: place + 1]):
            kinds = {each.incident for each in rests_on}
            is_quick = Kind.QUICK_RESIGNATION in kinds  # an early resignation may be the fifth
            kind = Kind.QUICK_RESIGNATION if is_quick else game.incident
            keys = tuple(each.game for each in rests_on)
            found.append(Pause(kind, game.ended + PAUSE_MS, keys))
    return found


def _serial_time_outs(games: Sequence[PlayedGame]) -> list[PlayedGame]:
    """Return the last game and the time-outs around it, if it did not count because of them."""
    last = games[-1]
    if last.has_counted:
        return []
    return [
        each
        for each in games
        if each.incident is Kind.TIME_OUT and abs(last.ended - each.ended) < TIME_OUT_WINDOW_MS
    ]


def _early_resignations(games: Sequence[PlayedGame]) -> list[PlayedGame]:
    """Return the early resignations among the last seven games that counted, if they are three."""
    early = _resignations(games, Kind.RESIGNATION)
    return early if len(early) >= MAX_EARLY_RESIGNATIONS else _quick_resignations(games)


def _quick_resignations(games: Sequence[PlayedGame]) -> list[PlayedGame]:
    """Return the early and quick resignations among those seven games, if they are five.

    Five in seven would be chance in 1.3 % of all sevens of a person who resigns every fourth game
    so soon (binomial distribution).
    """
    quick = _resignations(games, Kind.RESIGNATION, Kind.QUICK_RESIGNATION)
    return quick if len(quick) >= MAX_QUICK_RESIGNATIONS else []


def _resignations(games: Sequence[PlayedGame], *kinds: Kind) -> list[PlayedGame]:
    if not games[-1].has_counted:
        return []
    counted = [each for each in games if each.has_counted][-RESIGNATION_WINDOW_GAMES:]
    return [each for each in counted if each.incident in kinds]


def _no_shows(games: Sequence[PlayedGame]) -> list[PlayedGame]:
    """Return the no-shows within a day before the last game, if they are two."""
    last = games[-1]
    missed = [
        each
        for each in games
        if each.incident is Kind.NO_SHOW and abs(last.ended - each.ended) < NO_SHOW_WINDOW_MS
    ]
    return missed if len(missed) >= MAX_NO_SHOWS else []


_CAUSES = {
    Kind.TIME_OUT: _serial_time_outs,
    Kind.RESIGNATION: _early_resignations,
    Kind.QUICK_RESIGNATION: _quick_resignations,
    Kind.NO_SHOW: _no_shows,
}
