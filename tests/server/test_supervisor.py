"""The supervisor of `serve` with processes that cannot be started, or that end at once."""

import asyncio
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from server import supervisor
from server.supervisor import keep_running, supervise
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.processes, pytest.mark.embedded("processes without a site")]
# Writes a line at each start, then does what the file beside it says.
PROGRAM = """
import pathlib, sys
path = pathlib.Path(sys.argv[1])
with path.open("a") as file:
    file.write("start\\n")
exec(path.with_suffix(".py").read_text())
"""


class Place:
    """A program that the supervisor starts in the place of `manage.py`."""

    def __init__(self, folder: Path, code: str) -> None:
        self.path = folder / "starts"
        self.become(code)

    def become(self, code: str) -> None:
        """Changes what the program does from its next start on."""
        self.path.with_suffix(".py").write_text(code, encoding="utf-8")

    def starts(self) -> int:
        """How often the program was started."""
        return len(self.path.read_text().splitlines()) if self.path.exists() else 0

    def command(self) -> list[str]:
        """The command in the place of `runweb`."""
        return [str(self.path)]


@pytest.fixture(autouse=True)
def in_the_place_of_manage(monkeypatch) -> None:
    monkeypatch.setattr(sys, "orig_argv", [sys.executable, "-c", PROGRAM, "serve"])
    monkeypatch.setattr(supervisor, "WORKER_DELAY_S", 0.0)
    monkeypatch.setattr(supervisor, "MIN_RESTART_DELAY_S", 0.05)


async def test_a_first_web_process_that_fails_ends_the_site_with_its_status(tmp_path) -> None:
    assert await supervise(Place(tmp_path, "sys.exit(7)").command(), []) == 7


async def test_a_process_that_ends_at_once_is_started_ever_later(tmp_path) -> None:
    place = Place(tmp_path, "sys.exit(1)")
    began = time.monotonic()
    task = asyncio.create_task(keep_running(place.command(), is_web=False))
    await wait_until(lambda: place.starts() == 5, "five starts")
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert time.monotonic() - began >= 0.05 + 0.1 + 0.2 + 0.4


async def test_a_process_that_cannot_be_started_is_tried_again(tmp_path, monkeypatch) -> None:
    """A fork may fail while memory or process numbers are short, a program during an upgrade."""
    place = Place(tmp_path, "sys.stdin.read()")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", str(tmp_path / "missing"))
        task = asyncio.create_task(keep_running(place.command(), is_web=False))
        await asyncio.sleep(0)
    await wait_until(lambda: place.starts() == 1, "a start")
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_a_signal_ends_all_processes_also_one_that_does_not_listen(tmp_path, monkeypatch):
    monkeypatch.setattr(supervisor, "STOP_TIMEOUT_S", 0.2)
    before = {number: signal.getsignal(number) for number in supervisor.stop_signals()}
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    folders = [tmp_path / name for name in ("web", "worker")]
    for folder in folders:
        folder.mkdir()
    web, worker = Place(folders[0], "sys.stdin.read()"), Place(folders[1], deaf)
    try:
        task = asyncio.create_task(supervise(web.command(), [worker.command()]))
        await wait_until(lambda: web.starts() and worker.starts(), "both are started")
        os.kill(os.getpid(), signal.SIGTERM)
        assert await task == 0
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
