"""Compute the values of one material from those with fewer moves left, chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import local
from typing import Any

import numpy

from games.players.pincer.arrays import Ints
from games.players.pincer.solved import captures as due
from games.players.pincer.solved import kernels
from games.players.pincer.solved.families import MAPS, PRODUCT, SQUARES, Family
from games.players.pincer.solved.kernels import SAFE, WON, Values
from games.players.pincer.solved.layers import (
    ALL_PIECES,
    Shard,
    chunks,
    empty_middles,
    empty_values,
    family,
    first_places,
    groups,
    middle_family,
    middle_words,
)

LAYERS_HELD = 4  # r - 3 is overwritten by r + 1, so even layers stay apart from odd ones


class Computation:
    """Layers of up to `pieces` pieces, computed in increasing order of moves left."""

    def __init__(self, pieces: int = ALL_PIECES, threads: int = 1) -> None:
        self.pieces = pieces
        self.groups = groups(pieces)
        self._layers = [empty_values(pieces) for _ in range(LAYERS_HELD)]
        self._middles = empty_middles(pieces)
        self._first_of = first_places(self._middles)
        self._captures: dict[tuple[bool, Shard], Any] = {}
        # Places of the values after captures, for a quarter of all boards: 4 bytes each.
        self._places: dict[tuple[str, Shard, int], Any] = {}
        self._pool = ThreadPoolExecutor(threads)
        self._rooms = local()

    def layer(self, left: int) -> Values:
        """Return the values with this many moves left; only the last four are held."""
        return self._layers[left % LAYERS_HELD]

    def compute(self, shard: Shard, left: int) -> None:
        """Compute one shard; those of fewer pieces of this layer must be there, and 2 layers."""
        for is_middle in (False, True):
            self._find_captures(shard, is_middle=is_middle)
        self._each_chunk(shard, lambda chunk: self._compute_chunk(shard, left, chunk))

    def _find_captures(self, shard: Shard, *, is_middle: bool) -> None:
        """Keep for [chunk, code] the word of the boards on which a capture is due."""
        key = is_middle, shard
        own = (middle_family if is_middle else family)(shard.own, self.pieces)
        if key not in self._captures:
            theirs = family(shard.theirs, self.pieces)
            found = numpy.zeros((chunks(theirs), len(own.masks)), numpy.uint64)

            def fill(chunk: int) -> None:
                kernels.find_captures(own.masks, theirs.masks, chunk, theirs.classes, found[chunk])

            self._each_chunk(shard, fill)
            self._captures[key] = found
            if shard.own < 4:  # the same sets
                self._captures[not is_middle, shard] = found

    def _each_chunk(self, shard: Shard, work: Callable[[int], None]) -> None:
        for _ in self._pool.map(work, range(chunks(family(shard.theirs, self.pieces)))):
            pass

    def _compute_chunk(self, shard: Shard, left: int, chunk: int) -> None:
        theirs = family(shard.theirs, self.pieces)
        occupied = numpy.zeros(SQUARES, numpy.uint64)
        kernels.find_occupied(theirs.masks, chunk, theirs.classes, occupied)
        if left >= 2:
            start = self._second_moves(shard, left, chunk, occupied)
        if shard.own == 1 or left == 1:
            below = self._ends(shard, left - 1, chunk, middle_family(shard.own, self.pieces))
            self._first_moves(shard, left, chunk, occupied, below, 0, 1)
        else:
            self._first_moves(shard, left, chunk, occupied, *start, shard.own)

    def _ends(self, shard: Shard, left: int, chunk: int, own: Family) -> Any:
        """Return the values for the role that has ended its turn, at [2 * code + plane]."""
        theirs = family(shard.theirs, self.pieces)
        after = self._room("after", 2 * len(own.masks))
        source = self.layer(left)
        if left:
            room = self._room("block", 64), after
            inverse = self.groups.inverse
            kernels.read_reversed(source, *shard, chunk, own.classes, inverse, *room)
        else:
            after[WON::2] = kernels.ALL if shard.own > shard.theirs else 0
            after[SAFE::2] = kernels.ALL if shard.own >= shard.theirs else 0
        is_middle = own is not family(shard.own, self.pieces)
        captures = self._captures[is_middle, shard][chunk]
        if not left:
            due.settle_last(own.masks, theirs.masks, chunk, captures, after)
            return after
        key = "ends", shard, chunk
        if key not in self._places:
            places = self._places[key] = _room_for_places(captures)
            board = own.masks, theirs.masks, chunk, captures, places
            due.list_ends(self.groups, source, *board)
        due.settle_ends(source.words, captures, self._places[key], after)
        return after

    def _second_moves(self, shard: Shard, left: int, chunk: int, occupied: Ints) -> tuple[Any, int]:
        """Compute the values between two moves; return their array and this chunk's place."""
        own, between = family(shard.own, self.pieces), middle_family(shard.own, self.pieces)
        after = self._ends(shard, left - 2, chunk, own)
        words = middle_words(shard, self.pieces)
        if sum(shard) == ALL_PIECES:
            into, start = self._room("middles", words), 0
        else:
            into, start = self._middles.words, int(self._middles.at[shard]) + chunk * words
        moves = between.targets, between.after, shard.own, MAPS, PRODUCT
        best = self._room("best", 2 * shard.own)
        kernels.second_moves(*moves, occupied, after, best, into, start)
        if shard.own > 1:
            self._settle_middles(shard, chunk, into, start)
        return into, start

    def _settle_middles(self, shard: Shard, chunk: int, into: Any, start: int) -> None:
        own, theirs = middle_family(shard.own, self.pieces), family(shard.theirs, self.pieces)
        captures, key = self._captures[True, shard][chunk], ("middles", shard, chunk)
        if key not in self._places:
            places = self._places[key] = _room_for_places(captures)
            board = own.masks, shard.own, theirs.masks, chunk, captures, places
            due.list_middles(self.groups, self._middles, *board)
        due.settle_middles(
            self._middles.words,
            self._first_of,
            shard.own,
            captures,
            self._places[key],
            into,
            start,
        )

    def _first_moves(
        self,
        shard: Shard,
        left: int,
        chunk: int,
        occupied: Ints,
        below: Any,
        below_at: int,
        fields: int,
    ) -> None:
        own, theirs = family(shard.own, self.pieces), family(shard.theirs, self.pieces)
        layer = self.layer(left)
        moves = own.targets, own.after, own.slots, shard.own, fields, own.squares, MAPS, PRODUCT
        captures = self._captures[False, shard][chunk]
        lanes = min(64, theirs.classes - 64 * chunk)
        start = int(layer.at[shard]) + 2 * chunk * 8 * own.classes
        kernels.first_moves(*moves, occupied, captures, lanes, below, below_at, layer.words, start)

    def _room(self, name: str, words: int) -> Any:
        """Return an array of this thread, kept from chunk to chunk."""
        rooms: dict[Any, Any] = vars(self._rooms)
        if (name, words) not in rooms:
            rooms[name, words] = numpy.zeros(words, numpy.uint64)
        return rooms[name, words]

    def value(self, own: int, theirs: int, left: int) -> int:
        """Return 0, 1 or 2 for the role to move: loss, draw, win; see `is_known`."""
        layer = self.layer(left)
        place = kernels.place_of(self.groups, layer, own, theirs)
        return int(kernels.read_place(layer.words, place))


def _room_for_places(captures: Any) -> Any:
    """Return room for one place for each board on which a capture is due."""
    return numpy.zeros(int(numpy.bitwise_count(captures).sum()), numpy.uint32)
