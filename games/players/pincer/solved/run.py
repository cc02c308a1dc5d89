"""The run of the solver: layer after layer, kept in files, continued where it was ended."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy

from games.catalogue import PINCER
from games.players.pincer.board import MAX_MOVES
from games.players.pincer.position import Position, position_of
from games.players.pincer.solved.compute import Computation
from games.players.pincer.solved.layers import Shard, layer_shards, part_of
from games.players.pincer.solved.storage import (
    DamagedFile,
    StorageError,
    file_of,
    is_there,
    read,
    write,
)


class Progress(NamedTuple):
    """One computed shard of one layer; pairs are its canonical positions, some of them twice."""

    left: int
    shard: Shard
    seconds: float
    won: int
    safe: int  # won or drawn
    changed: int  # positions with another value than two moves before
    file_bytes: int


class Solver:
    """Computation whose layers are files in a folder."""

    def __init__(self, folder: Path, pieces: int, threads: int = 1) -> None:
        self.folder = folder
        self.pieces = pieces
        self.computation = Computation(pieces, threads)

    def resume(self) -> int:
        """Read the last two complete layers; return the first number of moves left to compute.

        Damaged layers count as missing. Raises StorageError.
        """
        left = self.complete_layers() + 1
        while left > 1:
            try:
                for layer in range(max(1, left - 2), left):
                    self.load(layer)
                return left
            except DamagedFile:
                left -= 1
        return left

    def complete_layers(self) -> int:
        """Return how many layers, from 1 move left, have all their files."""
        left = 0
        while left < MAX_MOVES and self._is_complete(left + 1):
            left += 1
        return left

    def _is_complete(self, left: int) -> bool:
        return all(
            is_there(file_of(self.folder, left, shard), left, shard, self.pieces)
            for shard in layer_shards(left, self.pieces)
        )

    def load(self, left: int) -> None:
        """Read a layer from its files. Raises DamagedFile, StorageError."""
        layer = self.computation.layer(left)
        for shard in layer_shards(left, self.pieces):
            path = file_of(self.folder, left, shard)
            read(path, left, shard, part_of(layer, shard, self.pieces))

    def run(self, first: int, last: int) -> Iterator[Progress]:
        """Compute layers and yield each shard once it is in its file. Raises StorageError."""
        for left in range(first, last + 1):
            for shard in layer_shards(left, self.pieces):
                yield self._compute(left, shard)

    def _compute(self, left: int, shard: Shard) -> Progress:
        start = perf_counter()
        self.computation.compute(shard, left)
        seconds = perf_counter() - start
        words = part_of(self.computation.layer(left), shard, self.pieces)
        path = file_of(self.folder, left, shard)
        if is_there(path, left, shard, self.pieces):
            size = self._check(path, left, shard, words)
        else:
            size = write(path, left, shard, words)
        changed = 0
        if left > 2:
            before = part_of(self.computation.layer(left - 2), shard, self.pieces)
            for words_now, words_then in zip(_blocks(words), _blocks(before), strict=True):
                changed += _ones((words_now ^ words_then)[0::2] | (words_now ^ words_then)[1::2])
        won, safe = (sum(_ones(block[plane::2]) for block in _blocks(words)) for plane in (0, 1))
        return Progress(left, shard, seconds, won, safe, changed, size)

    def _check(self, path: Path, left: int, shard: Shard, words: Any) -> int:
        """Return the size of a file of these words; write it anew if it is damaged."""
        there = numpy.zeros_like(words)
        try:
            read(path, left, shard, there)
        except DamagedFile:
            return write(path, left, shard, words)
        if not numpy.array_equal(there, words):
            raise StorageError(
                f"{path} has other values than those computed now. It was written by another "
                "version of the solver: remove the folder and begin anew."
            )
        return path.stat().st_size


def _blocks(words: Any) -> Iterator[Any]:
    """Yield parts of an array, each with an even number of words."""
    size = 1 << 20
    return (words[at : at + size] for at in range(0, len(words), size))


def _ones(words: Any) -> int:
    return int(numpy.bitwise_count(words).sum())


def start_position() -> Position:
    """Return the start, as seen by the role that begins."""
    return position_of(PINCER.view(PINCER.start(), "white"), "white")
