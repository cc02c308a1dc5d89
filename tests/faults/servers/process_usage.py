"""Resource use of a process, as Linux reports it."""

import os
from contextlib import suppress
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE") / 2**20  # MiB


def memory(pid: int) -> float:
    """Resident memory in MiB; 0 of a process that is not there."""
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1]) * PAGE
    return 0.0


def descriptors(pid: int) -> int:
    """Open files and sockets."""
    with suppress(OSError):
        return len(os.listdir(f"/proc/{pid}/fd"))
    return 0


def threads(pid: int) -> int:
    """Threads."""
    with suppress(OSError):
        return len(os.listdir(f"/proc/{pid}/task"))
    return 0
