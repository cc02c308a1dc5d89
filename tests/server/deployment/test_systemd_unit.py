"""The documented systemd unit: its exposure as `systemd-analyze security` rates it, 0 to 10."""

import shutil
import subprocess

import pytest

from tests.support.servers.server_process import ROOT

MAX_EXPOSURE = {"web": 2.5, "bots": 3.5, "notices": 3.5}
COMMANDS = {
    "web": "manage.py serve --port %i",
    "bots": "manage.py runbots",
    "notices": "manage.py runnotices",
}

pytestmark = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="needs systemd-analyze (Debian: systemd)"
)


def documented_unit() -> str:
    """Return the page's block that begins with the name of the unit file."""
    lines = (ROOT / "site" / "docs" / "running.md").read_text(encoding="utf-8").splitlines()
    start = lines.index("    # /etc/systemd/system/quiver@.service")
    end = lines.index("", start)
    return "\n".join(line.strip() for line in lines[start:end])


@pytest.mark.parametrize("kind", MAX_EXPOSURE)
def test_the_unit_exposes_little_of_the_machine(kind, tmp_path) -> None:
    unit = documented_unit().replace(COMMANDS["web"], COMMANDS[kind]).replace("%i", "8001")
    assert COMMANDS[kind].replace("%i", "8001") in unit
    file = tmp_path / "quiver.service"
    file.write_text(unit, encoding="utf-8")
    limit = f"--threshold={MAX_EXPOSURE[kind] * 10:.0f}"
    command = ["systemd-analyze", "security", "--offline=true", "--no-pager", limit, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert "Overall exposure level" in done.stdout, done.stderr
    assert done.returncode == 0, done.stdout.splitlines()[-1]


def test_numba_may_write_the_code_that_it_runs() -> None:
    assert "MemoryDenyWriteExecute=" not in documented_unit()
