"""The committed engines: built from the present sources, small, and of one sort of instructions."""

from __future__ import annotations

import re
from importlib.util import find_spec

import pytest

from games.wasm import artefacts
from games.wasm.artefacts import ENGINES, MODULES, changed_sources, files_of
from games.wasm.build import PYTHON, TOOLS, build

MOST_BYTES = {"amazons": (40_000, 10_000), "pincer": (25_000, 7_000)}  # plain, brotli
PYTHONS = {entry["tools"]["python"] for entry in artefacts.read_record().values()}
HAS_TOOLS = find_spec("ziglang") is not None and {PYTHON} == PYTHONS
# CI compares with the Python of the record in any case.
LEFT_OUT = pytest.mark.left_out("ziglang or the engines' Python is not here: .ci/engines.py")
BUILD = "run `python -m games wasm` (games/wasm/README.md)"


def test_the_modules_are_those_of_the_present_sources() -> None:
    assert changed_sources() == [], BUILD


def test_a_changed_source_is_named(monkeypatch) -> None:
    path = "games/players/amazons/tree.py"
    known = artefacts.digest_file
    monkeypatch.setattr(
        artefacts, "digest_file", lambda file: "changed" if file == path else known(file)
    )
    assert changed_sources() == [path]


@pytest.mark.parametrize("name", ENGINES)
def test_a_module_is_small(name) -> None:
    import brotli

    code = (MODULES / f"{name}.wasm").read_bytes()
    plain, compressed = MOST_BYTES[name]
    assert len(code) <= plain
    assert len(brotli.compress(code)) <= compressed


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("names", [pytest.param(ENGINES, marks=[] if HAS_TOOLS else [LEFT_OUT])])
def test_the_pinned_tools_build_the_same_bytes(names) -> None:
    built = {name: build(name) for name in names}

    for path, data in files_of(built).items():
        assert path.read_bytes() == data, f"{path.name} differs: {BUILD}"


def test_the_tools_of_the_record_are_those_that_are_pinned() -> None:
    text = (artefacts.ROOT / "requirements-test.txt").read_text("utf-8")
    pins = re.findall(r"^([a-z0-9-]+)==([^\s;\\]+)", text, re.MULTILINE)
    for entry in artefacts.read_record().values():
        tools = {tool: pin for tool, pin in entry["tools"].items() if tool != "python"}
        assert {*tools} == {*TOOLS}
        for tool, version in tools.items():
            assert (tool, version) in pins, BUILD
