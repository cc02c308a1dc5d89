"""Check bios: plain text of few lines, without characters that hide or distort text."""

import re
from typing import Final
from unicodedata import normalize

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from accounts.public_profile.characters import BLANK, MAX_MARKS, is_control, is_mark, is_visible

MAX_BIO_CHARS: Final = 300
MAX_BIO_LINES: Final = 6
TOO_LONG = ngettext_lazy(
    "Use at most %(limit_value)d character.",
    "Use at most %(limit_value)d characters.",
    "limit_value",
)
TOO_MANY_LINES = ngettext_lazy(
    "Use at most %(count)d line.", "Use at most %(count)d lines.", "count"
)
ODD = _("Invisible and control characters aren’t allowed.")
TOO_MANY_MARKS = _("Use fewer accents on one letter.")
_LINE_ENDS = re.compile(r"\r\n?")
_BLANKS = re.compile(r"[^\S\n]+")


def clean_bio(text: str) -> str:
    """Return a bio as stored: NFC, single spaces, no blank lines at its ends; empty for none.

    Raises ValidationError for a text that is too long, and for characters that are not allowed.
    """
    lines = _BLANKS.sub(" ", _LINE_ENDS.sub("\n", text)).strip().split("\n")
    text = "\n".join(line.strip() for line in lines)
    if len(text) > MAX_BIO_CHARS:  # before it is composed, which takes quadratic time
        raise ValidationError(TOO_LONG, code="long", params={"limit_value": MAX_BIO_CHARS})
    if len(lines) > MAX_BIO_LINES:
        raise ValidationError(TOO_MANY_LINES, code="lines", params={"count": MAX_BIO_LINES})
    if any(char in BLANK or (char != "\n" and is_control(char)) for char in text):
        raise ValidationError(ODD, code="odd")
    if _most_marks(text) > MAX_MARKS:
        raise ValidationError(TOO_MANY_MARKS, code="marks")
    composed = normalize("NFC", text)
    if len(composed) > MAX_BIO_CHARS:  # some letters are decomposed by NFC
        raise ValidationError(TOO_LONG, code="long", params={"limit_value": MAX_BIO_CHARS})
    if text and not any(map(is_visible, composed)):
        raise ValidationError(ODD, code="odd")
    return composed


def _most_marks(text: str) -> int:
    """Return the length of the longest run of marks."""
    most = marks = 0
    for char in text:
        marks = marks + 1 if is_mark(char) else 0
        most = max(most, marks)
    return most
