"""Serve this process's metrics to Prometheus, on loopback alone."""

import logging
from collections.abc import Callable, Iterable
from typing import Any

from django.http.request import split_domain_port, validate_host
from prometheus_client import start_http_server

ADDRESS = "127.0.0.1"
HOSTS = ["localhost", ADDRESS, "[::1]"]  # names under which the metrics answer
WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
log = logging.getLogger("quiver.server")


def serve_metrics(port: int) -> bool:
    """Serve the metrics on a port, unless it is 0; return whether they are served.

    A port that is not available is logged; the process runs without metrics then.
    """
    if not port:
        return False
    try:
        server, _ = start_http_server(port, addr=ADDRESS)
    except (OSError, OverflowError) as error:
        log.error("metrics cannot be served on port %s: %s", port, error)
        return False
    app = server.get_app()
    assert app is not None  # `start_http_server` has just set it
    server.set_app(answer_local_hosts(app))
    return True


def answer_local_hosts(app: WsgiApp) -> WsgiApp:
    """Return a WSGI application that answers 403 unless the Host header names this machine.

    A web page in a browser on this machine could otherwise read the metrics by DNS rebinding: its
    own host name then leads to 127.0.0.1.
    """

    def guarded(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        host, _ = split_domain_port(environ.get("HTTP_HOST", ADDRESS))
        if validate_host(host, HOSTS):
            return app(environ, start_response)
        start_response("403 Forbidden", [("Content-Type", "text/plain; charset=utf-8")])
        return [b"Ask for 127.0.0.1 or localhost.\n"]

    return guarded
