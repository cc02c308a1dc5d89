"""Refuse inconsistent settings with a message, before the site starts."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning
from django.core.exceptions import ImproperlyConfigured
from django.urls import URLPattern, URLResolver

from config.backing_services import CONSOLE_BACKEND
from config.template_context import operator

# First parts of paths that are answered before Django's routes.
BEFORE_ROUTES = frozenset({"healthz", "readyz", "static", "ws"})
ANY_HOST = Error(
    "QUIVER_HOSTS has *, so that anybody's address would count as ours.",
    hint="Name the hosts that people type, such as QUIVER_HOSTS=play.example.org.",
    id="quiver.E001",
)
NO_SECRET = Error(
    "DATABASE_URL is set, but QUIVER_SECRET is not: other processes would not know our sessions.",
    hint="Give all of them the same, made once: "
    "python3 -c 'import secrets; print(secrets.token_urlsafe(48))'",
    id="quiver.E002",
)
ONE_FILE = Error(
    "REDIS_URL is set, but DATABASE_URL is not: several processes cannot share an SQLite file.",
    hint="Set DATABASE_URL=postgres://user:password@host/name as well, or leave REDIS_URL out.",
    id="quiver.E003",
)
MAIL_IN_LOG = Error(
    "QUIVER_TLS or QUIVER_HOSTS is set, but mail goes to the console: links that reset passwords "
    "would be written to the log.",
    hint="Set QUIVER_MAIL_URL=smtps://user:password@mail.example.org, or QUIVER_MAIL_URL=off for a "
    "site that sends no mail.",
    id="quiver.E004",
)
ADMIN_TAKEN = Error(
    "QUIVER_ADMIN begins like an address that the site has already.",
    hint="Choose another first part, such as QUIVER_ADMIN=/keepers-7f3a/.",
    id="quiver.E005",
)
MIN_SECRET_CHARS = 32
SHORT_SECRET = Error(
    f"QUIVER_SECRET is too short: it has fewer than {MIN_SECRET_CHARS} characters. Whoever guesses "
    "it can confirm other people's e-mail addresses.",
    hint="Make one: python3 -c 'import secrets; print(secrets.token_urlsafe(48))'",
    id="quiver.E006",
)
SHORT_FALLBACK = Error(
    f"QUIVER_SECRET_FALLBACKS has a secret with fewer than {MIN_SECRET_CHARS} characters. Whoever "
    "guesses it can forge sessions.",
    hint="Write former values of QUIVER_SECRET in full, separated by commas.",
    id="quiver.E007",
)
PUBLIC_DEBUG = Error(
    "QUIVER_DEBUG is set together with QUIVER_TLS or QUIVER_HOSTS: Django's debug pages would "
    "show settings and code to strangers.",
    hint="Set QUIVER_DEBUG=0, or leave QUIVER_TLS and QUIVER_HOSTS out on a machine of your own.",
    id="quiver.E008",
)
NO_OPERATOR = Warning(
    "Nobody is named as the operator of this site: its pages Contact and Privacy say so.",
    hint="Set QUIVER_OPERATOR_NAME, and QUIVER_OPERATOR_EMAIL or QUIVER_OPERATOR_ADDRESS.",
    id="quiver.W001",
)


def operator_is_named(**about: Any) -> list[CheckMessage]:
    """Return a warning, for `check --deploy`, if visitors cannot learn who runs the site."""
    found = operator()
    return [] if found.name and found.has_contact else [NO_OPERATOR]


def settings_fit(**about: Any) -> list[CheckMessage]:
    """Return an error for each inconsistent pair of settings."""
    is_file = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    is_public = settings.TLS or bool(settings.NAMED_HOSTS)
    is_printed = settings.EMAIL_BACKEND == CONSOLE_BACKEND
    wrong = [
        (ANY_HOST, "*" in settings.ALLOWED_HOSTS),
        (NO_SECRET, not is_file and not settings.HAS_OWN_SECRET),
        (SHORT_SECRET, settings.HAS_OWN_SECRET and is_short_secret(settings.SECRET_KEY)),
        (SHORT_FALLBACK, any(map(is_short_secret, settings.SECRET_KEY_FALLBACKS))),
        (ONE_FILE, is_file and settings.REDIS_URL),
        (MAIL_IN_LOG, is_printed and is_public),
        (PUBLIC_DEBUG, settings.DEBUG and is_public),
    ]
    return [error for error, is_so in wrong if is_so]


def is_short_secret(secret: str) -> bool:
    """Whether a secret can be guessed."""
    return len(secret) < MIN_SECRET_CHARS


def admin_path_fits(**about: Any) -> list[CheckMessage]:
    """Return an error if the admin's path collides with another route. Needs Django's apps."""
    if not settings.ADMIN_PATH:  # loading the routes would delay the start
        return []
    from config.urls import SITE_ROUTES

    return [ADMIN_TAKEN] if is_taken(settings.ADMIN_PATH, SITE_ROUTES) else []


def is_taken(path: str, routes: Iterable[URLPattern | URLResolver]) -> bool:
    """Whether a path begins like an existing route: one would hide the other, and the admin's
    content security policy would apply to both."""
    if not path:
        return False
    first = path.split("/")[1]
    taken = {re.split(r"[/<(\[]", route.removeprefix("^"))[0] for route in _iterate_routes(routes)}
    return first in (taken | BEFORE_ROUTES) - {""}


def _iterate_routes(routes: Iterable[URLPattern | URLResolver]) -> Iterator[str]:
    """Yield the routes as text, included ones with their prefix."""
    for route in routes:
        if isinstance(route, URLResolver):
            yield from (f"{route.pattern}{inner}" for inner in _iterate_routes(route.url_patterns))
        else:
            yield str(route.pattern)


def refuse_bad_settings() -> None:
    """Exit with a message if the settings are invalid or inconsistent.

    Only Django's commands run the checks by themselves; a web server imports `config.asgi`.
    """
    try:
        _refuse(settings_fit())
    except ImproperlyConfigured as error:
        raise SystemExit(str(error)) from None


def refuse_bad_routes() -> None:
    """Exit with a message if the admin's path is taken; call it after `django.setup()`."""
    _refuse(admin_path_fits())


def _refuse(errors: list[CheckMessage]) -> None:
    if errors:
        raise SystemExit("\n".join(f"{error.msg} {error.hint}" for error in errors))
