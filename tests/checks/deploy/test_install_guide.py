"""The commands of site/docs/operating.md put the kit's files where systemd and nginx find them."""

import re
import subprocess
from pathlib import Path

import pytest

from config.env import read_environment
from tests.checks.deploy.kit import GUIDE, KIT
from tests.checks.deploy.test_systemd_units import PYTHON, analyze, needs_analyze
from tests.checks.project_files import ROOT, text_of

UNITS = {
    "quiver@.service", "quiver@.socket", "quiver-bots.service", "quiver-notices.service",
    "quiver.target",
}  # fmt: skip


def first_install() -> list[str]:
    """The commands of the first install, one a line."""
    section = text_of(GUIDE).split("\n## First install\n")[1].split("\n## ")[0]
    return re.findall(r"^    (.*)$", section, re.MULTILINE)


@pytest.fixture
def etc(tmp_path) -> Path:
    """A folder in the place of /etc, with what the guide's `install` commands put there."""
    for folder in ("systemd/system", "nginx/conf.d"):
        (tmp_path / folder).mkdir(parents=True)
    parts = [part for line in first_install() for part in line.split(" && ")]
    for command in [part for part in parts if part.startswith("install ")]:
        subprocess.run(
            ["bash", "-ec", command.replace("/etc/", f"{tmp_path}/")], cwd=ROOT, check=True
        )
    return tmp_path


def test_it_takes_ten_commands() -> None:
    assert len(first_install()) == 10


def test_all_files_are_where_they_belong(etc) -> None:
    assert {path.name for path in (etc / "systemd" / "system").iterdir()} == UNITS
    assert (etc / "quiver.env").stat().st_mode & 0o777 == 0o600
    nginx = (etc / "nginx" / "conf.d" / "quiver.conf").read_text(encoding="utf-8")
    [included] = re.findall(r"^include (\S+);", nginx, re.MULTILINE)
    assert (etc / "nginx" / included).is_file()


@needs_analyze
def test_what_is_enabled_was_installed(etc) -> None:
    [line] = [line for line in first_install() if line.startswith("systemctl enable")]
    listed = subprocess.run(
        ["bash", "-c", f"printf '%s\\n' {line.removeprefix('systemctl enable --now ')}"],
        capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    system = etc / "systemd" / "system"
    files = []
    for name in listed:
        full = name if "." in name else f"{name}.service"
        unit = system / re.sub(r"@\d+", "@", full)
        instance = system / full
        instance.write_text(unit.read_text().replace(PYTHON, "/bin/true"))
        files.append(str(instance))
    assert len(files) == 7
    done = analyze("verify", "--man=no", "--recursive-errors=no", *files)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_shell_and_systemd_read_the_same_settings() -> None:
    file = KIT / "systemd" / "quiver.env"
    lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    command = ["env", "-i", "bash", "-c", f"set -a; . '{file}'; env -0"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    shell = dict(pair.split("=", 1) for pair in printed.split("\0") if pair)
    for line in lines:
        name, _, value = line.partition("=")
        assert shell[name] == value.strip('"')
    assert read_environment(shell).tls is True


def test_without_a_secret_of_its_own_the_site_does_not_start_on_it() -> None:
    text = text_of(KIT / "systemd" / "quiver.env")
    assert re.search(r"^QUIVER_SECRET=$", text, re.MULTILINE)


def commands() -> list[str]:
    """All commands of the guide, one a line."""
    return re.findall(r"^    (?! )(.*)$", text_of(GUIDE), re.MULTILINE)


def test_a_backup_that_only_root_may_read_is_opened_by_root() -> None:
    """The dump is made under umask 077 by root's shell; `runuser` reads it from standard input."""
    readers = [line for line in commands() if "pg_restore" in line]
    assert len(readers) == 2
    for line in readers:
        assert re.search(r"pg_restore -d \w+ < /var/backups/\S+\.dump", line), line


def test_the_folders_that_postgres_writes_to_are_made_for_it() -> None:
    made = [line for line in commands() if line.startswith("install -d -o postgres")]
    folders = {part for line in made for part in line.split() if part.startswith("/var/backups/")}
    text = text_of(GUIDE)
    written = re.findall(r"cp %p (\S+)/%f", text) + re.findall(r"pg_basebackup -D (\S+)/", text)
    assert len(written) == 2 and {*written} <= folders
