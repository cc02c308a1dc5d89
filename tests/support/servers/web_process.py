"""The processes of a `manage.py serve`: the supervisor, the web process, and the workers."""

import os
import signal
from contextlib import suppress
from pathlib import Path

from tests.support.waiting import wait_until_sync

COMMAND = b"runweb"
END_TIMEOUT_S = 20.0


def children_of(pid: int) -> list[int]:
    """Returns the pids of the direct children of a process; none if it has ended."""
    found: list[int] = []
    with suppress(FileNotFoundError, ProcessLookupError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


def web_pid(pid: int) -> int | None:
    """Returns the pid of the web process of a `serve`, given the parent's; None if none runs."""
    return next((child for child in children_of(pid) if _is_web(child)), None)


def workers_of(pid: int) -> list[int]:
    """Returns the pids of the workers beside the web process of a `serve`."""
    return [child for child in children_of(pid) if not _is_web(child)]


def wait_for_web_pid(pid: int, other_than: int | None = None, timeout_s: float = 30.0) -> int:
    """Returns the pid of the web process once it runs and is another than the one named."""

    def other_pid() -> int | None:
        found = web_pid(pid)
        return None if found == other_than else found

    found: int = wait_until_sync(other_pid, f"{pid} starts a web process", timeout_s)
    return found


def kill_web(pid: int) -> int:
    """Ends the web process of a `serve` at once, not its parent; returns the pid that it had."""
    web = wait_for_web_pid(pid)
    os.kill(web, signal.SIGKILL)
    return web


def kill_all(pid: int) -> None:
    """Ends the parent and the web process at once, as a failing machine does.

    The workers end by themselves: the parent's pipe closes.
    """
    web = web_pid(pid)
    for each in (pid, web):
        if each is not None:
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
    wait_until_sync(lambda: web is None or not is_alive(web), f"{web} ends", END_TIMEOUT_S)


def is_alive(pid: int) -> bool:
    """Whether there is a process with this pid that has not ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def _is_web(pid: int) -> bool:
    try:
        return COMMAND in Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return False
