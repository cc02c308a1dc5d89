"""Arrays at addresses in the memory that a page hands to the engine. Needs numba."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import extending, types


def _type_pointer_to(typing: Any, address: Any) -> Any:
    def make(context: Any, builder: Any, signature: Any, words: Any) -> Any:
        return builder.inttoptr(words[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.int64), make


# The pointer to an address: `carray(pointer_to(address), shape, dtype)` is an array there.
pointer_to: Any = extending.intrinsic(_type_pointer_to)

_numba: Any = numba
carray: Any = _numba.carray  # an array at a pointer
# Numbers that cross to scripts are 32 bits wide: 64 would be bigints there.
narrow: Any = np.int32
wide: Any = np.int64
