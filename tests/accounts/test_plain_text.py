"""Texts that people write: the same vectors as those of the pages."""

import json
import time
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.plain_text import MAX_MARKS, plain_line, plain_text

VECTORS = json.loads((Path(__file__).parents[1] / "support/plain_texts.json").read_text("utf-8"))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["law"])
def test_a_text_is_kept_as_pages_keep_it(vector: dict[str, str]) -> None:
    assert plain_text(vector["typed"]) == vector["text"]
    assert plain_line(vector["typed"]) == vector["line"]


@given(st.text(max_size=60))
def test_cleaning_again_changes_nothing(text: str) -> None:
    once, line = plain_text(text), plain_line(text)
    assert plain_text(once) == once == normalize("NFC", once)
    assert plain_line(line) == line == line.strip()
    assert not set(once) & set("\x00\r\t\u202e\u2066\ud800")


def test_endless_accents_cost_no_time() -> None:
    began = time.process_time()
    assert len(plain_text("a" + "\u0315\u0300\U0001d165" * 20_000)) <= 1 + MAX_MARKS
    assert time.process_time() - began < 2  # composing them takes half a minute
