"""CI's check of the engines takes its tools from the pinned file and the record."""

from __future__ import annotations

import importlib
import re
from typing import Any

import pytest

from games.wasm.artefacts import ROOT, read_record

PINS = (ROOT / "requirements-test.txt").read_text("utf-8")


@pytest.fixture
def engines(monkeypatch) -> Any:
    monkeypatch.syspath_prepend(ROOT / ".ci")
    return importlib.import_module("engines")


def test_the_tools_are_taken_with_their_hashes_and_nothing_else(engines) -> None:
    text = engines.pins(PINS)
    names = re.findall(r"^([a-z0-9-]+)==", text, re.MULTILINE)
    assert {*names} == {*engines.PACKAGES}  # numpy has one entry for each Python
    hashes = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]
    assert all("--hash=sha256:" in entry for entry in hashes)


def test_a_tool_that_is_not_pinned_is_named(engines) -> None:
    with pytest.raises(SystemExit, match="does not pin llvmlite, numba, numpy, ziglang"):
        engines.pins("numba==0.68.1 \\\n    --hash=sha256:00\n")


def test_the_python_is_that_of_the_record(engines) -> None:
    versions = {entry["tools"]["python"] for entry in read_record().values()}
    assert {engines.python_of_record()} == versions
