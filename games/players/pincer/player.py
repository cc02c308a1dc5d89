"""Computer player of Pincer."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from games.catalogue import PINCER
from games.choices import Choices
from games.core import Action, Role, View
from games.moves import Move
from games.players.core import Allowance, Player, Thought
from games.players.lapses import has_lapse
from games.players.pincer.board import MAX_MOVES
from games.players.pincer.deepening import Finding, after, deepen, exact_values, glance, weigh
from games.players.pincer.evaluation import FULL, beginner, weights
from games.players.pincer.expected_result import expected_result
from games.players.pincer.position import Position, move_of, position_of, step_of
from games.players.pincer.settings import HANDICAPS, Handicap
from games.players.pincer.solved.few_pieces import load
from games.players.pincer.solved.probe import nothing_known
from games.players.pincer.tree import (
    NO_STEP,
    NODES,
    PROVEN_VALUE,
    TABLE_ENTRIES,
    TABLE_WON_VALUE,
    Tree,
    new_tree,
)

ITEM_BYTES: Final = 8  # of an array or a list
WARM_ENTRIES: Final = 1 << 10  # of a player that only has code compiled or loaded
EXACT_DEPTH_STEPS: Final = 8  # single steps, to choose among steps of one exact value
FORCED_DEPTH_STEPS: Final = 6  # single steps, if there is no choice
MISTAKE_LOSS_UNITS: Final = 50  # hundredths of a piece, from which a lapse is called a mistake


class Searcher(Player):
    """Player by search; low levels take a good step that is not always the best."""

    def __init__(self, handicap: Handicap, entries: int = TABLE_ENTRIES) -> None:
        self.handicap = handicap
        few_pieces = load()[0] if handicap.is_exact else nothing_known()
        self.tree = new_tree(entries if handicap.depth > 2 else 2, weights({}), few_pieces)
        # The position after the last own step, if another follows; whether that step was a lapse.
        self.stepped: tuple[Position | None, bool] = (None, False)

    def choose(
        self, view: View, role: Role, choices: Choices[Action], clock: Allowance, seed: int
    ) -> Thought:
        """Search for the best step within the level's depth."""
        handicap = self.handicap
        terms, rng = beginner(handicap.wall) if handicap.wall else FULL, Random(seed)
        tree = self.tree._replace(weights=weights(terms, handicap.noise, seed))
        tree.counters[NODES] = 0
        at = position_of(view, role)
        steps = [step_of(move) for move in choices if isinstance(move, Move)]
        is_lapse = False
        known = exact_values(tree, at, steps) if tree.few_pieces.pieces else None
        if known is not None:
            finding, why = _pick_exact(tree, at, steps, known, clock), "solved"
        elif is_lapse := self._has_lapse(at, len(steps), rng):
            rng.shuffle(steps)
            finding, why = _glance(tree, at, steps, clock)
        else:
            is_forced = len(steps) == 1
            deepest = min(handicap.depth, FORCED_DEPTH_STEPS) if is_forced else handicap.depth
            finding, why = deepen(tree, at, deepest, clock), ""
            if finding.step == NO_STEP:
                finding = Finding(steps[0], 0, 0, (steps[0],))
        below, is_same = after(at, finding.step)
        self.stepped = below if is_same else None, is_lapse
        line = tuple(str(move_of(step)) for step in finding.line)
        if abs(finding.value) > PROVEN_VALUE:
            why = why or "solved"
        nodes = int(tree.counters[NODES])
        action, value = move_of(finding.step), expected_result(finding.value)
        return Thought(action, value, line, nodes, finding.depth, seed, why)

    @property
    def nbytes(self) -> int:
        """The bytes of its table and its frames, without the table of few pieces."""
        *own, _ = self.tree  # the last one is `few_pieces`
        return ITEM_BYTES * sum(map(len, own))

    def _has_lapse(self, at: Position, steps: int, rng: Random) -> bool:
        """Return whether this is a lapse; a second step is one if the first was."""
        stepped, was_lapse = self.stepped
        if stepped == at:
            return was_lapse
        return has_lapse(self.handicap.lapses, steps, rng)


def _pick_exact(
    tree: Tree, at: Position, steps: list[int], known: list[int], clock: Allowance
) -> Finding:
    """Return the step of the highest exact value that looks best to a short search."""
    top = max(known)
    best = [step for step, value in zip(steps, known, strict=True) if value == top]
    # Without the table, so that the search tells draws that are hard to hold from others.
    blind = tree._replace(few_pieces=nothing_known())
    options = weigh(blind, at, best, EXACT_DEPTH_STEPS, replace(clock, time=None))
    option = max(options, key=lambda option: option.value)
    value = (top - 1) * (TABLE_WON_VALUE - at.moves)
    depth = min(EXACT_DEPTH_STEPS, MAX_MOVES - at.moves)
    return Finding(option.step, value, depth, option.line)


def _glance(tree: Tree, at: Position, steps: list[int], clock: Allowance) -> tuple[Finding, str]:
    """Return the step that looks best without a reply, and "mistake" if a capture refutes it."""
    option = max(glance(tree, at, steps), key=lambda option: option.value)
    careful = {each.step: each.value for each in weigh(tree, at, steps, 1, clock)}
    top = max(careful.values())
    is_mistake = careful.get(option.step, top) < top - MISTAKE_LOSS_UNITS
    return Finding(option.step, option.value, 1, option.line), "mistake" if is_mistake else ""


def player_of(key: str, number: int) -> Player:
    """Return a new player of a level; `key` is "pincer"."""
    return Searcher(HANDICAPS[number])


def warm() -> None:
    """Make a small choice, so that everything is compiled or loaded from disk."""
    start = PINCER.start()
    view, choices = PINCER.view(start, "white"), PINCER.choices(start, "white")
    for handicap in (HANDICAPS[1], HANDICAPS[8]):
        player = Searcher(handicap, WARM_ENTRIES)
        player.choose(view, "white", choices, Allowance(2_000), 1)
