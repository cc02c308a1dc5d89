"""The parent of `manage.py serve`: holds the listening socket and restarts the web process.

Connections wait in the socket's backlog while the web process, its child, is dead, instead of being
refused; after `UP_TIMEOUT_S` they are refused. The parent imports nothing of Django, so that it
starts at once and stays small. The child reports by a pipe (see `parent_link`): that the site is
prepared, with the commands of the processes beside it, and that it serves.

Not used where a service manager does all that (systemd with `LISTEN_FDS` or `NOTIFY_SOCKET`), nor
on Windows, where sockets are not inherited this way: there `serve` is one process.
"""

import json
import logging
import os
import select
import signal
import socket
import subprocess
import sys
import time
from argparse import SUPPRESS, ArgumentError, ArgumentParser
from collections.abc import MutableMapping, Sequence
from contextlib import suppress
from types import FrameType
from typing import Final

from server.listening_sockets import BACKLOG, are_passed, open_socket, refuse
from server.processes.supervisor import STOP_TIMEOUT_S, Child

LOOPBACK: Final = "127.0.0.1"
EVERYWHERE: Final = "0.0.0.0"
DEFAULT_PORT: Final = "8000"  # of config.env, which checks it
OPTION: Final = "--web-process"  # tells the child its descriptors
RESTARTED: Final = "--restarted"  # tells it how its predecessor ended
UP_TIMEOUT_S: Final = 5.0  # after which connections are refused, so that a proxy asks another
WORKER_START_DELAY_S: Final = 1.0  # lets the first pages load before the workers compile
STEADY_S: Final = 1.0  # an end before the web process has served so long is an early one
MIN_RETRY_DELAY_S: Final = 0.25  # after the second early end in a row; doubled each time
MAX_RETRY_DELAY_S: Final = 5.0
DRAIN_TIMEOUT_S: Final = 30.0  # for the web process to end
POLL_INTERVAL_S: Final = 0.5  # of the workers; a signal announces the end of a process
INFORMATION_OPTIONS: Final = ("-h", "--help", "--version")  # with which nothing is served
STOPPED: Final = "\nQuiver has stopped. Every game is kept; clocks stand still meanwhile."
log = logging.getLogger("quiver.server")  # not set up here: lines go to standard error


def is_needed(arguments: Sequence[str], environment: MutableMapping[str, str]) -> bool:
    """Whether this command line of `manage.py` is one that the parent runs."""
    if sys.platform == "win32" or arguments[:1] != ["serve"]:
        return False
    is_web = any(each.split("=")[0] in (OPTION, *INFORMATION_OPTIONS) for each in arguments)
    return not (is_web or are_passed(environment) or "NOTIFY_SOCKET" in environment)


def open_listening(arguments: Sequence[str]) -> socket.socket | None:
    """Return the socket at which the site listens; None if the web process has to refuse it."""
    parser = ArgumentParser(add_help=False, argument_default=SUPPRESS, exit_on_error=False)
    parser.add_argument("--port", default=os.environ.get("QUIVER_PORT") or DEFAULT_PORT)
    parser.add_argument("--host", default=LOOPBACK)
    parser.add_argument("--lan", action="store_true", default=False)
    try:
        options, _ = parser.parse_known_args(arguments)
        return open_socket(EVERYWHERE if options.lan else options.host, int(options.port))
    except (ArgumentError, SystemExit, ValueError, OverflowError, OSError):
        return None


