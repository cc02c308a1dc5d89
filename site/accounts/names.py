"""Validation of user names, and generated names for guests."""

import re
import secrets
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.words import FIRST, SECOND

LONGEST = 20
NAME = re.compile(r"[A-Za-z0-9_-]{3,20}")
SPELLING = _("A name has 3 to 20 letters (a to z), digits, hyphens or underscores.")
KEPT = _("That name is kept for the site itself.")
TAKEN = _("That name is taken.")
GONE = "deleted-"  # begins the name of whoever has deleted himself; nobody else may have such a one

# Names that would pass for a part of the site or for its keepers.
_RESERVED = """
admin administrator anonymous api black bot bots computer deleted guest guests help host lobby me
mod moderator moderators mods nobody none null official opponent player quiver root security server
settings site spectator staff static support system team undefined watcher white you
"""
# Those of the computer players, see `accounts.computers`.
_COMPUTERS = "wren finch jay magpie kestrel harrier falcon eagle"
# Lookalike characters and their representative; hyphens and underscores are dropped.
_LOOKALIKES = str.maketrans("1i0534", "llosea", "-_")


def skeleton(name: str) -> str:
    """Return what is left of a name without case, hyphens, underscores, and the differences of
    characters that look alike (0 and o, 1, i and l, 5 and s, 3 and e, 4 and a)."""
    return name.casefold().translate(_LOOKALIKES)


RESERVED_SKELETONS = frozenset(map(skeleton, f"{_RESERVED} {_COMPUTERS}".split()))


def normalized(name: str) -> str:
    """The one spelling of a name that is compared and stored (Unicode NFC).

    What is longer than any name stays as it is: it is no name, and composing a long run of accents
    takes a time that grows with its square.
    """
    return unicodedata.normalize("NFC", name) if len(name) <= LONGEST else name


def validate_name(name: str) -> None:
    """Raises ValidationError for a name that nobody may have, or that looks like such a one."""
    if not NAME.fullmatch(name):
        raise ValidationError(SPELLING, code="spelling")
    if skeleton(name) in RESERVED_SKELETONS or skeleton(name).startswith(skeleton(GONE)):
        raise ValidationError(KEPT, code="reserved")


def pseudonym() -> str:
    """A random name such as `deleted-7f3a02`, for whoever has deleted himself."""
    return f"{GONE}{secrets.token_hex(3)}"


def friendly(digits: int = 2) -> str:
    """A random name such as `amber-heron-47`; at most 20 characters for up to four digits."""
    number = secrets.randbelow(9 * 10 ** (digits - 1)) + 10 ** (digits - 1)
    return f"{secrets.choice(FIRST)}-{secrets.choice(SECOND)}-{number}"
