"""Middleware that makes every redirect a path of this site."""

import logging
from urllib.parse import urlsplit, urlunsplit

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import url_has_allowed_host_and_scheme

log = logging.getLogger("quiver.security")


class PathRedirects(MiddlewareMixin):
    """Reduces a redirect to the host that was asked, as Django's `set_language` makes it, to its
    path. A redirect elsewhere, which no page of ours makes, leads home and is logged."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response with a path in its Location, if it has one."""
        location = response.headers.get("Location")
        if location is not None and not is_path(location):
            response.headers["Location"] = path_of(location, request.get_host())
        return response


def is_path(address: str) -> bool:
    """Whether an address names no host, in the reading of any browser."""
    return url_has_allowed_host_and_scheme(address, allowed_hosts=None)


def path_of(address: str, host: str) -> str:
    """Return the path and query of an address on `host`, and "/" for every other address."""
    if url_has_allowed_host_and_scheme(address, allowed_hosts={host}):
        path = urlunsplit(("", "", *urlsplit(address)[2:]))
        if path.startswith("/") and is_path(path):
            return path
    log.error("a redirect to another site was stopped", extra={"event": "redirect"})
    return "/"
