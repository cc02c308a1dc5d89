"""The processes that `serve` starts and keeps alive: they think for the computer players.

Each holds the other end of a pipe: when that is closed, because this process ends or is killed, the
child ends as well.
"""

import secrets
import subprocess
import sys
import threading
import time
from pathlib import Path

from django.conf import settings

COMMAND = [str(Path(settings.BASE_DIR) / "manage.py"), "runbots", "--tied"]
EVERY = 0.1  # seconds between two looks at them
STEADY = 10.0  # seconds after which a child that dies is started again at once
LONGEST_WAIT = 30.0  # seconds; it is doubled each time that a child dies sooner
PATIENCE = 5.0  # seconds in which they have to end by themselves


class Child:
    """One of them, started again under the same name when it dies."""

    def __init__(self) -> None:
        self._name = f"serve-{secrets.token_hex(8)}"
        self._process: subprocess.Popen[bytes] | None = None
        self._started = self._next = 0.0
        self._wait = 0.0

    def keep_alive(self, at: float) -> None:
        """Starts it if it does not run and its time has come (seconds, monotonic)."""
        if self._process is not None:
            if self._process.poll() is None:
                return
            self._bury(at)
        if at >= self._next:
            # A session of its own: Ctrl-C is for the server, which then ends its children in order.
            self._process = subprocess.Popen(
                [sys.executable, *COMMAND, "--name", self._name],
                stdin=subprocess.PIPE,
                start_new_session=True,
            )
            self._started = at

    def _bury(self, at: float) -> None:
        self._close()
        self._process = None
        is_steady = at - self._started >= STEADY
        self._wait = 0.0 if is_steady else min(LONGEST_WAIT, max(1.0, 2 * self._wait))
        self._next = at + self._wait

    def _close(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()

    def ask_to_end(self) -> None:
        """Closes the pipe."""
        self._close()

    def end(self, by: float) -> None:
        """Waits until it has ended, until `by` (seconds, monotonic), then kills it."""
        if self._process is None:
            return
        try:
            self._process.wait(max(0.0, by - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Children:
    """All of them, and the thread that looks after them."""

    def __init__(self, count: int) -> None:
        self._children = [Child() for _ in range(count)]
        self._is_ending = threading.Event()
        self._thread = threading.Thread(target=self._look_after, daemon=True)

    def start(self) -> None:
        """Starts them, and returns at once."""
        if self._children:
            self._thread.start()

    def stop(self) -> None:
        """Ends them."""
        self._is_ending.set()
        if self._thread.ident is None:
            return
        self._thread.join()
        for child in self._children:
            child.ask_to_end()
        by = time.monotonic() + PATIENCE
        for child in self._children:
            child.end(by)

    def _look_after(self) -> None:
        while not self._is_ending.wait(EVERY):
            for child in self._children:
                child.keep_alive(time.monotonic())
