"""Computer player of Pincer."""

from __future__ import annotations

from math import exp, tanh
from random import Random
from typing import Final

from games.catalogue import PINCER
from games.choices import Choices
from games.core import Action, Role, View
from games.moves import Move
from games.players.core import Allowance, Player, Thought
from games.players.pincer.deepening import Finding, Option, deepen, weigh
from games.players.pincer.evaluation import FULL, MATERIAL, weights
from games.players.pincer.position import move_of, position_of, step_of
from games.players.pincer.settings import HANDICAPS, Handicap
from games.players.pincer.tree import NO_STEP, NODES, PROVEN_VALUE, new_tree

TABLE_ENTRIES: Final = 1 << 19
MAX_LOSS_UNITS: Final = 80  # below the best step; less than a piece
FORCED_DEPTH_STEPS: Final = 6  # single steps, if there is no choice
VALUE_SCALE: Final = 250  # evaluation at which the expected result is about 0.76


class Searcher:
    """Player by search; low levels take a good step that is not always the best."""

    def __init__(self, handicap: Handicap) -> None:
        self.handicap = handicap
        self.tree = new_tree(2 if handicap.spread else TABLE_ENTRIES, weights({}))

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """Search for the best step within the level's depth."""
        handicap = self.handicap
        terms = MATERIAL if handicap.is_material else FULL
        tree = self.tree._replace(weights=weights(terms, handicap.noise, seed))
        tree.counters[NODES] = 0
        at = position_of(view, role)
        steps = [step_of(move) for move in choices if isinstance(move, Move)]
        if handicap.spread:
            Random(seed).shuffle(steps)
            options = weigh(tree, at, steps, handicap.depth, clock)
            finding, why = _pick_tempting(options, handicap, seed)
        else:
            deepest = handicap.depth if len(steps) > 1 else min(handicap.depth, FORCED_DEPTH_STEPS)
            finding, why = deepen(tree, at, deepest, clock), ""
            if finding.step == NO_STEP:
                finding = Finding(steps[0], 0, 0, (steps[0],))
        line = tuple(str(move_of(step)) for step in finding.line)
        if abs(finding.value) > PROVEN_VALUE:
            why = why or "solved"
        nodes = int(tree.counters[NODES])
        action, value = move_of(finding.step), _expected_result(finding.value)
        return Thought(action, value, line, nodes, finding.depth, seed, why)


def _expected_result(value: int) -> float:
    """Return the expected result of a value, -1 to 1."""
    return (
        float((value > 0) - (value < 0)) if abs(value) > PROVEN_VALUE else tanh(value / VALUE_SCALE)
    )


def _pick_tempting(options: list[Option], handicap: Handicap, seed: int) -> tuple[Finding, str]:
    """Return one of the options not far below the best, better ones more often."""
    top = max(option.value for option in options)
    decent = [option for option in options if option.value >= top - MAX_LOSS_UNITS]
    odds = [exp((option.value - top) / handicap.spread) for option in decent]
    option = Random(seed).choices(decent, odds)[0]
    why = "mistake" if option.value < top else ""
    return Finding(option.step, option.value, handicap.depth, option.line), why


def player_of(key: str, number: int) -> Player:
    """Return a new player of a level; `key` is "pincer"."""
    return Searcher(HANDICAPS[number])


def warm() -> None:
    """Make a small choice, so that everything is compiled or loaded from disk."""
    start = PINCER.start()
    view, choices = PINCER.view(start, "white"), PINCER.choices(start, "white")
    for handicap in (HANDICAPS[1], HANDICAPS[8]):
        Searcher(handicap).choose(view, "white", choices, Allowance(2_000), 1)
