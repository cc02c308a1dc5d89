"""The address of the pages for staff, which the operator chooses (QUIVER_ADMIN)."""

import re
from collections.abc import Iterable, Iterator, Mapping

from django.core.exceptions import ImproperlyConfigured
from django.urls import URLPattern, URLResolver

DEFAULT = "/admin/"
OFF = "off"
LONGEST = 100
SEGMENT = r"(?!\.{1,2}/)[A-Za-z0-9._~-]+/"  # RFC 3986's unreserved characters, no dot segments
SHAPE = re.compile(rf"/(?:{SEGMENT})+")
# First parts of addresses that are answered before Django's routes are asked.
BEFORE_ROUTES = frozenset({"healthz", "readyz", "static", "ws"})


def admin_path(environment: Mapping[str, str]) -> str:
    """Return the path of the admin, with a slash at both ends; empty if it is switched off.

    Raises ImproperlyConfigured.
    """
    text = environment.get("QUIVER_ADMIN") or DEFAULT
    if text == OFF:
        return ""
    if len(text) > LONGEST or not SHAPE.fullmatch(text):
        raise ImproperlyConfigured(
            "QUIVER_ADMIN is a path that begins and ends with a slash, of letters, digits and "
            f"-._~ between them, such as /keepers-7f3a/, or off; it is {text!r}"
        )
    return text


def is_taken(path: str, routes: Iterable[URLPattern | URLResolver]) -> bool:
    """Whether a path begins like an address that the site has already: one would hide the other,
    and the admin's content security policy would count for both."""
    if not path:
        return False
    first = path.split("/")[1]
    taken = {re.split(r"[/<(\[]", route.removeprefix("^"))[0] for route in _spelled(routes)}
    return first in (taken | BEFORE_ROUTES) - {""}


def _spelled(routes: Iterable[URLPattern | URLResolver]) -> Iterator[str]:
    """Yield the routes as text, those that are included with what they are included below."""
    for route in routes:
        if isinstance(route, URLResolver):
            yield from (f"{route.pattern}{inner}" for inner in _spelled(route.url_patterns))
        else:
            yield str(route.pattern)
