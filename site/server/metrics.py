"""Metrics of HTTP requests, by the name of the route."""

from typing import Any, Final

from django.conf import settings

from server import health
from server.request_context import UNKNOWN
from telemetry.counters import HTTP_SECONDS

NAME_KEY: Final = "quiver_route_name"  # in an HTTP scope: the name of the route that Django found
STATIC_PATH: Final = f"/{settings.STATIC_URL.strip('/')}/"


def observe_request(scope: dict[str, Any], method: str, status: int, seconds: float) -> None:
    """Count an answered HTTP request and its duration.

    `method` is one of a bounded set (`access_log.method_of`). The labels are bounded by the routes
    of the site, and hold neither paths nor users.
    """
    HTTP_SECONDS.labels(route_name(scope), method, f"{status // 100}xx").observe(seconds)


def route_name(scope: dict[str, Any]) -> str:
    """Return the name of an HTTP request's route, such as `game`; "-" for a path without one."""
    path = scope["path"]
    if path in health.PATHS:
        return str(path[1:])
    if path.startswith(STATIC_PATH):
        return "static"
    return str(scope.get(NAME_KEY, UNKNOWN))
