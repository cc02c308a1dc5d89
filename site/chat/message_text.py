"""Normalisation of chat text before it is stored."""

import re
from unicodedata import normalize

from accounts.public_profile.characters import MAX_MARKS, is_control, is_mark, is_visible

MAX_TEXT_CHARS = 200  # characters
_SPACES = re.compile(r"\s+")


def clean_text(text: str) -> str:
    """Returns the text as stored and shown: NFC, single spaces, no control characters.

    Removes control characters, bidirectional overrides, private-use characters and invisible
    formatting; whitespace and line ends become single spaces. Empty if nothing visible is left.
    """
    spaced = _SPACES.sub(" ", text)
    plain = "".join(char for char in spaced if not is_control(char))
    # Marks are limited first too: normalising a long run of them takes quadratic time.
    composed = normalize("NFC", _limit_marks(plain))
    whole = _SPACES.sub(" ", _limit_marks(composed)).strip()
    return whole if any(map(is_visible, whole)) else ""


def _limit_marks(text: str) -> str:
    """Returns the text without excess combining marks on one letter."""
    kept, marks = [], 0
    for char in text:
        marks = marks + 1 if is_mark(char) else 0
        if marks <= MAX_MARKS:
            kept.append(char)
    return "".join(kept)
