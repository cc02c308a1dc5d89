"""Every route of the site has a rate limit, or stands in a list with its reason."""

from collections.abc import Iterator, Sequence

from django.urls import URLPattern, URLResolver, get_resolver

from server.requests.rate_limit_middleware import BY_GET, BY_POST, UNLIMITED, limit_of


def names(patterns: Sequence[URLPattern | URLResolver]) -> Iterator[str]:
    """Yield the names of all routes."""
    for each in patterns:
        if isinstance(each, URLResolver):
            yield from names(each.url_patterns)
        else:
            yield each.name or ""


def test_pages_are_limited_unless_they_are_listed() -> None:
    for name in names(get_resolver().url_patterns):
        assert limit_of(name, "GET") or UNLIMITED[name], name


def test_forms_are_limited_unless_they_are_listed_or_allauth_limits_them() -> None:
    for name in names(get_resolver().url_patterns):
        assert limit_of(name, "POST") or name.startswith(("account_", "mfa_")) or UNLIMITED[name], (
            name
        )


def test_the_tables_name_routes_that_exist() -> None:
    assert {*BY_GET, *BY_POST, *UNLIMITED} <= {*names(get_resolver().url_patterns)}
