"""The computer player of Pincer."""

from __future__ import annotations

from math import exp, tanh
from random import Random
from typing import Final

from games.catalogue import PINCER
from games.choices import Choices
from games.core import Action, Role, View
from games.moves import Move
from games.players.core import Allowance, Player, Thought
from games.players.pincer.evaluation import FULL, MATERIAL, weights
from games.players.pincer.position import move_of, position_of, step_of
from games.players.pincer.settings import HANDICAPS, Handicap
from games.players.pincer.thinking import Finding, Option, deepen, weigh
from games.players.pincer.tree import NO_STEP, NODES, PROVEN, planted

ENTRIES: Final = 1 << 19  # of the table
DECENT: Final = 80  # less than a piece: so far below the best may a step be that is still played
FORCED: Final = 6  # steps ahead are enough where there is no choice
CERTAIN: Final = 250  # units of evaluation at which a game is three quarters won


class Searcher:
    """Searches; the low levels take a step that is good, and not always the best."""

    def __init__(self, handicap: Handicap) -> None:
        self.handicap = handicap
        self.tree = planted(2 if handicap.spread else ENTRIES, weights({}))

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """Looks for the best step, as far as the level sees."""
        handicap = self.handicap
        terms = MATERIAL if handicap.is_material else FULL
        tree = self.tree._replace(weights=weights(terms, handicap.noise, seed))
        tree.counters[NODES] = 0
        at = position_of(view, role)
        steps = [step_of(move) for move in choices if isinstance(move, Move)]
        if handicap.spread:
            Random(seed).shuffle(steps)
            options = weigh(tree, at, steps, handicap.depth, clock)
            finding, why = _tempted(options, handicap, seed)
        else:
            deepest = handicap.depth if len(steps) > 1 else min(handicap.depth, FORCED)
            finding, why = deepen(tree, at, deepest, clock), ""
            if finding.step == NO_STEP:
                finding = Finding(steps[0], 0, 0, (steps[0],))
        line = tuple(str(move_of(step)) for step in finding.line)
        if abs(finding.value) > PROVEN:
            why = why or "solved"
        nodes = int(tree.counters[NODES])
        action, value = move_of(finding.step), _expected(finding.value)
        return Thought(action, value, line, nodes, finding.depth, seed, why)


def _expected(value: int) -> float:
    """The result that a value promises, -1 to 1."""
    return float((value > 0) - (value < 0)) if abs(value) > PROVEN else tanh(value / CERTAIN)


def _tempted(options: list[Option], handicap: Handicap, seed: int) -> tuple[Finding, str]:
    """One of the options that aren't far below the best, the better ones more often."""
    top = max(option.value for option in options)
    decent = [option for option in options if option.value >= top - DECENT]
    odds = [exp((option.value - top) / handicap.spread) for option in decent]
    option = Random(seed).choices(decent, odds)[0]
    why = "mistake" if option.value < top else ""
    return Finding(option.step, option.value, handicap.depth, option.line), why


def player_of(key: str, number: int) -> Player:
    """A new player of a level; `key` is "pincer"."""
    return Searcher(HANDICAPS[number])


def warm() -> None:
    """Makes a small choice, so that everything is compiled or read from the disk."""
    start = PINCER.start()
    view, choices = PINCER.view(start, "white"), PINCER.choices(start, "white")
    for handicap in (HANDICAPS[1], HANDICAPS[8]):
        Searcher(handicap).choose(view, "white", choices, Allowance(2_000), 1)
