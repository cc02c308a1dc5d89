"""Play Amazons against itself with the tree search and its weights, for fitting the evaluation.

A game is stored as its actions to keep files of many games small; `replay` gives the positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from games.catalogue import rules_of
from games.players.amazons.position import Position, read
from games.players.amazons.search import Search
from games.players.amazons.tree import verdict
from games.players.amazons.weights import fitted_weights
from games.players.core import Allowance

RANDOM_TURNS: Final = 2  # at the start, one or two of them; an odd number lets Black begin
SAMPLED_TURNS: Final = 12  # after them, in which actions are drawn by their visits
STRAY_SHARE: Final = 0.04  # of later turns, in which one of the best actions is drawn alike
STRAY_CHOICES: Final = 6
VALUE_SCALE: Final = 100  # of a stored value


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """Rule set, effort and seed of a series."""

    key: str  # where every turn burns a cell
    nodes: int  # for one action
    seed: int


@dataclass(frozen=True, slots=True)
class Record:
    """A finished game: its actions, the values of the search, and who won."""

    acts: list[int]  # moves (128 * origin + target) and shots in turn
    values: list[int]  # of the search before each action, for the side that acts, × VALUE_SCALE
    result: int  # 1: the side that began has won, -1: it has lost


def start_of(key: str) -> Position:
    """Return the start position of a rule set."""
    rules = rules_of(key)
    return read(rules.view(rules.start(), None))


def play(series: SelfPlay, index: int) -> Record:
    """Play a game to its end or to the first proved result; reproducible by index."""
    rng = Random(f"self-play {series.key} {series.nodes} {series.seed} {index}")
    position = start_of(series.key)
    search = Search(series.nodes, is_optional=False, weights=fitted_weights(series.key))
    random_turns = rng.randint(1, RANDOM_TURNS)
    acts: list[int] = []
    values: list[int] = []
    mover = 1  # 1: the side that began
    while True:
        turn = len(acts) // 2
        search.look_at(position, rng)
        tree = search.tree
        assert tree is not None
        if tree.edge_count[0] == 0:
            search.forget()
            return Record(acts, values, -mover)
        if turn < random_turns:
            edge = rng.randrange(int(tree.edge_count[0]))
            values.append(0)
        else:
            search.grow(series.nodes, Allowance(series.nodes))
            proof = int(verdict(tree, 0))
            if proof != 0:
                search.forget()
                return Record(acts, values, proof * mover)
            edge = search.best()
            values.append(round(VALUE_SCALE * search.value(edge)))
            edge = _stray(tree, edge, turn - random_turns, rng)
        act = int(tree.action[edge])
        acts.append(act)
        search.played.append(act)
        if position.move >= 0:
            mover = -mover
        position = position.after(act, is_optional=False)


def _stray(tree: Any, edge: int, turn: int, rng: Random) -> int:
    """Return the best edge, or now and then another one, so that games differ."""
    many = int(tree.edge_count[0])
    if turn < SAMPLED_TURNS:
        visits = [int(count) for count in tree.visits[:many]]
        return rng.choices(range(many), visits)[0] if any(visits) else edge
    if rng.random() < STRAY_SHARE:
        open_edges = [each for each in range(many) if tree.proof[each] == 0][:STRAY_CHOICES]
        return rng.choice(open_edges or [edge])
    return edge


def play_many(series: SelfPlay, games: int, jobs: int) -> Iterator[Record]:
    """Yield games in order, for any number of processes."""
    one = partial(play, series)
    if jobs == 1:
        yield from map(one, range(games))
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(one, range(games), chunksize=8)


def write(path: Path, records: list[Record]) -> None:
    """Write games as compressed arrays of numpy."""
    np.savez_compressed(
        path,
        lengths=np.array([len(each.acts) for each in records], np.int16),
        results=np.array([each.result for each in records], np.int8),
        acts=np.array([act for each in records for act in each.acts], np.int16),
        values=np.array([value for each in records for value in each.values], np.int8),
    )


def read_games(path: Path) -> list[Record]:
    """Return the games of a file that `write` wrote."""
    with np.load(path) as file:
        ends = np.cumsum(file["lengths"], dtype=np.int64)
        acts, values = file["acts"].tolist(), file["values"].tolist()
        return [
            Record(acts[end - length : end], values[end - length : end], result)
            for end, length, result in zip(
                ends.tolist(), file["lengths"].tolist(), file["results"].tolist(), strict=True
            )
        ]


def replay(key: str, record: Record) -> Iterator[tuple[Position, int, int]]:
    """Yield each position before an action, the value there and the result for the side to act."""
    position, mover = start_of(key), 1
    for act, value in zip(record.acts, record.values, strict=True):
        yield position, value, mover * record.result
        if position.move >= 0:
            mover = -mover
        position = position.after(act, is_optional=False)
