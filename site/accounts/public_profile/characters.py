"""Characters that texts by people may have; the rules are the same for chat and for bios."""

from typing import Final
from unicodedata import category, combining

MAX_MARKS: Final = 4  # on one letter; more would overlap the lines above and below
JOINERS: Final = frozenset("\u200c\u200d")  # needed by some scripts and by emoji
BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters by category, but invisible


def is_control(char: str) -> bool:
    """Return whether a character is a control, invisible formatting, private, or unassigned.

    Bidirectional overrides are among them.
    """
    return char not in JOINERS and category(char)[0] == "C"


def is_mark(char: str) -> bool:
    """Return whether a character is drawn on the letter before it."""
    return category(char) in ("Mn", "Me") or bool(combining(char))


def is_visible(char: str) -> bool:
    """Return whether a character alone can be seen."""
    return category(char)[0] in "LNPS" and char not in BLANK
