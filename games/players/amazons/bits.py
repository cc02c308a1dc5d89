"""Counting the bits of a word and finding its lowest: one machine instruction each.

Words are ints from 0 to 2 ** 55 - 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from games.players.compiled import IS_COMPILED, compiled

# Compiled code knows ints of many widths, and a 0 written out as one of their own: a function is
# compiled once more for each that it is called with. This makes them all one. Where nothing is
# compiled, numpy's ints must stay out of the arithmetic: they overflow where Python's do not.
wide: Any = np.int64 if IS_COMPILED else int

if IS_COMPILED:
    from numba import extending, types

    def _type_ones(typing: Any, word: Any) -> Any:
        def make(context: Any, builder: Any, signature: Any, words: Any) -> Any:
            return builder.ctpop(words[0])

        return types.int64(types.int64), make

    def _type_zeros(typing: Any, word: Any) -> Any:
        def make(context: Any, builder: Any, signature: Any, words: Any) -> Any:
            return builder.cttz(words[0], context.get_constant(types.boolean, 0))

        return types.int64(types.int64), make

    _ones: Any = extending.intrinsic(_type_ones)
    _zeros: Any = extending.intrinsic(_type_zeros)

    @compiled
    def ones(word: int) -> int:
        """How many bits are set."""
        return int(_ones(word))

    @compiled
    def lowest(word: int) -> int:
        """The index of the lowest bit that is set; `word` must not be 0."""
        return int(_zeros(word))

else:

    def ones(word: int) -> int:
        """How many bits are set."""
        return int(word).bit_count()

    def lowest(word: int) -> int:
        """The index of the lowest bit that is set; `word` must not be 0."""
        return (int(word) & -int(word)).bit_length() - 1
