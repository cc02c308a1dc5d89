"""Commands under terminals of other encodings: no letter of their output ends them."""

import subprocess
import sys
from pathlib import Path

import pytest

from games.text import escape_unencodable_output
from tests.support.servers.server_process import ROOT, embedded

PLAIN_C = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
LOCALES = {
    "C": PLAIN_C,
    "Latin-5": {**PLAIN_C, "PYTHONIOENCODING": "iso8859-9"},
    "cp1252": {**PLAIN_C, "PYTHONIOENCODING": "cp1252"},
}
COMMANDS = {
    "site": ["manage.py", "env"],
    "games": ["-m", "games", "--help"],
}


def run(
    command: list[str], data: Path, locale: dict[str, str]
) -> subprocess.CompletedProcess[bytes]:
    """Runs Python from the root of the repository, under a locale."""
    environment = {**embedded(), "QUIVER_DATA": str(data), **locale}
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, timeout=60
    )


@pytest.mark.processes
@pytest.mark.parametrize("locale", LOCALES.values(), ids=LOCALES)
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_command_prints_whatever_the_locale(command, locale, tmp_path) -> None:
    done = run(command, tmp_path, locale)
    assert b"UnicodeEncodeError" not in done.stderr
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "iso8859-9", "cp1252"])
def test_letters_that_an_encoding_lacks_are_escaped(encoding, tmp_path, monkeypatch) -> None:
    path = tmp_path / "output"
    with path.open("w", encoding=encoding) as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        escape_unencodable_output()
        print("→ ş…")
    assert path.read_text(encoding=encoding).startswith(r"\u2192 ")


def test_a_stream_that_is_not_a_file_is_left_alone(monkeypatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    escape_unencodable_output()
