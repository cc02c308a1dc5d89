"""A worker has its players compiled by a short-lived process, and loads the code."""

import logging
import os
import subprocess
import sys

import pytest

from bots.thinking import code_compiler
from games.players import levels
from games.players.compile_code import ORPHANED
from tests.support.servers.server_process import ROOT
from tests.support.waiting import TIMEOUT_S

pytest.importorskip("numba")
MAX_WORKER_MIB = 250
PREPARE_ALL = """
from pathlib import Path
from bots.thinking.code_compiler import prepare_player
from games.players.levels import ENGINES, is_cached
for key in ENGINES:
    prepare_player(key)
    assert is_cached(key), key
(peak,) = (line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line)
print(int(peak.split()[1]) // 1024)
"""


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty folder of compiled code; nothing was compiled in this process yet."""
    compiled = pytest.importorskip("games.players.compiled")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    monkeypatch.setattr(compiled._config, "CACHE_DIR", str(tmp_path / "numba" / "compiled-0"))
    code_compiler._fill_cache.cache_clear()
    yield tmp_path / "numba" / "compiled-0"
    code_compiler._fill_cache.cache_clear()


@pytest.mark.processes
@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_first_start_of_a_worker_takes_no_memory_for_compiling(tmp_path) -> None:
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "numba"), "PYTHONPATH": "site:."}
    command = [sys.executable, "-c", PREPARE_ALL]
    ran = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    # A process of the site has some 60 MiB more: Django and the apps.
    assert int(ran.stdout) < MAX_WORKER_MIB - 60, ran.stderr
    assert list((tmp_path / "numba").rglob("*.nbc"))


def test_whole_code_is_not_compiled_again(cache, monkeypatch, caplog) -> None:
    monkeypatch.setattr(code_compiler, "COMMAND", ("no-such-program",))
    monkeypatch.setattr(code_compiler, "warm", lambda key: None)
    levels.note_cached("pincer")
    code_compiler.prepare_player("pincer")
    assert caplog.records == []


def test_a_player_without_compiled_code_needs_no_child(cache, monkeypatch, caplog) -> None:
    monkeypatch.setattr(code_compiler, "COMMAND", ("no-such-program",))
    code_compiler.prepare_player("blotto")
    assert caplog.records == []


def test_code_that_has_lost_a_file_is_not_whole(cache) -> None:
    assert not levels.is_cached("pincer")
    code = cache / "pincer_1" / "search.nbc"
    code.parent.mkdir(parents=True)
    code.write_bytes(b"")
    levels.note_cached("pincer")
    assert levels.is_cached("pincer")
    code.unlink()
    assert not levels.is_cached("pincer")


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ((sys.executable, "-c", "raise SystemExit('no memory left')"), "no memory left"),
        (("no-such-program",), "no-such-program"),
    ],
)
def test_a_child_that_fails_is_logged_and_the_worker_compiles(
    cache, monkeypatch, caplog, command, reason
) -> None:
    warmed = []
    monkeypatch.setattr(code_compiler, "COMMAND", command)
    monkeypatch.setattr(code_compiler, "warm", warmed.append)
    with caplog.at_level(logging.WARNING, "quiver.bots"):
        code_compiler.prepare_player("pincer")
        code_compiler.prepare_player("pincer")
    assert warmed == ["pincer", "pincer"]
    (record,) = caplog.records  # once, not for each turn
    assert record.event == "compilation_failed"
    assert reason in record.getMessage()


@pytest.mark.processes
def test_the_child_ends_with_its_parent(tmp_path) -> None:
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "numba"), "PYTHONPATH": "."}
    child = subprocess.Popen(
        [*code_compiler.COMMAND, "amazons"], cwd=ROOT, env=env, stdin=subprocess.PIPE
    )
    try:
        assert child.stdin is not None
        child.stdin.close()
        assert child.wait(TIMEOUT_S) == ORPHANED
    finally:
        child.kill()
        child.wait()
