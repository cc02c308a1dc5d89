"""Middleware that checks the port in a Host header; Django's ALLOWED_HOSTS checks the name."""

from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin

from config.origins import ports_of


class KnownPort(MiddlewareMixin):
    """Answers 400 to a Host header with a port that none of the site's origins has.

    allauth counts wrong passwords by the Host header and the name, so a client that may choose the
    port has as many tries as there are ports.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Raises DisallowedHost."""
        port = urlsplit(f"//{request.get_host()}").port
        if port is not None and port not in ports_of(settings.WEBSOCKET_ORIGINS):
            raise DisallowedHost("The Host header names a port that is not one of this site's.")
