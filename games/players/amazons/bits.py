"""Population count and lowest bit of a word, as one machine instruction each.

Words are ints from 0 to 2 ** 55 - 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from games.players.compiled import IS_COMPILED, jit

# numba has ints of many widths, and a type for literals: a function is compiled again for each type
# that it is called with. `wide` converts them all to int64. Without numba, numpy's ints must stay
# out of the arithmetic: they overflow where Python's do not.
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

    @jit
    def ones(word: int) -> int:
        """Return the number of set bits."""
        return int(_ones(word))

    @jit
    def lowest(word: int) -> int:
        """Return the index of the lowest set bit; `word` must not be 0."""
        return int(_zeros(word))

else:

    def ones(word: int) -> int:
        """Return the number of set bits."""
        return int(word).bit_count()

    def lowest(word: int) -> int:
        """Return the index of the lowest set bit; `word` must not be 0."""
        return (int(word) & -int(word)).bit_length() - 1
