"""`python -m tests.bench.reconnect_storm`: measure pages that come back at once.

Seats users in running games, lets a page of each open its socket and subscribe as game pages do,
kills the server, and lets all come back with the revs that they have. Figures: CPU ms of the
server's processes a page, seconds until the last page has its answers, seconds of `GET /watch/`
meanwhile (which adds some of the CPU time: it is asked twice a second).

Servers are on SQLite, or on `--database` with `--redis`.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.processes import GENERATOR, ROOT, SERVER, Program, free_port, keep_to, more_files
from tests.bench.processes import tree as process_tree
from tests.support.servers.web_process import kill_all

QUIET = {"QUIVER_BOTS": "0", "QUIVER_NOTICES": "0", "QUIVER_EXHIBITION": "0"}
SETTLE_S = 1.5  # after the last answer, for presence messages and writes
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_ms(pid: int) -> float:
    """Return the CPU time that a process and its children have used, in ms."""
    total = 0
    for each in process_tree([pid]):
        fields = Path(f"/proc/{each}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total * 1000 / TICKS


def environment(folder: Path, database: str, redis: str) -> dict[str, str]:
    """Return the settings of a server and of the programs that prepare it."""
    found = {**QUIET, "PYTHONPATH": "site:.", "QUIVER_DATA": str(folder)}
    found |= {"DATABASE_URL": database, "REDIS_URL": redis, "PYTHONUNBUFFERED": "1"}
    return found | ({"QUIVER_SECRET": "benchmark-" * 6} if database else {})


def run(settings: dict[str, str], *command: str) -> str:
    """Run a Python program of the repository; return what it prints."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={**os.environ, **settings},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout


def wave(program: Program, port: int, pages: list[Any], every_s: float) -> dict[str, Any]:
    """Let pages come at once; return what they saw, and the server's CPU time."""
    plan = {"pages": pages, "ports": [port], "host": f"127.0.0.1:{port}", "every_s": every_s}
    command = [sys.executable, "-m", "tests.bench.reconnect_storm.pages"]
    client = subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    keep_to([client.pid], [GENERATOR])
    before = cpu_ms(program.pid)
    assert client.stdin and client.stdout
    client.stdin.write(json.dumps(plan) + "\n")
    client.stdin.flush()
    line = client.stdout.readline()
    if not line:
        raise RuntimeError(f"the pages gave up:\n{program.tail()}")
    time.sleep(SETTLE_S)
    seen: dict[str, Any] = json.loads(line)
    seen["cpu_ms"] = (cpu_ms(program.pid) - before) / len(pages)
    client.stdin.write("\n")
    client.stdin.close()
    client.wait(30)
    for page, revs in zip(pages, seen["revs"], strict=True):
        page["revs"] = revs
    return seen


def report(name: str, seen: dict[str, Any]) -> None:
    """Print one wave as a row."""
    answered, watch = seen["answered_s"], seen["watch_s"] or [float("nan")]
    print(
        f"{name:24}{seen['cpu_ms']:8.2f} ms CPU a page  "
        f"last {answered[-1]:6.2f} s  median {median(answered):6.2f} s  "
        f"/watch/ median {median(watch):5.2f} max {max(watch):5.2f} s  "
        f"refused {seen['refusals']}  ended {seen['ended']}",
        flush=True,
    )


def serve(stack: ExitStack, folder: Path, settings: dict[str, str], port: int) -> Program:
    """Start a server on its core and wait until it answers."""
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    program = stack.enter_context(Program("serve", command, folder / "serve.log", settings))
    program.answering(port)
    keep_to([program.pid], [SERVER])
    time.sleep(1.0)  # for its background tasks to start
    return program


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=1, help="kills of the server")
    parser.add_argument("--database", default="", help="URL of a PostgreSQL database, migrated")
    parser.add_argument("--redis", default="", help="URL of Redis")
    parser.add_argument("--every", type=float, default=0.5, help="s between two GET /watch/")
    options = parser.parse_args()
    more_files()
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder, port = Path(name), free_port()
        settings = environment(folder, options.database, options.redis)
        settings["QUIVER_ORIGINS"] = f"http://127.0.0.1:{port}" if options.database else ""
        run(settings, "manage.py", "migrate", "-v", "0")
        seats = run(settings, "-m", "tests.bench.reconnect_storm.seated_users", str(options.pages))
        pages = json.loads(seats)
        program = serve(stack, folder, settings, port)
        report("first visit", wave(program, port, pages, options.every))
        report("back, process runs on", wave(program, port, pages, options.every))
        for _ in range(options.rounds):
            kill_all(program.pid)
            program.process.wait()
            program = serve(stack, folder, settings, port)
            report("back after SIGKILL", wave(program, port, pages, options.every))


if __name__ == "__main__":
    main()
