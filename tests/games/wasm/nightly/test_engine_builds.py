"""The committed engines are the bytes that the pinned tools build; 25 CPU seconds."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from games.wasm.artefacts import ENGINES, files_of, read_record
from games.wasm.build import PYTHON, build

PYTHONS = {entry["tools"]["python"] for entry in read_record().values()}
HAS_TOOLS = find_spec("ziglang") is not None and {PYTHON} == PYTHONS
# CI compares with the Python of the record in any case.
LEFT_OUT = pytest.mark.left_out("ziglang or the engines' Python is not here: .ci/engines.py")
BUILD = "run `python -m games wasm` (games/wasm/README.md)"


@pytest.mark.timeout(900)
@pytest.mark.parametrize("names", [pytest.param(ENGINES, marks=[] if HAS_TOOLS else [LEFT_OUT])])
def test_the_pinned_tools_build_the_same_bytes(names) -> None:
    built = {name: build(name) for name in names}

    for path, data in files_of(built).items():
        assert path.read_bytes() == data, f"{path.name} differs: {BUILD}"
