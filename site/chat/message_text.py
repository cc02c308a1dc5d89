"""Normalisation of chat text before it is stored."""

import re
from unicodedata import category, combining, normalize

MAX_TEXT_CHARS = 200  # characters
MAX_MARKS = 4  # on one letter; more would overlap the lines above and below

JOINERS = frozenset("\u200c\u200d")  # needed by some scripts and by emoji
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters by category, but invisible
_SPACES = re.compile(r"\s+")


def clean_text(text: str) -> str:
    """Returns the text as stored and shown: NFC, single spaces, no control characters.

    Removes control characters, bidirectional overrides, private-use characters and invisible
    formatting; whitespace and line ends become single spaces. Empty if nothing visible is left.
    """
    spaced = _SPACES.sub(" ", text)
    plain = "".join(char for char in spaced if char in JOINERS or category(char)[0] != "C")
    # Marks are limited first too: normalising a long run of them takes quadratic time.
    composed = normalize("NFC", _limit_marks(plain))
    whole = _SPACES.sub(" ", _limit_marks(composed)).strip()
    return whole if any(map(_is_visible, whole)) else ""


def _limit_marks(text: str) -> str:
    """Returns the text without excess combining marks on one letter."""
    kept, marks = [], 0
    for char in text:
        marks = marks + 1 if category(char) in ("Mn", "Me") or combining(char) else 0
        if marks <= MAX_MARKS:
            kept.append(char)
    return "".join(kept)


def _is_visible(char: str) -> bool:
    return category(char)[0] in "LNPS" and char not in BLANK
