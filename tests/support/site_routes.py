"""Every address of the site, from its URL configuration."""

import re
from collections.abc import Iterator, Mapping

from django.urls import URLPattern, URLResolver, get_resolver


def patterns() -> Iterator[tuple[str, URLPattern]]:
    """Every route with its pattern; of regular expressions, those that have an end."""

    def walk(patterns, before: str) -> Iterator[tuple[str, URLPattern]]:
        for each in patterns:
            here = before + re.sub(r"^\^|\(\?P(<\w+>)[^)]*\)|\$$|\\Z", r"\1", str(each.pattern))
            if isinstance(each, URLResolver):
                yield from walk(each.url_patterns, here)
            elif isinstance(each, URLPattern):
                yield f"/{here}", each

    return walk(get_resolver().url_patterns, "")


def routes() -> Iterator[str]:
    """Every route, such as `/g/<slug:slug>/`."""
    return (route for route, _ in patterns())


def exempt_from_csrf() -> Iterator[str]:
    """The names of the routes that take a POST without a CSRF token; else the route."""
    for route, pattern in patterns():
        if getattr(pattern.callback, "csrf_exempt", False):
            yield pattern.name or route


def addresses(values: Mapping[str, str]) -> list[str]:
    """Every address with values in place of its arguments; "1" for an argument without one."""

    def fill(route: str) -> str:
        return re.sub(r"<(?:\w+:)?(\w+)>", lambda m: values.get(m[1], "1"), route)

    return sorted({fill(route) for route in routes()})
