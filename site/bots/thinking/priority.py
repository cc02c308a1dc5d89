"""Lower the priority of threads that work in the background."""

import os
import sys


def lower_priority(nice: int) -> None:
    """Lower the priority of the calling thread; only Linux has priorities of single threads."""
    if nice and sys.platform == "linux":
        os.nice(nice)
