"""The games of a match one after the other, or in several processes, timed."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import get_context
from time import process_time
from typing import Final

from games.catalogue import rules_of
from games.core import Role
from games.match.entrants import Entrant, entrant, warm
from games.match.game import Budget, Played, Side, play_game, seed_of
from games.match.openings import Opening, openings
from games.match.tally import Hypotheses, Pair, Tally, Verdict

UNLIMITED: Final = 1_000_000_000  # nodes, where the time counts


@dataclass(frozen=True, slots=True)
class Match:
    """Who plays whom, how often and with what."""

    a: str
    b: str
    key: str
    games: int  # even: each opening is played with both sides
    seed: int = 1
    nodes: int | None = None  # for one action of either side; None: what each of them has
    seconds: float | None = None  # of processor time for one go of either side, nodes unlimited
    trusts: bool = False  # a level that has proved that it wins need not play on


@cache
def _ready(match: Match) -> tuple[Entrant, Entrant]:
    """Both sides, compiled and loaded."""
    a, b = entrant(match.a, match.key), entrant(match.b, match.key)
    for who in {match.a: a, match.b: b}.values():
        warm(match.key, who)
    return a, b


def play_pair(match: Match, index: int) -> Pair:
    """Both games from one opening. The same again for the same index, unless time counts."""
    a, b = _ready(match)
    opening = openings(match.key, match.games // 2, match.seed)[index]
    seed = seed_of(match.seed, index)
    return Pair((_play(match, opening, a, b, seed), _play(match, opening, b, a, seed + 1)))


def _play(match: Match, opening: Opening, white: Entrant, black: Entrant, seed: int) -> Played:
    sides: dict[Role, Side] = {"white": _side(match, white), "black": _side(match, black)}
    return play_game(rules_of(match.key), opening, sides, seed, process_time)


def _side(match: Match, who: Entrant) -> Side:
    """A new player."""
    budget = Budget(match.nodes or who.nodes)
    if match.seconds is not None:
        budget = Budget(UNLIMITED, match.seconds)
    return Side(who.make(), budget, who.resigns, match.trusts and who.name.isdecimal())


def pairs(match: Match, jobs: int) -> Generator[Pair, None, None]:
    """All pairs in order, whatever the number of processes."""
    play = partial(play_pair, match)
    indices = range(match.games // 2)
    if jobs == 1:
        yield from map(play, indices)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(play, indices)


def tallies(match: Match, jobs: int, until: Hypotheses | None) -> Iterator[Tally]:
    """How it stands after each pair; ends early as soon as a sequential test has decided."""
    tally = Tally()
    with closing(pairs(match, jobs)) as played:
        for pair in played:
            tally = tally.plus(pair)
            yield tally
            if until is not None and until.verdict(tally) is not Verdict.UNDECIDED:
                return
