"""Start the processes beside the server, and restart those that die.

Each child reads from a pipe of this process. When the pipe is closed, because this process ends or
is killed, the child ends as well.
"""

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

MANAGE = str(Path(__file__).parents[3] / "manage.py")
BOTS = "runbots"  # the computer players
NOTICES = "runnotices"  # push and mail
POLL_INTERVAL_S = 0.1
STEADY_S = 10.0  # a child that dies after so long is started again at once
MAX_RESTART_DELAY_S = 30.0  # the delay is doubled each time that a child dies sooner
STOP_TIMEOUT_S = 5.0  # for children to end by themselves
log = logging.getLogger("quiver.server")


class Child:
    """A process of a command of `manage.py`, started again under the same name when it dies.

    `command` is the command's name and its arguments.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._name = f"serve-{os.urandom(8).hex()}"
        self._process: subprocess.Popen[bytes] | None = None
        self._started = self._next = 0.0
        self._wait = 0.0

    def keep_alive(self, at: float) -> None:
        """Start the process if it does not run and its delay is over; `at` is monotonic, in s."""
        if self._process is not None:
            if self._process.poll() is None:
                return
            status = self._process.returncode
            self._close()
            self._process = None
            self._schedule_start(
                at, f"ended ({f'signal {-status}' if status < 0 else f'exit status {status}'})"
            )
        if at >= self._next:
            self._start(at)

    def _start(self, at: float) -> None:
        self._started = at
        try:
            # A session of its own: Ctrl-C goes to the server only, which then stops its children.
            self._process = subprocess.Popen(
                [sys.executable, MANAGE, *self._command, "--tied", "--name", self._name],
                stdin=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:  # no memory, no process number, no program during an upgrade
            self._schedule_start(at, f"cannot be started ({error})")

    def _schedule_start(self, at: float, reason: str) -> None:
        is_steady = at - self._started >= STEADY_S
        self._wait = 0.0 if is_steady else min(MAX_RESTART_DELAY_S, max(1.0, 2 * self._wait))
        self._next = at + self._wait
        log.warning(
            "The worker %s %s; next start in %d s.",
            self._command[0],
            reason,
            self._wait,
            extra={"event": "worker_ended"},
        )

    def _close(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()

    def ask_to_end(self) -> None:
        """Close the pipe, which tells the process to end."""
        self._close()

    def end(self, by: float) -> None:
        """Wait until the process has ended; kill it at `by` (monotonic, in s)."""
        if self._process is None:
            return
        try:
            self._process.wait(max(0.0, by - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Children:
    """All processes beside the server, and the thread that restarts them."""

    def __init__(self, commands: Sequence[Sequence[str]]) -> None:
        self._children = [Child(command) for command in commands]
        self._is_ending = threading.Event()
        self._thread = threading.Thread(target=self._keep_all_alive, daemon=True)

    def start(self) -> None:
        """Start them, and return at once."""
        if self._children:
            self._thread.start()

    def stop(self) -> None:
        """End them; kill those that take longer than `STOP_TIMEOUT_S`."""
        self._is_ending.set()
        if self._thread.ident is None:
            return
        self._thread.join()
        for child in self._children:
            child.ask_to_end()
        by = time.monotonic() + STOP_TIMEOUT_S
        for child in self._children:
            child.end(by)

    def _keep_all_alive(self) -> None:
        while not self._is_ending.wait(POLL_INTERVAL_S):
            for child in self._children:
                child.keep_alive(time.monotonic())
