"""What a user may be called, and friendly names for guests."""

import re
import secrets
import unicodedata

from django.core.exceptions import ValidationError

from accounts.words import FIRST, SECOND

LONGEST = 20
NAME = re.compile(r"[A-Za-z0-9_-]{3,20}")

# Names that would pass for a part of the site or for its keepers.
_RESERVED = """
admin administrator anonymous api black bot bots computer guest guests help host lobby mod
moderator none nobody null quiver root server site staff static support system undefined white
you
"""
RESERVED = frozenset(_RESERVED.split())


def normalized(name: str) -> str:
    """The one spelling of a name that is compared and stored (Unicode NFC)."""
    return unicodedata.normalize("NFC", name)


def validate_name(name: str) -> None:
    """Raises ValidationError for a name that nobody may have."""
    if not NAME.fullmatch(name):
        raise ValidationError(
            "A name has 3 to 20 letters (a to z), digits, hyphens or underscores.", code="spelling"
        )
    if name.casefold() in RESERVED:
        raise ValidationError("That name is kept for the site itself.", code="reserved")


def friendly(digits: int = 2) -> str:
    """A random name such as `amber-heron-47`; at most 20 characters for up to four digits."""
    number = secrets.randbelow(9 * 10 ** (digits - 1)) + 10 ** (digits - 1)
    return f"{secrets.choice(FIRST)}-{secrets.choice(SECOND)}-{number}"
