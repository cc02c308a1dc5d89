"""Cache folder of compiled code, whose contents numba executes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bots.management.commands.runbots import SharedFolder, check_code_folder
from tests.support.servers.server_process import ROOT, embedded

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes are those of POSIX")


@pytest.mark.processes
def test_a_worker_runs_no_code_that_other_users_can_write(tmp_path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    env = {
        **embedded(),
        "QUIVER_DATA": str(tmp_path / "data"),
        "NUMBA_CACHE_DIR": str(shared),
    }
    command = [sys.executable, "manage.py", "runbots"]
    ran = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 1
    assert f"{shared} can be written by other users" in ran.stderr


def test_a_folder_of_ones_own_and_one_that_is_not_there_are_good(tmp_path) -> None:
    check_code_folder(tmp_path / "none")
    code = tmp_path / "numba" / "compiled-0"
    code.mkdir(parents=True)
    (code / "search.nbi").write_bytes(b"")
    check_code_folder(tmp_path / "numba")


@pytest.mark.parametrize("place", ["", "numba", "numba/compiled-0", "numba/compiled-0/search.nbi"])
@pytest.mark.parametrize("mode", [0o020, 0o002])
def test_nothing_on_the_way_can_be_written_by_others(tmp_path, place: str, mode: int) -> None:
    code = tmp_path / "numba" / "compiled-0"
    code.mkdir(parents=True)
    (code / "search.nbi").write_bytes(b"")
    open_to_all = tmp_path / place
    open_to_all.chmod(open_to_all.stat().st_mode | mode)
    with pytest.raises(SharedFolder, match=str(open_to_all)):
        check_code_folder(tmp_path / "numba")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_nothing_in_it_belongs_to_somebody_else(tmp_path) -> None:
    code = tmp_path / "numba" / "compiled-0"
    code.mkdir(parents=True)
    os.chown(code, 12345, -1)
    with pytest.raises(SharedFolder, match="another user"):
        check_code_folder(tmp_path / "numba")


def test_a_link_into_it_is_judged_by_its_target(tmp_path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    elsewhere.chmod(0o777)
    (tmp_path / "numba").symlink_to(elsewhere)
    with pytest.raises(SharedFolder):
        check_code_folder(tmp_path / "numba")


def test_the_sticky_folder_of_all_users_may_hold_it(tmp_path) -> None:
    tmp_path.chmod(0o1777)
    folder: Path = tmp_path / "numba"
    folder.mkdir(mode=0o700)
    check_code_folder(folder)
