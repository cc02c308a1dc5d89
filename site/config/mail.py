"""Django's mail settings, made of QUIVER_MAIL_URL and QUIVER_MAIL_FROM."""

from collections.abc import Mapping
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
PATIENCE = 10  # seconds for the mail server
CONSOLE_BACKEND = "django.core.mail.backends.console.EmailBackend"
BACKENDS = {
    "": CONSOLE_BACKEND,
    "console": CONSOLE_BACKEND,
    "off": "django.core.mail.backends.dummy.EmailBackend",
}


class BadMailUrl(ImproperlyConfigured):
    """QUIVER_MAIL_URL is none that can be used; the message says what one looks like."""


def sends_mail(environment: Mapping[str, str]) -> bool:
    """Whether the site sends mail, and so offers features that need it."""
    return environment.get("QUIVER_MAIL_URL") != "off"


def mail_settings(environment: Mapping[str, str]) -> dict[str, object]:
    """Django's settings for QUIVER_MAIL_URL and QUIVER_MAIL_FROM.

    `smtp://` speaks plainly, `smtp+tls://` asks for TLS after hello (STARTTLS), `smtps://` speaks
    TLS at once; user and password are percent-encoded. With `off` no mail is sent. With `console`,
    or without the variable, it is printed; `checks.MAIL_IN_LOG` refuses that on a public site.
    Raises BadMailUrl.
    """
    sender = environment.get("QUIVER_MAIL_FROM") or "Quiver <noreply@localhost>"
    found: dict[str, object] = {"DEFAULT_FROM_EMAIL": sender, "SERVER_EMAIL": sender}
    text = environment.get("QUIVER_MAIL_URL", "")
    if text in BACKENDS:
        return {**found, "EMAIL_BACKEND": BACKENDS[text]}
    try:
        url = urlsplit(text)
        port = url.port or PORTS[url.scheme]
    except (KeyError, ValueError) as error:
        raise BadMailUrl(_explain()) from error
    if not url.hostname:
        raise BadMailUrl(_explain())
    return {
        **found,
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": url.hostname,
        "EMAIL_PORT": port,
        "EMAIL_HOST_USER": unquote(url.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(url.password or ""),
        "EMAIL_USE_TLS": url.scheme == "smtp+tls",
        "EMAIL_USE_SSL": url.scheme == "smtps",
        "EMAIL_TIMEOUT": PATIENCE,
    }


def _explain() -> str:
    """The value itself is not repeated: it may hold a password."""
    return "QUIVER_MAIL_URL is like smtps://user:password@mail.example.org:465, off or console"