class WebParent:
    """Runs the web process and those beside it until a signal ends them."""

    def __init__(self, command: Sequence[str], listening: socket.socket | None) -> None:
        self._command = [*command]
        self._listening = listening
        self._web: subprocess.Popen[bytes] | None = None
        self._status = -1  # descriptor from which the web process's reports are read
        self._unread = b""  # of its reports
        self._workers: list[Child] = []
        self._workers_from: float | None = None  # monotonic, in s
        self._is_prepared = self._has_served = False
        self._serving_since: float | None = None  # monotonic, in s
        self._is_final = False  # the web process has said why it must not be started again
        self._is_refusing = False
        self._end_reason = ""  # of the last web process
        self._stops = self._told_stops = 0  # signals that came, and that the child was told of
        self._stop_by = 0.0
        self._down_since: float | None = time.monotonic()  # None: a web process serves
        self._next_start = 0.0
        self._early_ends = 0  # in a row, of web processes

    def run(self) -> int:
        """Return the exit status once everything has ended."""
        wakeup, waker = socket.socketpair()
        for end in (wakeup, waker):
            end.setblocking(False)
        signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
        for number in stop_signals():
            signal.signal(number, self._on_stop)
        signal.signal(signal.SIGCHLD, lambda *signal: None)  # for the wake-up
        self._start("")
        status = None
        while status is None:
            reports = [] if self._status < 0 else [self._status]
            watched = [wakeup.fileno(), *reports]
            ready, _, _ = select.select(watched, [], [], self._time_left())
            if wakeup.fileno() in ready:
                with suppress(BlockingIOError):
                    wakeup.recv(4096)
            if self._status in ready:
                self._read_reports()
            status = self._step(time.monotonic())
        self._end_workers()
        if self._has_served:
            with suppress(OSError):  # the terminal is closed
                print(STOPPED, flush=True)
        return status

    def _on_stop(self, number: int, frame: FrameType | None) -> None:
        self._stops += 1

    def _time_left(self) -> float:
        if self._web is None:
            return max(0.0, min(POLL_INTERVAL_S, self._next_start - time.monotonic()))
        return POLL_INTERVAL_S

    def _start(self, how: str) -> None:
        """Start the web process; `how` tells how its predecessor ended.

        A failure (no memory, no process number, no program during an upgrade) is tried again.
        Raises SystemExit if it is the first start.
        """
        self._status, status = os.pipe()
        listening = -1 if self._listening is None else self._listening.fileno()
        restarted = [RESTARTED, how] if how else []
        try:
            self._web = subprocess.Popen(
                [*self._command, f"{OPTION}={listening},{status}", *restarted],
                stdin=subprocess.PIPE,  # closed when this process ends: the child then ends as well
                pass_fds=[fd for fd in (listening, status) if fd >= 0],
                start_new_session=True,  # Ctrl-C comes here, and is passed on in order
            )
        except OSError as error:
            self._close_status()
            if not self._is_prepared:
                raise SystemExit(f"The web process cannot be started: {error}") from None
            self._early_ends += 1
            delay_s = restart_delay_s(self._early_ends)
            self._next_start = time.monotonic() + delay_s
            log.error(
                "The web process cannot be started: %s. Next try in %.2f s.",
                error,
                delay_s,
                extra={"event": "web_not_started"},
            )
        finally:
            os.close(status)

    def _read_reports(self) -> None:
        data = os.read(self._status, 65536)
        if not data:
            self._close_status()
            return
        *lines, self._unread = (self._unread + data).split(b"\n")
        for line in lines:
            report = json.loads(line)
            if "workers" in report:
                self._is_prepared = True
                if not self._workers:
                    self._workers = [Child(command) for command in report["workers"]]
            if report.get("is_serving"):
                self._serve()
            self._is_final |= bool(report.get("is_final"))

    def _serve(self) -> None:
        """Let the web process accept connections."""
        if self._is_refusing and self._listening is not None:
            self._listening.listen(BACKLOG)
        self._is_refusing, self._down_since = False, None
        self._has_served, self._serving_since = True, time.monotonic()
        if self._workers_from is None:
            self._workers_from = self._serving_since + WORKER_START_DELAY_S
        assert self._web is not None and self._web.stdin is not None
        with suppress(BrokenPipeError):  # it has died meanwhile
            self._web.stdin.write(b"go\n")
            self._web.stdin.flush()

    def _step(self, at: float) -> int | None:
        """Do the work due at `at` (monotonic, in s); return the exit status at the end."""
        if self._stops:
            return self._stop(at)
        if self._web is not None and self._web.poll() is not None:
            status = self._note_end(at)
            if self._is_final or not self._is_prepared:
                return status if status > 0 else 1
        if self._web is None and at >= self._next_start:
            self._start(self._end_reason)
        if (
            self._down_since is not None
            and at >= self._down_since + UP_TIMEOUT_S
            and not self._is_refusing
            and self._listening is not None
        ):
            self._is_refusing = True
            refuse(self._listening)
        if self._workers_from is not None and at >= self._workers_from:
            for worker in self._workers:
                worker.keep_alive(at)
        return None

    def _note_end(self, at: float) -> int:
        """Note the end of the web process; return its exit status, negative for a signal."""
        assert self._web is not None and self._web.stdin is not None
        status = self._web.returncode
        if self._status >= 0:  # its last reports
            self._drain_reports()
        with suppress(BrokenPipeError):
            self._web.stdin.close()
        self._end_reason = f"signal {-status}" if status < 0 else f"exit status {status}"
        is_steady = self._serving_since is not None and at >= self._serving_since + STEADY_S
        self._early_ends = 0 if is_steady else self._early_ends + 1
        self._next_start = at + restart_delay_s(self._early_ends)
        if self._down_since is None:
            self._down_since = at
        self._serving_since = self._web = None
        return status

    def _drain_reports(self) -> None:
        while self._status >= 0 and select.select([self._status], [], [], 0)[0]:
            self._read_reports()
        self._close_status()

    def _close_status(self) -> None:
        if self._status >= 0:
            os.close(self._status)
        self._status, self._unread = -1, b""

    def _stop(self, at: float) -> int | None:
        """Tell the web process to end; return the exit status once it has."""
        if not self._stop_by:
            self._stop_by = at + DRAIN_TIMEOUT_S
            if self._listening is not None:  # closed in the child as well when it drains
                self._listening.close()
        if self._web is None:
            return 0
        if (status := self._web.poll()) is not None:
            if self._has_served:
                return max(0, status)
            return status if status >= 0 else 128 - status  # as a shell: 143 for SIGTERM
        if at >= self._stop_by:
            self._web.kill()
        while self._told_stops < self._stops:
            self._told_stops += 1
            self._web.terminate()
        return None

    def _end_workers(self) -> None:
        by = time.monotonic() + STOP_TIMEOUT_S
        for worker in self._workers:
            worker.ask_to_end()
        for worker in self._workers:
            worker.end(by)


def restart_delay_s(early_ends: int) -> float:
    """Return the delay of a restart after so many early ends in a row: none after the first."""
    if early_ends < 2:
        return 0.0
    return min(MAX_RETRY_DELAY_S, MIN_RETRY_DELAY_S * 2.0 ** min(early_ends - 2, 10))


def stop_signals() -> list[signal.Signals]:
    """Return the signals that end the site. nohup ignores SIGHUP, that of a closed terminal."""
    is_ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return [signal.SIGINT, signal.SIGTERM, *([] if is_ignored else [signal.SIGHUP])]


def run(arguments: Sequence[str]) -> int:
    """Run `serve` with these arguments of `manage.py`; return the exit status."""
    command = [sys.executable, *sys.orig_argv[1:]]  # as this process was started, wrappers too
    return WebParent(command, open_listening(arguments[1:])).run()
