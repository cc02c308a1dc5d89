"""Run the games of a match in one or several processes, timed."""

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
from games.lab.entrants import Entrant, entrant, warm
from games.lab.game import Budget, Played, Side, play_game, seed_of
from games.lab.openings import Opening, openings
from games.lab.tally import Hypotheses, Pair, Tally, Verdict

UNLIMITED_NODES: Final = 1_000_000_000  # where time is the budget


@dataclass(frozen=True, slots=True)
class Match:
    """Players, number of games and budgets of a match."""

    a: str
    b: str
    key: str
    games: int  # even: each opening is played with both sides
    seed: int = 1
    nodes: int | None = None  # for one action of either side; None: each side's own budget
    seconds: float | None = None  # of processor time for one turn of either side, nodes unlimited
    trusts: bool = False  # a level's proved win ends the game
    from_start: bool = False  # no random openings: levels may open with their book


@cache
def _load_sides(match: Match) -> tuple[Entrant, Entrant]:
    """Return both sides, compiled and loaded."""
    a, b = entrant(match.a, match.key), entrant(match.b, match.key)
    for who in {match.a: a, match.b: b}.values():
        warm(match.key, who)
    return a, b


def play_pair(match: Match, index: int) -> Pair:
    """Play both games from one opening; reproducible by index unless time is the budget."""
    a, b = _load_sides(match)
    opening = openings_of(match)[index]
    seed = seed_of(match.seed, index)
    return Pair((_play(match, opening, a, b, seed), _play(match, opening, b, a, seed + 1)))


def openings_of(match: Match) -> tuple[Opening, ...]:
    """Return the opening of each pair. Raises TooFew, games.catalogue.UnknownRules."""
    count = match.games // 2
    return ((),) * count if match.from_start else openings(match.key, count, match.seed)


def _play(match: Match, opening: Opening, white: Entrant, black: Entrant, seed: int) -> Played:
    sides: dict[Role, Side] = {"white": _side(match, white), "black": _side(match, black)}
    return play_game(rules_of(match.key), opening, sides, seed, process_time)


def _side(match: Match, who: Entrant) -> Side:
    """Return a new player with its budget."""
    budget = Budget(match.nodes or who.nodes)
    if match.seconds is not None:
        budget = Budget(UNLIMITED_NODES, match.seconds)
    return Side(who.make(), budget, who.manners, match.trusts and who.is_level)


def pairs(match: Match, jobs: int) -> Generator[Pair, None, None]:
    """Yield all pairs in order, for any number of processes."""
    play = partial(play_pair, match)
    indices = range(match.games // 2)
    if jobs == 1:
        yield from map(play, indices)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(play, indices)


def tallies(match: Match, jobs: int, until: Hypotheses | None) -> Iterator[Tally]:
    """Yield the tally after each pair; stop as soon as a sequential test has decided."""
    tally = Tally()
    with closing(pairs(match, jobs)) as played:
        for pair in played:
            tally = tally.plus(pair)
            yield tally
            if until is not None and until.verdict(tally) is not Verdict.UNDECIDED:
                return
