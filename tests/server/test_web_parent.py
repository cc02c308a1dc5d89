"""The parent of `serve` with a web process that cannot be started, or that ends at once."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from server.processes.supervisor import Child
from tests.support.waiting import TIMEOUT_S, wait_until

ROOT = Path(__file__).parents[2]
PARENT = """
import sys
sys.path.insert(0, "site")
from server.processes.web_parent import WebParent
sys.exit(WebParent([sys.argv[1]], None).run())
"""
# A web process that counts its starts, reports that it serves, and ends.
WEB = """#!/bin/sh
status=${1##*,}
echo start >> "$0.starts"
starts=$(wc -l < "$0.starts")
if [ "$starts" -ge LAST ]; then
    echo '{"is_final": true}' >&$status
    exit 7
fi
echo '{"workers": []}' >&$status
echo '{"is_serving": true}' >&$status
read go
"""


def write_web(path: Path, last: int, end: str) -> None:
    """Writes a web process whose start number `last` is final; the others do `end`."""
    path.write_text(WEB.replace("LAST", str(last)) + end, encoding="utf-8")
    path.chmod(0o700)


def start_parent(web: Path) -> subprocess.Popen[str]:
    """Starts a parent with this web process."""
    return subprocess.Popen(
        [sys.executable, "-c", PARENT, str(web)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.processes
async def test_a_web_process_that_cannot_be_started_is_tried_again(tmp_path):
    """A fork may fail while memory or process numbers are short, a program during an upgrade."""
    web, away = tmp_path / "web", tmp_path / "away"
    write_web(web, 2, f'mv "$0" "{away}"\nexit 1\n')
    parent = start_parent(web)
    try:
        await wait_until(away.exists, "the program is moved away")
        words = ""
        while "The web process cannot be started" not in words:  # before it is tried again
            words += parent.stderr.readline()
        assert parent.poll() is None
        away.rename(web)
        words += parent.communicate(timeout=TIMEOUT_S)[1]
    finally:
        parent.kill()
    assert parent.returncode == 7
    assert "Traceback" not in words


@pytest.mark.processes
def test_a_first_start_that_fails_ends_the_parent_with_a_sentence(tmp_path):
    parent = start_parent(tmp_path / "missing")
    _, words = parent.communicate(timeout=20)
    assert parent.returncode == 1
    assert "The web process cannot be started" in words and "Traceback" not in words


@pytest.mark.processes
def test_a_web_process_that_ends_as_soon_as_it_serves_is_started_ever_later(tmp_path):
    web = tmp_path / "web"
    write_web(web, 5, "exit 1\n")
    started = time.monotonic()
    parent = start_parent(web)
    assert parent.wait(30) == 7
    assert time.monotonic() - started >= 0.25 + 0.5 + 1.0


def test_a_worker_that_cannot_be_started_is_tried_again_and_ends_nothing(monkeypatch, tmp_path):
    child = Child(["runbots"])
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", str(tmp_path / "missing"))
        child.keep_alive(100.0)
        child.keep_alive(100.1)  # too early
    started = tmp_path / "started"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho x >> {started}\n")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))
    child.keep_alive(100.5)
    child.end(time.monotonic() + 10)
    assert not started.exists()
    child.keep_alive(101.0)
    child.end(time.monotonic() + 10)
    assert started.read_text() == "x\n"
