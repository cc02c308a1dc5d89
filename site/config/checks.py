"""Settings that do not fit together are refused before the site starts, with what to do."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.core.exceptions import ImproperlyConfigured

from config.admin_path import is_taken
from config.mail import CONSOLE_BACKEND

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


def settings_fit(**about: Any) -> list[CheckMessage]:
    """What of the settings does not fit."""
    is_file = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    is_public = settings.TLS or bool(settings.NAMED_HOSTS)
    is_printed = settings.EMAIL_BACKEND == CONSOLE_BACKEND
    wrong = [
        (ANY_HOST, "*" in settings.ALLOWED_HOSTS and not settings.DEBUG),
        (NO_SECRET, not is_file and not settings.HAS_OWN_SECRET),
        (SHORT_SECRET, settings.HAS_OWN_SECRET and len(settings.SECRET_KEY) < MIN_SECRET_CHARS),
        (ONE_FILE, is_file and settings.REDIS_URL),
        (MAIL_IN_LOG, is_printed and is_public and not settings.DEBUG),
    ]
    return [error for error, is_so in wrong if is_so]


def admin_path_fits(**about: Any) -> list[CheckMessage]:
    """Return an error if the admin's address collides with another route. Needs Django's apps."""
    from config.urls import SITE_ROUTES

    return [ADMIN_TAKEN] if is_taken(settings.ADMIN_PATH, SITE_ROUTES) else []


def refuse_bad_settings() -> None:
    """Ends the process with a sentence if the settings are wrong or do not fit; what a web server
    runs does not go through Django's commands, which check by themselves."""
    try:
        _refuse(settings_fit())
    except ImproperlyConfigured as error:
        raise SystemExit(str(error)) from None


def refuse_bad_routes() -> None:
    """End the process with a sentence if an address does not fit; after `django.setup()`."""
    _refuse(admin_path_fits())


def _refuse(errors: list[CheckMessage]) -> None:
    if errors:
        raise SystemExit("\n".join(f"{error.msg} {error.hint}" for error in errors))
