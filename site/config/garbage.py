"""Fewer searches for garbage: each looks at every object, and nothing is answered meanwhile.

Almost all that is dropped here goes at once, by its count of references; only cycles wait for a
search. With Python's own thresholds a search came after every few actions, and one through
everything that the server has loaded took a tenth of a second.
"""

import gc

YOUNG, MIDDLE, OLD = 5_000, 10, 5  # more new objects than dropped ones; searches of those before


def settle() -> None:
    """Leaves out of every search what is there now: call it when all is loaded that a server
    keeps to its end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
