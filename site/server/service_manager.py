"""Tell systemd that the site answers, is alive, and stops: sd_notify(3) without a library.

Nothing is sent unless systemd has set `NOTIFY_SOCKET` (`Type=notify`).
"""

import asyncio
import logging
import os
import socket
from typing import Final

READY: Final = "READY=1"
ALIVE: Final = "WATCHDOG=1"
STOPPING: Final = "STOPPING=1"
READY_TIMEOUT_S: Final = 10.0  # the site answers without its database, with 503
log = logging.getLogger("quiver.server")


def notify(state: str) -> None:
    """Send a state to the service manager, if there is one; a failure is logged."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):  # of Linux's abstract namespace
        address = f"\0{address[1:]}"
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.setblocking(False)  # systemd that hangs must not hold the event loop
            line.sendto(state.encode(), address)
    except OSError as error:
        log.warning("systemd could not be told %s: %s", state, error, extra={"event": "sd_notify"})


def watchdog_interval_s() -> float | None:
    """Return half of the time within which systemd expects a sign of life, if it expects any."""
    usec, pid = os.environ.get("WATCHDOG_USEC", ""), os.environ.get("WATCHDOG_PID", "")
    is_ours = not pid or pid == str(os.getpid())
    return int(usec) / 2_000_000 if usec.isdigit() and int(usec) and is_ours else None


class Reporter:
    """Reports that the site answers once `is_ready` is set, then that the event loop runs."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    def ensure_started(self, is_ready: asyncio.Event) -> None:
        """Start reporting, once, in the event loop."""
        if self._task is None and os.environ.get("NOTIFY_SOCKET"):
            self._task = asyncio.create_task(self._report(is_ready))

    async def _report(self, is_ready: asyncio.Event) -> None:
        try:
            await asyncio.wait_for(is_ready.wait(), READY_TIMEOUT_S)
        except TimeoutError:
            log.warning("The site answers, but it cannot write to its database yet.")
        notify(READY)
        interval_s = watchdog_interval_s()
        if interval_s is not None:
            self._say_alive(asyncio.get_running_loop(), interval_s)

    def _say_alive(self, loop: asyncio.AbstractEventLoop, interval_s: float) -> None:
        """Report that the event loop runs; a timer, not a task, so that none is left at the end."""
        notify(ALIVE)
        loop.call_later(interval_s, self._say_alive, loop, interval_s)
