"""The expected lines of the engine's tests in Node equal those of native code."""

from __future__ import annotations

import json

import pytest

from tests.games.wasm.native_lines import GOLDEN, golden_cases

pytest.importorskip("numba")


@pytest.mark.nightly
def test_the_golden_lines_are_those_of_native_code() -> None:
    assert list(golden_cases()) == json.loads(GOLDEN.read_text("utf-8"))
