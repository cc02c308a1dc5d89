"""`python -m tests.bench.site_costs.worker_memory`: measure the memory of a worker from its start.

Starts `runbots` with an empty folder of compiled code and an exhibition to play, waits until it is
ready and then for `--seconds`, and ends it; then once more, with the code that is on the disk.
Prints the largest resident set of the process (VmHWM) and the seconds until it was ready.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[3]
MANAGE = [sys.executable, str(ROOT / "manage.py")]
READY = "Computer players are ready"
TIMEOUT_S = 600.0
KIB_A_MIB = 1024


def measure(environment: dict[str, str], seconds: float) -> tuple[float, float, float]:
    """Start a worker and end it after some seconds of play.

    Return the largest MiB until it was ready and until its end, and the seconds until ready.
    """
    began = time.monotonic()
    worker = subprocess.Popen(
        [*MANAGE, "runbots"], stdout=subprocess.PIPE, text=True, env=environment
    )
    try:
        assert worker.stdout is not None
        for line in worker.stdout:
            if READY in line:
                break
            assert time.monotonic() - began < TIMEOUT_S, "the worker did not get ready"
        took, ready = time.monotonic() - began, peak_mib(worker.pid)
        time.sleep(seconds)
        return ready, peak_mib(worker.pid), took
    finally:
        worker.send_signal(signal.SIGTERM)
        worker.wait(30)


def peak_mib(pid: int) -> float:
    """Return the largest resident set that a process has had."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    (peak,) = (line.split()[1] for line in lines if line.startswith("VmHWM:"))
    return int(peak) / KIB_A_MIB


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30, help="of play once it is ready")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="quiver-worker-") as folder:
        environment = {
            **os.environ,
            "QUIVER_DATA": folder,
            "NUMBA_CACHE_DIR": f"{folder}/numba",
            "QUIVER_EXHIBITION": "1",
            "DATABASE_URL": "",
            "REDIS_URL": "",
        }
        subprocess.run([*MANAGE, "migrate", "-v0"], check=True, env=environment)
        for name in ("first start, code compiled", "next start, code loaded"):
            ready, peak, took = measure(environment, options.seconds)
            print(f"{name}: {ready:.0f} MiB when ready after {took:.1f} s, {peak:.0f} MiB at most")


if __name__ == "__main__":
    main()
