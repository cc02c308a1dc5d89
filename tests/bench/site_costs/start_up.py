"""`python -m tests.bench.site_costs.start_up`: measure the time until `manage.py serve` answers.

On the database of `QUIVER_DATA` or `DATABASE_URL`, which is migrated first. Each run starts
`serve`, then kills its web process. Figures only, from exec to the first answer: seconds of the
wall, and CPU seconds of the web process: of the first one, which also prepares the site, and of the
one that the parent starts instead. The rival of the same run is a bare Django: `import django`,
`setup()` with four of its own apps, and one answer of its test client.
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
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.support.servers.web_process import kill_web, wait_for_web_pid

ROOT = Path(__file__).parents[3]
MANAGE = [sys.executable, str(ROOT / "manage.py")]
TICKS = os.sysconf("SC_CLK_TCK")
TIMEOUT_S = 60.0  # seconds
EVERY = 0.005  # seconds between two tries


BARE = """
import time
import django
from django.conf import settings
apps = ["auth", "contenttypes", "sessions", "messages"]
settings.configure(
    SECRET_KEY="x" * 50, ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"],
    INSTALLED_APPS=[f"django.contrib.{app}" for app in apps],
)
django.setup()
from django.http import HttpResponse
from django.test import Client
from django.urls import path
urlpatterns = [path("", lambda request: HttpResponse("x"))]
assert Client().get("/").status_code == 200
print(time.process_time())
"""


@dataclass(frozen=True)
class Start:
    """Seconds until a web process has answered for the first time."""

    wall_s: float
    cpu_s: float


def measure(port: int, page: str) -> tuple[Start, Start]:
    """Start a server, kill its web process, and stop it; both starts of a web process."""
    began = time.monotonic()
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    server = subprocess.Popen(
        [*MANAGE, "serve", "--port", str(port)], stdout=subprocess.DEVNULL, env=environment
    )
    try:
        address = f"http://127.0.0.1:{port}{page}"
        first = _first_start(server.pid, address, began)
        began = time.monotonic()
        kill_web(server.pid)
        return first, _first_start(server.pid, address, began)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()


def _first_start(parent: int, address: str, began: float) -> Start:
    _first_answer(address, began + TIMEOUT_S)
    return Start(time.monotonic() - began, _busy(wait_for_web_pid(parent)))


def bare_django() -> float:
    """CPU seconds of a bare Django until its first answer."""
    done = subprocess.run([sys.executable, "-c", BARE], capture_output=True, text=True, check=True)
    return float(done.stdout)


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
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
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
    measure(port, options.page)  # collects the static files, and compiles what Python imports
    times = [measure(port, options.page) for _ in range(options.runs)]
    bare = [bare_django() for _ in range(options.runs)]
    print(f"{options.runs} starts until {options.page} is answered: least / median / most")
    for name, starts in (
        ("start", [first for first, _ in times]),
        ("restart of the web process", [again for _, again in times]),
    ):
        print(f"{name}: wall {spread([start.wall_s for start in starts])} s")
        print(f"{name}: CPU  {spread([start.cpu_s for start in starts])} s")
    print(f"bare Django: CPU  {spread(bare)} s")


if __name__ == "__main__":
    main()
