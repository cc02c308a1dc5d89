"""Check the port of the Host header; Django's ALLOWED_HOSTS checks only the name."""

import logging

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils.deprecation import MiddlewareMixin

from server.requests.origins import ports_of

log = logging.getLogger("quiver.security")


class HostPortMiddleware(MiddlewareMixin):
    """Answers 400 to a port that no origin of the site has; its pages could open no WebSocket."""

    is_logged = False

    def process_request(self, request: HttpRequest) -> None:
        """Raise DisallowedHost for a foreign port; log the settings that decide, once."""
        _, port = split_domain_port(request.get_host())
        if not port or port in map(str, ports_of(settings.SITE_ORIGINS)):
            return
        if not self.is_logged:
            self.is_logged = True
            log.warning(
                "requests for port %s get 400: QUIVER_ORIGIN, QUIVER_ORIGINS and QUIVER_PORT name "
                "the ports of this site (this is logged once)",
                port[:5],
                extra={"event": "host_port"},
            )
        raise DisallowedHost("The Host header names a port that no origin of the site has.")
