"""Absolute links to this site, and safe targets of redirects."""

from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.utils.http import url_has_allowed_host_and_scheme


def absolute_url(path: str) -> str:
    """Return the absolute URL of a path of this site. It begins with the setting ORIGIN, because
    a link built from a request's Host header could lead anywhere."""
    return f"{settings.ORIGIN}{path}"


def local_path(url: str) -> str:
    """Return path, query and fragment of an address."""
    return urlunsplit(("", "", *urlsplit(url)[2:]))


def is_own_path(text: str) -> bool:
    """Whether a `next` parameter is a path of this site; an address with a host is not, whichever
    host it names."""
    return text.startswith("/") and url_has_allowed_host_and_scheme(text, allowed_hosts=None)
