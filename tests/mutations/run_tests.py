"""Run tests in a copy of the checkout, and say which of them failed first."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from tests.mutations.find_tests import resolve
from tests.mutations.mutation import Mutation

FIRST_TESTS_S = 300  # longest time of the first tests of one mutation
GATE_S = 3 * 3600  # of the whole gate
PYTEST = (sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider")
NODE = ("node", "--test", "--test-reporter=tap")
FAILED_TEST = re.compile(r"^(?:FAILED|ERROR) ([^\s\[]+)", re.MULTILINE)
FAILED_SCRIPT_TEST = re.compile(r"^ *not ok \d+ - (.+)$", re.MULTILINE)
TAIL_CHARS = 2_000
RUNNING: set[subprocess.Popen[str]] = set()


class Outcome(Enum):
    """The outcome of a run of tests with a mutation."""

    KILLED = "killed by"
    SURVIVED = "survived"
    BROKEN = "could not be run"


@dataclass(frozen=True, slots=True)
class Run:
    """What a run of tests has found."""

    outcome: Outcome
    killer: str = ""  # the test that failed first, or what went wrong
    seconds: float = 0.0
    tail: str = ""  # of the output


def run_first_tests(mutation: Mutation, checkout: Path, data: Path, worker: int) -> Run:
    """Run the first tests of a mutation. Raise `UnknownTest`."""
    names = [resolve(name) for name in mutation.first]
    environment = environment_of(data, worker, is_on_servers=mutation.is_on_servers)
    return run_tests(names, mutation.is_script, checkout, environment, FIRST_TESTS_S)


def run_gate(mutation: Mutation, checkout: Path, data: Path, worker: int) -> Run:
    """Run the whole gate: all tests on SQLite, then those of the site on the servers."""
    if mutation.is_script:
        paths = sorted(checkout.glob("tests/js/*/*.test.js"))
        names = [path.relative_to(checkout).as_posix() for path in paths]
        run = run_tests(names, True, checkout, environment_of(data, worker), GATE_S)
        if run.outcome is not Outcome.SURVIVED:
            return run
    run = run_tests([], False, checkout, environment_of(data, worker), GATE_S)
    if run.outcome is not Outcome.SURVIVED or mutation.is_script:
        return run
    on_servers = environment_of(data, worker, is_on_servers=True)
    return run_tests([], False, checkout, on_servers, GATE_S)


def environment_of(data: Path, worker: int, *, is_on_servers: bool = False) -> Mapping[str, str]:
    """Return the environment of a run, with data of its own; with a database of its own as well."""
    known = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    for name in ("DATABASE_URL", "REDIS_URL", "PYTHONPATH", "NODE_TEST_CONTEXT"):
        known.pop(name, None)
    known["QUIVER_DATA"] = str(data)
    if is_on_servers:
        server, _, _ = known["QUIVER_TEST_POSTGRES"].rpartition("/")
        known["DATABASE_URL"] = f"{server}/mutations_{os.getpid()}_{worker}"
        known["REDIS_URL"] = known["QUIVER_TEST_REDIS"]
    return known


def stop_tests() -> None:
    """Kill the tests that run, with the processes that they have started."""
    for process in list(RUNNING):
        os.killpg(process.pid, signal.SIGKILL)


def run_tests(
    names: Sequence[str],
    is_script: bool,
    checkout: Path,
    environment: Mapping[str, str],
    limit_s: float,
) -> Run:
    """Run tests, all that the gate has if none is named, until the first one fails."""
    command = [*(NODE if is_script else PYTEST), *names]
    began = time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=checkout,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    RUNNING.add(process)
    try:
        output, _ = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return Run(Outcome.KILLED, f"no end within {limit_s:.0f} s", limit_s, output[-TAIL_CHARS:])
    finally:
        RUNNING.discard(process)
    seconds, tail = time.monotonic() - began, output[-TAIL_CHARS:]
    if process.returncode == 0:
        return Run(Outcome.SURVIVED, "", seconds, tail)
    if process.returncode != 1:
        return Run(Outcome.BROKEN, f"exit status {process.returncode}", seconds, tail)
    pattern = FAILED_SCRIPT_TEST if is_script else FAILED_TEST
    found = [name for name in pattern.findall(output) if not name.endswith(".test.js")]
    return Run(Outcome.KILLED, found[0] if found else "a test", seconds, tail)
