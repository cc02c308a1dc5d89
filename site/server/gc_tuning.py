"""Tune Python's garbage collector: full collections blocked the event loop for about 100 ms.

Almost all objects are freed by their reference count; only cycles wait for a collection. With
Python's own thresholds one came after every few actions.
"""

import gc

# Allocations minus deallocations before a collection of generation 0, then collections of each
# generation before one of the next.
THRESHOLDS = (5_000, 10, 5)


def settle() -> None:
    """Exempt all present objects from collections, and collect less often.

    Call it once all modules and long-lived objects are loaded.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
