"""Absolute links to this site, and paths that a visitor may be sent on to."""

from django.conf import settings
from django.utils.http import url_has_allowed_host_and_scheme


def absolute_url(path: str) -> str:
    """Return the address of a path of this site. Its origin is a setting: a link that was made from
    a request's Host header could lead anywhere."""
    return f"{settings.ORIGIN}{path}"


def is_own_path(text: str) -> bool:
    """Whether a `next` that came with a request is a path of this site. An address with a host is
    none, whichever host it names."""
    return text.startswith("/") and url_has_allowed_host_and_scheme(text, allowed_hosts=None)
