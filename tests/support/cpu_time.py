"""Record the CPU seconds of each test and fixture, child processes included.

    python -m pytest -p tests.support.cpu_time --cpu-time FILE tests/play
    python -m tests.support.cpu_time FILE…

pytest's `--durations` measures wall time, which says little where tests wait or the machine has
other work. Each line of FILE is JSON: a test's setup, call and teardown, or the setup of a fixture,
in CPU seconds. The time of a process that lives on is read from /proc (Linux); that of one that
ended counts for the process that waited for it. With xdist, each worker writes a file of its own.
"""

import ctypes
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import pytest

TICKS_PER_S = os.sysconf("SC_CLK_TCK")
PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
SHOWN = 60  # lines of each list of the report


def spent_s(pid: int) -> float:
    """Return the CPU seconds of a process, of its living descendants and of those it waited for."""
    seconds = 0.0
    with suppress(OSError):  # it ended meanwhile
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        seconds = sum(map(int, fields[11:15])) / TICKS_PER_S
        for task in os.listdir(f"/proc/{pid}/task"):
            children = Path(f"/proc/{pid}/task/{task}/children").read_text(encoding="utf-8").split()
            seconds += sum(spent_s(int(child)) for child in children)
    return seconds


class CpuTime:
    """Writes a line for each phase of a test and each setup of a fixture."""

    def __init__(self, file: IO[str]) -> None:
        self.file = file
        # Adopt orphaned grandchildren, so that their time is counted.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def write(self, kind: str, name: str, since: tuple[float, float]) -> None:
        cpu_s, wall_s = spent_s(os.getpid()) - since[0], time.monotonic() - since[1]
        line = {"kind": kind, "name": name, "cpu_s": round(cpu_s, 2), "wall_s": round(wall_s, 2)}
        print(json.dumps(line), file=self.file, flush=True)

    @staticmethod
    def now() -> tuple[float, float]:
        return spent_s(os.getpid()), time.monotonic()

    def _phase(self, kind: str, item: pytest.Item) -> Iterator[None]:
        since = self.now()
        try:
            return (yield)
        finally:
            self.write(kind, item.nodeid, since)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        return (yield from self._phase("setup", item))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        return (yield from self._phase("call", item))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Iterator[None]:
        return (yield from self._phase("teardown", item))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[Any]:
        since = self.now()
        try:
            return (yield)
        finally:
            self.write("fixture", f"{fixturedef.argname} ({fixturedef.scope})", since)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--cpu-time", type=Path, help="write CPU seconds of tests to this file")


def pytest_configure(config: pytest.Config) -> None:
    path: Path | None = config.getoption("--cpu-time")
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    is_controller = not worker and config.getoption("numprocesses", None)
    if path and not is_controller:
        path = path.with_name(f"{path.name}.{worker}") if worker else path
        config.pluginmanager.register(CpuTime(path.open("w")), "cpu_time_writer")


def report(files: list[str]) -> None:
    """Print the sums of folders and files, the dearest tests and the dearest fixtures."""
    sums: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(lambda: [0.0, 0.0]))
    texts = [text for file in files for text in Path(file).read_text(encoding="utf-8").splitlines()]
    for line in map(json.loads, texts):
        name, cpu_s, wall_s = line["name"], line["cpu_s"], line["wall_s"]
        if line["kind"] == "fixture":
            groups = {"fixtures": name}
        else:
            path = name.partition("::")[0]
            groups = {"tests": name, "files": path, "folders": str(Path(path).parent)}
            groups["all"] = "all"
        for group, key in groups.items():
            sums[group][key][0] += cpu_s
            sums[group][key][1] += wall_s
    for group in ("all", "folders", "files", "tests", "fixtures"):
        print(f"\n{group}: CPU s, wall s")
        dearest = sorted(sums[group].items(), key=lambda pair: -pair[1][0])
        for name, (cpu_s, wall_s) in dearest[:SHOWN]:
            print(f"{cpu_s:8.1f} {wall_s:8.1f}  {name}")


if __name__ == "__main__":
    report(sys.argv[1:])
