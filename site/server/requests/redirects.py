"""Middleware that reduces every redirect to a path of this site."""

import logging

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.site_links import local_path

EVENT = {"event": "external_redirect"}
log = logging.getLogger("quiver.security")


class LocalRedirectMiddleware(MiddlewareMixin):
    """Reduces a redirect to the requested host to its path; Django's `set_language` sends absolute
    ones. A redirect to another host is replaced by one to the home page, and logged."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response with a path in its Location header, if it has one."""
        location = response.headers.get("Location")
        if location is None or leads_to(location, None):
            return response
        path = local_path(location) if leads_to(location, request.get_host()) else ""
        if not path.startswith("/") or not leads_to(path, None):  # "//host" is a host for browsers
            path = "/"
            log.warning("a redirect to another host was blocked", extra=EVENT)
        response.headers["Location"] = path
        return response


def leads_to(location: str, host: str | None) -> bool:
    """Whether browsers read a Location as a path or, if a host is given, as a URL of that host.

    Only its beginning decides; Django's function calls every address of over 2,048 characters
    unsafe.
    """
    allowed = {host} if host else None
    return url_has_allowed_host_and_scheme(location[:1_000], allowed_hosts=allowed)
