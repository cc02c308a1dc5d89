"""User names: their validation, their model field, and generated names for guests.

The words of guests' names have at most seven letters, are kind and easy to say aloud.
"""

import re
import secrets
import unicodedata
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Lookup
from django.utils.translation import gettext_lazy as _

MAX_NAME_CHARS = 20
NAME = re.compile(r"[A-Za-z0-9_-]{3,20}")
SPELLING = _("Use 3 to 20 letters (a to z), digits, hyphens or underscores.")
KEPT = _("That name is reserved.")
TAKEN = _("That name is taken.")
LAST_ASCII = "\x7f"  # sorts behind every character of a name
GONE = "deleted-"  # begins the names of deleted users, and is reserved for them
# Names that look like a part of the site or like its staff.
_RESERVED = """
admin administrator anonymous api black bot bots computer deleted guest guests help host lobby me
mod moderator moderators mods nobody none null official opponent player quiver root security server
settings site spectator staff static support system team undefined watcher white you
"""
# Names of the computer players, see `accounts.people.computer_users`.
_COMPUTERS = "wren finch jay magpie kestrel harrier falcon eagle"
# Lookalike characters and their representative; hyphens and underscores are dropped.
_LOOKALIKES = str.maketrans("1i0534", "llosea", "-_")


_FIRST = """
agile airy amber ample apt ashen autumn azure balmy blithe bold brave breezy bright brisk bronze
calm candid cedar chalk cheery civil clear clever copper coral cosy crisp dapper daring dawn
deft dusky eager early elder fabled fair fleet fond frank fresh gallant gentle gilded glad
golden hardy hazel hearty honest humble ivory jade jaunty jolly keen kind lively loyal lucid
lucky lunar mellow merry misty modest nimble noble patient placid plucky polite proud quick
quiet rapid ready robust rosy ruby rustic sage serene sharp silent silver sincere sleek smooth
snowy sober solar spry stable steady stout sturdy subtle sunny sure swift tawny tidy timely
trusty upbeat valiant velvet vernal vivid warm wary willing windy wise witty
"""

_SECOND = """
acorn alder aspen badger beacon beaver birch bison brook canyon castle cedar cliff cloud comet
condor crane creek cricket curlew cypress dipper dolphin dove dune eagle egret elm falcon fern
ferret finch fjord fox gannet garnet gecko glacier glade grove grouse gull harbour hare harrier
hawk heath heron hill hoopoe ibex ibis island jackdaw jay juniper kestrel kite lagoon lantern
lapwing larch lark linden linnet lizard lynx magpie mallard maple marten martin meadow merlin
meteor moose moth newt oak oriole osprey otter ouzel owl panda pebble petrel pine plover poplar
puffin quail rabbit raven reed ridge river robin rook rowan salmon sandbar shrike skylark
sparrow spruce stoat stork summit sunrise swallow swan swift tern thicket thrush tiger
turtle valley vole walnut walrus warbler weasel willow wombat wren yew zebra
"""

FIRST = tuple(_FIRST.split())
SECOND = tuple(_SECOND.split())


def skeleton(name: str) -> str:
    """Return a name without case, hyphens and underscores, and with one representative of the
    characters that look alike (0 and o, 1, i and l, 5 and s, 3 and e, 4 and a)."""
    return name.casefold().translate(_LOOKALIKES)


RESERVED_SKELETONS = frozenset(map(skeleton, f"{_RESERVED} {_COMPUTERS}".split()))


def normalize_name(name: str) -> str:
    """Return the spelling of a name that is compared and stored (Unicode NFC).

    A text longer than any name is returned unchanged: composing a long run of accents takes
    quadratic time.
    """
    return unicodedata.normalize("NFC", name) if len(name) <= MAX_NAME_CHARS else name


def validate_name(name: str) -> None:
    """Raise ValidationError for a malformed name, and for one that looks like a reserved name."""
    if not NAME.fullmatch(name):
        raise ValidationError(SPELLING, code="spelling")
    if skeleton(name) in RESERVED_SKELETONS or skeleton(name).startswith(skeleton(GONE)):
        raise ValidationError(KEPT, code="reserved")


def pseudonym() -> str:
    """Return a random name such as `deleted-7f3a02`, for a deleted user."""
    return f"{GONE}{secrets.token_hex(3)}"


def friendly(digits: int = 2) -> str:
    """Return a random name such as `amber-heron-47`; 20 characters at most with four digits."""
    number = secrets.randbelow(9 * 10 ** (digits - 1)) + 10 ** (digits - 1)
    return f"{secrets.choice(FIRST)}-{secrets.choice(SECOND)}-{number}"


class NameField(models.CharField):  # type: ignore[type-arg]
    """A CharField whose `__iexact` uses the index on the lower-case name.

    Django's own `iexact` compares in a way that no index serves, so each log-in would scan the
    names of all guests.
    """

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        """Return the field as a CharField, so that migrations see no difference."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", [*args], kwargs


@NameField.register_lookup
class NamePrefix(Lookup):
    """Lookup `name_prefix`: begins with some letters, digits, hyphens or underscores, in any case.

    The range is served by an index on the lower-case name. PostgreSQL sorts by the rules of a
    language, so there it is a pattern, with an index of its own (migration 0003).
    """

    lookup_name = "name_prefix"

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Return `LOWER(column) >= prefix AND LOWER(column) < end`."""
        left, params = self.process_lhs(compiler, connection)
        prefix = str(self.rhs).lower()
        sql = f"LOWER({left}) >= %s AND LOWER({left}) < %s"
        return sql, (*params, prefix, *params, prefix + LAST_ASCII)

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Return `LOWER(column) LIKE 'prefix%'`."""
        left, params = self.process_lhs(compiler, connection)
        pattern = str(self.rhs).lower().replace("_", r"\_")
        return f"LOWER({left}) LIKE %s", (*params, f"{pattern}%")


@NameField.register_lookup
class SameName(Lookup):
    """Lookup `iexact` for ASCII names: equal except for letter case."""

    lookup_name = "iexact"

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Return `LOWER(column) = …`, the expression of the index."""
        left, left_params = self.process_lhs(compiler, connection)
        right, right_params = self.process_rhs(compiler, connection)
        return f"LOWER({left}) = LOWER({right})", (*left_params, *right_params)
