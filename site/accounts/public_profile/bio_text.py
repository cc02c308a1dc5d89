"""Check bios: plain text of few lines."""

from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import ngettext_lazy

from accounts.plain_text import plain_line, plain_text

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


def clean_bio(text: str) -> str:
    """Return a bio as stored: NFC, single spaces, no blank lines at its ends; empty for none.

    Raises ValidationError for a text that is too long.
    """
    lines = [plain_line(line) for line in plain_text(text).split("\n")]
    text = "\n".join(lines).strip("\n")
    if len(text) > MAX_BIO_CHARS:
        raise ValidationError(TOO_LONG, code="long", params={"limit_value": MAX_BIO_CHARS})
    if text.count("\n") >= MAX_BIO_LINES:
        raise ValidationError(TOO_MANY_LINES, code="lines", params={"count": MAX_BIO_LINES})
    return text
