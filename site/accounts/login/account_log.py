"""Log account events with the user's id, never with name, password or e-mail address."""

import logging
from typing import Any

from allauth.account.signals import (
    email_changed,
    password_changed,
    password_reset,
    user_signed_up,
)
from allauth.mfa.signals import (
    authentication_failed,
    authenticator_added,
    authenticator_removed,
    authenticator_reset,
    authenticator_used,
)
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import Signal

log = logging.getLogger("quiver.security")
EVENTS: list[tuple[Signal, str, str]] = [
    (user_signed_up, "sign-up", "an account was made"),
    (user_logged_in, "log-in", "a user logged in"),
    (user_logged_out, "log-out", "a user logged out"),
    (password_changed, "password", "a password was changed"),
    (password_reset, "password", "a password was set by a link from a mail"),
    (email_changed, "e-mail", "an address was changed"),
    (authenticator_added, "mfa_added", "a second factor was set up"),
    (authenticator_removed, "mfa_removed", "a second factor was removed"),
    (authenticator_reset, "mfa_codes", "new recovery codes were made"),
    (authenticator_used, "mfa_used", "a second factor was used"),
]


def connect_signals() -> None:
    """Connect the log to the signals of allauth and Django; called once, by the app's `ready`."""
    for signal, event, say in EVENTS:
        signal.connect(_make_receiver(event, say), weak=False, dispatch_uid=f"audit.{say}")
    user_login_failed.connect(log_failed_login, dispatch_uid="audit.failed")
    authentication_failed.connect(log_failed_code, dispatch_uid="audit.code_failed")


def log_failed_login(sender: object, **about: Any) -> None:
    """Log a failed log-in, without its credentials."""
    log.warning("a log-in failed", extra={"event": "login_failed"})


def log_failed_code(sender: object, user: Any, **about: Any) -> None:
    """Log a second factor that was wrong or already used, without the code."""
    log.warning("a second factor failed", extra={"event": "mfa_failed", "user": user.pk})


def _make_receiver(event: str, say: str) -> Any:
    def hear(sender: object, user: Any = None, **about: Any) -> None:
        log.info(say, extra={"event": event, "user": getattr(user, "pk", None)})

    return hear
