"""Processes of the benchmark, each with a log and a CPU core of its own."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 120.0  # seconds for a program to answer
FILES = 65_536  # open files that a child may have
CORES = sorted(os.sched_getaffinity(0))
HAS_CORES = len(CORES) > 1
SERVER, GENERATOR = (CORES * 2)[:2]  # the cores of either side


def say(text: str) -> None:
    """Tells whoever waits how far it is."""
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def more_files() -> None:
    """Lets this process and its children open as many files as thousands of sockets take."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if most == resource.RLIM_INFINITY else min(FILES, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def tree(roots: Iterable[int]) -> set[int]:
    """Processes with all that they have started."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[int(stat.parent.name)] = int(stat.read_text().rsplit(")", 1)[1].split()[1])
    found = set(roots)
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def keep_to(roots: Iterable[int], cores: Iterable[int]) -> None:
    """Keeps all threads of processes, and what they start from now on, on these cores."""
    if not HAS_CORES:
        return
    for pid in tree(roots):
        with suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                os.sched_setaffinity(int(thread), set(cores))


class Program:
    """A program with its log; a context that ends it."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        log: Path,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self.log = log
        with log.open("ab") as words:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=words,
                stderr=words,
                start_new_session=True,  # Ctrl-C reaches the benchmark alone, which ends it
            )

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self.process.pid

    def ready(self, port: int) -> None:
        """Waits until it takes connections."""
        end = time.monotonic() + TIMEOUT_S
        while time.monotonic() < end:
            if self.process.poll() is not None:
                break
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                return
            time.sleep(0.05)
        self.stop()
        raise RuntimeError(f"{self.name} did not start:\n{self.tail()}")

    def answering(self, port: int) -> None:
        """Waits until it answers HTTP: `serve` takes connections before the site can answer."""
        end = time.monotonic() + TIMEOUT_S
        while time.monotonic() < end and self.process.poll() is None:
            with (
                suppress(OSError),
                socket.create_connection(("127.0.0.1", port), TIMEOUT_S) as line,
            ):
                line.sendall(b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")
                if line.recv(1):
                    return
            time.sleep(0.05)
        self.stop()
        raise RuntimeError(f"{self.name} did not answer:\n{self.tail()}")

    def tail(self) -> str:
        """The end of what it has said."""
        return self.log.read_text(errors="replace")[-3_000:]

    def stop(self) -> None:
        """Asks it to end, and ends it if it does not."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(15)
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)  # its remaining children
        self.process.wait()


def listener(port: int) -> int:
    """The process that listens on a port of this machine. Raises LookupError."""
    sockets = set()
    for line in Path("/proc/net/tcp").read_text(encoding="utf-8").splitlines()[1:]:
        fields = line.split()
        if int(fields[1].rsplit(":", 1)[1], 16) == port and fields[3] == "0A":
            sockets.add(f"socket:[{fields[9]}]")
    for entry in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):
            if os.readlink(entry) in sockets:
                return int(entry.parts[2])
    raise LookupError(f"nobody listens on port {port}")
