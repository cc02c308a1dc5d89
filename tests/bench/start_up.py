"""`python -m tests.bench.start_up`: measure the time from `manage.py serve` to its first answer.

On the database of `QUIVER_DATA` or `DATABASE_URL`, which is migrated first. Figures only: seconds
the wall, and seconds of the processor that the server has used until then.
"""

import argparse
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
MANAGE = [sys.executable, str(ROOT / "manage.py")]
TICKS = os.sysconf("SC_CLK_TCK")
TIMEOUT_S = 60.0  # seconds
EVERY = 0.005  # seconds between two tries


def started(port: int, page: str) -> tuple[float, float]:
    """Starts a server and stops it; the seconds until it answered, and those of the processor."""
    began = time.monotonic()
    words = subprocess.DEVNULL
    server = subprocess.Popen([*MANAGE, "serve", "--port", str(port)], stdout=words)
    try:
        _first_answer(f"http://127.0.0.1:{port}{page}", began + TIMEOUT_S)
        return time.monotonic() - began, _busy(server.pid)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()


def _first_answer(address: str, end: float) -> None:
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(address, timeout=TIMEOUT_S) as answer:
                answer.read()
                return
        except urllib.error.HTTPError:
            raise
        except OSError:
            time.sleep(EVERY)
    raise TimeoutError(f"{address} did not answer")


def _busy(pid: int) -> float:
    """Seconds of the processor that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def spread(values: Sequence[float]) -> str:
    """The least, the median and the most."""
    return f"{min(values):.2f} / {median(values):.2f} / {max(values):.2f}"


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--port", type=int, default=0, help="0: any that is free")
    parser.add_argument("--page", default="/", help="what the first request asks for")
    options = parser.parse_args()
    subprocess.run([*MANAGE, "migrate", "-v0"], check=True)
    port = options.port or _free_port()
    started(port, options.page)  # collects the static files, and compiles what Python imports
    times = [started(port, options.page) for _ in range(options.runs)]
    print(f"{options.runs} starts until {options.page} is answered: least / median / most")
    print(f"seconds on the wall       {spread([wall for wall, _ in times])}")
    print(f"seconds of the processor  {spread([busy for _, busy in times])}")


if __name__ == "__main__":
    main()
