"""Helpers for text from untrusted sources, and for output to terminals of any encoding."""

from __future__ import annotations

import io
import sys
from typing import Final

MAX_ACTION_CHARS: Final = 40  # characters; no canonical action has more


def clip(text: str) -> str:
    """Return the text made safe for a sentence: printable ASCII, 40 characters at most."""
    shown = "".join(letter if " " <= letter <= "~" else "?" for letter in text[:41])
    return shown if len(shown) <= 40 else shown[:39] + "…"


def count(text: str, what: str, most: int = 999_999) -> int:
    """Parse a whole number from 0, without sign or leading zeros. Raises ValueError."""
    if text.isascii() and text.isdecimal() and len(text) <= 6 and str(int(text)) == text:
        number = int(text)
        if number <= most:
            return number
    raise ValueError(f"the number of {what} is a whole number from 0 to {most}")


def escape_unencodable_output() -> None:
    """Let stdout and stderr escape the letters that their encoding lacks.

    Otherwise a "…" ends a command with UnicodeEncodeError under a Latin-5 or plain C locale.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
