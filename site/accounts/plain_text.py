"""Plain text that people write: one rule for chat, bios, comments and titles, for names of devices.

`static/js/lib/plain-text.js` is the same function for pages; both are tested against
`tests/support/plain_texts.json`. Code points that this Unicode version does not know are kept: a
newer phone has emoji that a server has not heard of.
"""

import re
from typing import Final
from unicodedata import category, combining, normalize

MAX_MARKS: Final = 4  # on one letter; more would overlap the lines above and below
# The mandatory line breaks of Unicode (UAX 14).
_LINE_ENDS: Final = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_NONCHARACTERS: Final = "".join(
    chr(plane << 16 | 0xFFFE | bit) for plane in range(17) for bit in (0, 1)
)
# Control characters, embeddings and isolates (they reorder the text of others), deprecated
# formatting, surrogates, private use, noncharacters.
_DROPPED: Final = re.compile(
    "[\x00-\x09\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u206f\ud800-\uf8ff"
    f"\ufdd0-\ufdef\ufeff\ufff9-\ufffb{_NONCHARACTERS}\U000e0001\U000f0000-\U0010ffff]"
)
_BLANKS: Final = re.compile("[ \n\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
# Blanks, and what leaves no trace alone: joiners, direction marks, fillers, selectors, tags.
_INVISIBLE: Final = re.compile(
    "[ \n\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u202f"
    "\u205f-\u2065\u2800\u3000\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_MAYBE_MARKS: Final = re.compile(rf"\W{{{MAX_MARKS + 1},}}")  # letters and digits are no marks


def plain_text(text: str) -> str:
    """Return a text as stored and shown: NFC, lines end in LF, a tab is a blank.

    Control characters and others that distort text are dropped, and so are marks beyond MAX_MARKS
    on one letter. Empty if nothing visible is left.
    """
    text = _DROPPED.sub("", _LINE_ENDS.sub("\n", text).replace("\t", " "))
    # Marks are limited first too: composing a long run of them takes quadratic time.
    text = _limit_marks(normalize("NFC", _limit_marks(text)))
    return text if any(not _is_mark(char) for char in _INVISIBLE.sub("", text)) else ""


def plain_line(text: str) -> str:
    """Return a text as `plain_text` does, on one line: single blanks, none at the ends."""
    return _BLANKS.sub(" ", plain_text(text)).strip(" ")


def _limit_marks(text: str) -> str:
    """Return the text without excess combining marks on one letter."""
    return _MAYBE_MARKS.sub(lambda run: _limit_in_run(run[0]), text)


def _limit_in_run(run: str) -> str:
    kept, marks = [], 0
    for char in run:
        marks = marks + 1 if _is_mark(char) else 0
        if marks <= MAX_MARKS:
            kept.append(char)
    return "".join(kept)


def _is_mark(char: str) -> bool:
    """Return whether a character is drawn on the letter before it."""
    return category(char) in ("Mn", "Me") or bool(combining(char))
