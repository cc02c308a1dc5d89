"""CI's check of the engines takes its tools from the pinned file and the record."""

from __future__ import annotations

import re

import pytest

from games.wasm.artefacts import read_record
from tests.checks.project_files import ROOT, ci_script, text_of

PINS = text_of(ROOT / "requirements-test.txt")
engines = ci_script("engines")


def test_the_tools_are_taken_with_their_hashes_and_nothing_else() -> None:
    text = engines.pins(PINS)
    names = re.findall(r"^([a-z0-9-]+)==", text, re.MULTILINE)
    assert {*names} == {*engines.PACKAGES}  # numpy has one entry for each Python
    hashes = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]
    assert all("--hash=sha256:" in entry for entry in hashes)


def test_a_tool_that_is_not_pinned_is_named() -> None:
    with pytest.raises(SystemExit, match="does not pin llvmlite, numba, numpy, ziglang"):
        engines.pins("numba==0.68.1 \\\n    --hash=sha256:00\n")


def test_the_python_is_that_of_the_record() -> None:
    versions = {entry["tools"]["python"] for entry in read_record().values()}
    assert {engines.python_of_record()} == versions
