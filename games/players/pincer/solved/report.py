"""The work and the output of the command `solve-pincer`."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any, Final

import numpy

from games.players.pincer.board import MAX_MOVES
from games.players.pincer.solved import few_pieces
from games.players.pincer.solved.above import turn_values
from games.players.pincer.solved.few_pieces import values_of
from games.players.pincer.solved.layers import (
    ALL_PIECES,
    Shard,
    is_reached,
    layer_shards,
    shards,
    words_of,
)
from games.players.pincer.solved.probe import TABLE_PIECES
from games.players.pincer.solved.run import Solver, start_position
from games.players.pincer.solved.storage import StorageError, file_of, read
from games.players.pincer.solved.verify import compare, positions, sample

RESULTS: Final = ("lost", "drawn", "won")
ALL_OF_PIECES: Final = 3  # every position of so few pieces is compared, of more a sample
BY_RULES: Final = 4  # pieces up to which the slow solver compares
BY_RULES_LEFT: Final = 4  # moves left up to which it does


def solve(folder: Path, pieces: int, left: int, threads: int) -> None:
    """Compute and keep all layers up to this number of moves left. Raises StorageError."""
    solver = Solver(folder, pieces, threads)
    first = solver.resume()
    if first > 1:
        print(f"continuing with {first} moves left", flush=True)
    start = start_position()
    last_layer = first - 1
    for step in solver.run(first, left):
        print(
            f"{step.left} moves left, {step.shard}: {step.won} won, {step.safe - step.won} drawn, "
            f"{step.changed} changed, {step.seconds:.1f} s, {step.file_bytes / 1e6:.1f} MB",
            flush=True,
        )
        if step.shard == (4, 4) and step.left != last_layer:
            last_layer = step.left
            value = RESULTS[solver.computation.value(start.own, start.theirs, step.left)]
            print(f"the start with {step.left} moves left is {value}", flush=True)


def print_start(folder: Path, left: int) -> None:
    """Print what each first turn is worth with this number of moves left, even and from 4.

    Where the layers do not reach so far, a search goes down to them. Raises StorageError.
    """
    if left % 2 or left < 4:
        raise StorageError("The start has an even number of moves left, from 4.")
    solver = Solver(folder, ALL_PIECES)
    layer = min(solver.complete_layers() // 2 * 2, left - 2)
    if layer < 2:
        raise StorageError(f"{folder} has no layer of eight pieces yet.")
    solver.load(layer)
    solver.load(layer - 1)
    found = []
    for turn, value in turn_values(solver.computation, layer, start_position(), left):
        found.append(value)
        print(f"{RESULTS[value]}: {', '.join(turn)}", flush=True)
    counts = ", ".join(f"{found.count(v)} {RESULTS[v]}" for v in (2, 1, 0))
    print(
        f"the start with {left} moves left is {RESULTS[max(found)]} (turns: {counts}; searched "
        f"down to {layer} moves left)"
    )


def verify(folder: Path, pieces: int, left: int, how_many: int) -> int:
    """Compare the files with independent searches; return 1 if a value differs, else 0.

    Raises StorageError.
    """
    solver = Solver(folder, pieces)
    complete = solver.complete_layers()
    if not complete:
        raise StorageError(f"{folder} has no complete layer of {pieces} pieces: solve them first.")
    faults = 0
    for layer in range(1, min(left, complete) + 1):
        solver.load(layer)
        for shard in layer_shards(layer, pieces):
            by_rules = sum(shard) <= BY_RULES and layer <= BY_RULES_LEFT
            if not by_rules and layer > search_limit(sum(shard)):
                continue
            found = list(sample(shard, Random(layer), how_many))
            if sum(shard) <= ALL_OF_PIECES and by_rules:
                found = list(positions(shard))
            sentences = list(compare(solver.computation, found, layer, by_rules=by_rules))
            faults += len(sentences)
            how = "the rules" if by_rules else "search"
            print(
                f"{layer} moves left, {shard}: {len(found)} positions compared with {how}, "
                f"{len(sentences)} differ",
                flush=True,
            )
            for sentence in sentences[:10]:
                print(sentence)
    return 1 if faults else 0


def search_limit(pieces: int) -> int:
    """Return the moves left up to which plain alpha-beta takes at most seconds a sample."""
    return 12 - pieces


def write_table(folder: Path, path: Path) -> None:
    """Write the players' table from a complete run. Raises StorageError."""
    found: dict[Shard, list[tuple[int, Any]]] = {}
    for shard in shards(TABLE_PIECES):
        layers = found[shard] = []
        for left in range(1, MAX_MOVES + 1):
            if is_reached(shard, left):
                words = numpy.zeros(words_of(shard, TABLE_PIECES), numpy.uint64)
                read(file_of(folder, left, shard), left, shard, words)
                layers.append((left, values_of(words, shard, TABLE_PIECES)))
    size = few_pieces.write_table(path, found)
    print(f"{path}: {size / 1e6:.2f} MB")
