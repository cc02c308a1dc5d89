"""The systemd units of site/server/deploy: valid, confined, never given up, and about this site."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.checks.deploy.kit import KIT, KNOWN_COMMANDS, KNOWN_VARIABLES
from tests.checks.project_files import text_of

UNITS = KIT / "systemd"
PYTHON = "/srv/quiver/.venv/bin/python"
# `systemd-analyze security` rates the exposure from 0 to 10.
MAX_EXPOSURE = {"quiver@.service": 2.5, "quiver-bots.service": 2.5, "quiver-notices.service": 2.5}
SERVICES = pytest.mark.parametrize("name", MAX_EXPOSURE)

needs_analyze = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="needs systemd-analyze (Debian: systemd)"
)


def unit(name: str) -> str:
    """The text of a unit."""
    return text_of(UNITS / name)


def settings_of(name: str) -> dict[str, list[str]]:
    """The settings of a unit, by name; some stand in it more than once."""
    found: dict[str, list[str]] = {}
    for key, value in re.findall(r"^(\w+)=(.*)$", unit(name), re.MULTILINE):
        found.setdefault(key, []).append(value)
    return found


def analyze(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs systemd-analyze."""
    command = ["systemd-analyze", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def instances(folder: Path) -> list[str]:
    """All units in a folder, those of a port as instances; Python is not where they look for it."""
    for file in UNITS.glob("quiver*.*"):
        text = text_of(file).replace(PYTHON, "/bin/true")
        (folder / file.name.replace("@.", "@8001.")).write_text(text, encoding="utf-8")
        (folder / file.name).write_text(text, encoding="utf-8")
    found = [path for path in folder.iterdir() if "@." not in path.name and path.suffix != ".env"]
    return [str(path) for path in found]


@needs_analyze
def test_systemd_finds_no_fault_in_them(tmp_path) -> None:
    files = instances(tmp_path)
    assert len(files) == 5
    done = analyze("verify", "--man=no", "--recursive-errors=no", *files)
    assert (done.returncode, done.stderr) == (0, "")


@needs_analyze
def test_that_check_finds_faults(tmp_path) -> None:
    files = instances(tmp_path)
    faulty = tmp_path / "quiver-bots.service"
    faulty.write_text(faulty.read_text().replace("Restart=always", "Restart=sometimes"))
    assert "sometimes" in analyze("verify", "--man=no", "--recursive-errors=no", *files).stderr


@needs_analyze
@SERVICES
def test_a_service_exposes_little_of_the_machine(name, tmp_path) -> None:
    file = tmp_path / name.replace("@.", "@8001.")
    file.write_text(unit(name), encoding="utf-8")
    limit = f"--threshold={MAX_EXPOSURE[name] * 10:.0f}"
    done = analyze("security", "--offline=true", "--no-pager", limit, str(file))
    assert "Overall exposure level" in done.stdout, done.stderr
    assert done.returncode == 0, done.stdout.splitlines()[-1]


@SERVICES
def test_numba_may_write_the_code_that_it_runs(name) -> None:
    assert "MemoryDenyWriteExecute" not in settings_of(name)


@SERVICES
def test_a_service_is_restarted_for_ever_and_bounded(name) -> None:
    found = settings_of(name)
    assert found["StartLimitIntervalSec"] == ["0"]
    assert found["Restart"] == ["always"]
    assert found["PartOf"] == found["WantedBy"] == ["quiver.target"]
    assert {"MemoryMax", "OOMScoreAdjust", "TimeoutStopSec", "User"} <= found.keys()


def test_a_web_process_adopts_its_socket() -> None:
    found = settings_of("quiver@.service")
    assert found["Requires"] == ["quiver@%i.socket"]
    socket = settings_of("quiver@.socket")
    assert socket["ListenStream"] == ["127.0.0.1:%i"] and socket["Backlog"] == ["4096"]


@SERVICES
def test_a_service_runs_a_command_of_this_site(name) -> None:
    [line] = settings_of(name)["ExecStart"]
    python, script, command, *options = shlex.split(line)
    assert (python, script) == (PYTHON, "manage.py")
    assert command in KNOWN_COMMANDS
    assert options in ([], ["--port", "%i", "--endpoint", "systemd:domain=INET:index=0"])


def test_each_process_has_a_port_of_its_own_for_metrics() -> None:
    ports = []
    for name in MAX_EXPOSURE:
        text = unit(name).replace("%i", "8001")
        ports += re.findall(r"QUIVER_METRICS=(\d+)", text)
    assert sorted(ports) == ["18001", "18101", "18102"]
    scraped = text_of(KIT / "monitoring" / "prometheus-scrape.yml")
    assert {f"127.0.0.1:{port}" for port in ports} <= set(re.findall(r'"(\S+?)"', scraped))


def test_all_their_variables_exist() -> None:
    texts = [line for name in MAX_EXPOSURE for line in settings_of(name)["Environment"]]
    named = {each.split("=")[0] for line in texts for each in line.split()}
    lines = unit("quiver.env").splitlines()
    named |= {line.split("=")[0] for line in lines if line and not line.startswith("#")}
    assert named <= KNOWN_VARIABLES
    assert {"DATABASE_URL", "QUIVER_SECRET", "QUIVER_METRICS"} <= named
