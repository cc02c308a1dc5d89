"""Pinned files match pyproject.toml, and the README's install commands use them."""

import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.checks.project_files import ROOT, ci_script, text_of

requirements = ci_script("requirements")
FILES = (
    "pyproject.toml",
    "requirements.txt",
    "requirements-push.txt",
    "requirements-test.txt",
)


@pytest.fixture
def checked(monkeypatch, capsys) -> Callable[[Path], tuple[int, str]]:
    """Run the check as CI does; return its exit status and what it prints."""

    def run(folder: Path) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["requirements.py", str(folder)])
        return requirements.main(), capsys.readouterr().out

    return run


@pytest.fixture
def copy(tmp_path) -> Path:
    for file in FILES:
        shutil.copy(ROOT / file, tmp_path)
    return tmp_path


def replace(file: Path, pattern: str, by: str) -> None:
    text, count = re.subn(pattern, by, file.read_text("utf-8"), flags=re.MULTILINE)
    assert count, pattern
    file.write_text(text, "utf-8")


def test_the_pinned_files_fit_pyproject(checked) -> None:
    assert checked(ROOT) == (0, "")


HASH = f"--hash=sha256:{'a' * 64}"
DEFECTS = {
    "a dependency without a pin": (
        "pyproject.toml",
        r"^dependencies = \[$",
        'dependencies = [\n    "flask>=3",',
        "requirements.txt: flask is not pinned",
    ),
    "a bound that the pin does not meet": (
        "pyproject.toml",
        r'"Django>=5\.2\.19,<5\.3"',
        '"Django>=6,<7"',
        "Django is pinned to 5.2.",
    ),
    "a build tool that is too old": (
        "pyproject.toml",
        r'^requires = \["setuptools>=77"\]',
        'requires = ["setuptools>=9999"]',
        "setuptools is pinned to ",
    ),
    "a pin that Windows turns without": (
        "requirements.txt",
        r"^daphne==(\S+) ",
        r"daphne==\1 ; sys_platform != 'win32' ",
        "requirements.txt: daphne is not pinned",
    ),
    "a package that is pinned twice": (
        "requirements.txt",
        r"\Z",
        f"django==5.2.1 {HASH}\n",
        "requirements.txt: django is pinned twice",
    ),
    "a pin without hashes": (
        "requirements.txt",
        r"\Z",
        "flask==3.1.0\n",
        "requirements.txt: flask has no hashes",
    ),
    "a pin that is a range": (
        "requirements.txt",
        r"\Z",
        f"flask>=3 {HASH}\n",
        "requirements.txt: flask is not pinned to one version",
    ),
    "an option": (
        "requirements.txt",
        r"\A",
        "--no-binary :all:\n",
        "requirements.txt: an option: --no-binary",
    ),
    "a host's name": (
        "requirements-test.txt",
        r"\A",
        "--find-links https://example.org/wheels\n",
        "requirements-test.txt: an address or a path: --find-links",
    ),
    "an address as a release": (
        "requirements.txt",
        r"\Z",
        f"flask @ https://example.org/flask.whl {HASH}\n",
        "requirements.txt: an address or a path: flask @",
    ),
    "another release in the tests": (
        "requirements-test.txt",
        r"^whitenoise==\S+",
        "whitenoise==6.9.0",
        "whitenoise: [",
    ),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_defect_is_named_with_the_command_that_mends_it(copy, checked, defect) -> None:
    file, pattern, by, problem = DEFECTS[defect]
    replace(copy / file, pattern, by)
    status, said = checked(copy)
    assert status == 1
    assert problem in said
    assert "Run `make requirements`" in said


def test_every_pin_is_read_with_its_hashes() -> None:
    for file in FILES[1:]:
        text = text_of(ROOT / file)
        pins, problems = requirements.parse(text)
        assert problems == []
        assert len(pins) == len(re.findall(r"^[a-z0-9.-]+==", text, flags=re.MULTILINE)) > 40
        assert sum(len(pin.hashes) for pin in pins) == text.count("--hash=")


def test_the_documents_install_pinned_files_only() -> None:
    docs = (ROOT / "site" / "docs" / name for name in ("running.md", "operating.md"))
    pages = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *docs)
    text = "\n".join(map(text_of, pages))
    commands = re.findall(r"pip install ([^&`\n]*)", text)
    assert len(commands) >= 6
    for options in commands:
        own = re.fullmatch(r"--no-deps --no-build-isolation \. *", options)
        pinned = re.search(r"--require-hashes .*-r requirements(-push|-test)?\.txt *$", options)
        assert own or pinned, options
