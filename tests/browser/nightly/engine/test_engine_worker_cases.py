"""The engine's worker in Chromium, under the site's own headers: the lines of native code."""

from __future__ import annotations

import json

import pytest

from tests.browser.chromium.engine_pages import ASK, PAGE
from tests.games.wasm.native_lines import GOLDEN, KEYS

CASES = json.loads(GOLDEN.read_text("utf-8"))


@pytest.mark.parametrize("key", KEYS)
async def test_the_worker_finds_the_lines_of_native_code_to_the_bit(visit, key) -> None:
    cases = [each for each in CASES if each["key"] == key]
    ada = await visit("ada")
    await ada.page.goto(f"{ada.home}{PAGE}")
    answers = await ada.page.evaluate(ASK, cases)
    assert answers == [each["lines"] for each in cases]
