"""What becomes of the text that somebody writes, before it is kept."""

import re
from unicodedata import category, combining, normalize

LONGEST = 200  # characters of a line
MOST_MARKS = 4  # accents on one letter; more of them run over the lines above and below

JOINERS = frozenset("\u200c\u200d")  # some scripts and many signs need them
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters by their class that show nothing
_SPACES = re.compile(r"\s+")


def cleaned(text: str) -> str:
    """The text as it is kept and shown: NFC, one kind of blank, nothing that steers the page.

    Control characters, overrides of the writing direction, private characters and invisible
    formatting go; blanks and line ends become single blanks. Empty if nothing visible is left.
    """
    spaced = _SPACES.sub(" ", text)
    plain = "".join(char for char in spaced if char in JOINERS or category(char)[0] != "C")
    composed = normalize("NFC", _few_marks(plain))  # a long run of accents would take for ever
    whole = _SPACES.sub(" ", _few_marks(composed)).strip()
    return whole if any(map(_is_seen, whole)) else ""


def _few_marks(text: str) -> str:
    """The text without what is too much of accents on one letter."""
    kept, marks = [], 0
    for char in text:
        marks = marks + 1 if category(char) in ("Mn", "Me") or combining(char) else 0
        if marks <= MOST_MARKS:
            kept.append(char)
    return "".join(kept)


def _is_seen(char: str) -> bool:
    return category(char)[0] in "LNPS" and char not in BLANK
