"""Sessions of staff: they end 12 hours after log-in, and the admin asks for the second factor.

A session notes when its staff member logged in and when a code was last accepted in it. Both times
are seconds since the epoch.
"""

import time
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.http import HttpRequest

from accounts.models import Session, User

SESSION_S = 12 * 3600  # from log-in on, whatever happens in between
LOGGED_IN_AT = "staff_logged_in_at"
CODE_ACCEPTED = "second_factor"  # {"user": key of the user, "at": time}


class Step(Enum):
    """What is missing before a session may enter the admin."""

    LOG_IN = "log in"  # not staff, or the session is over
    ENROL = "enrol"  # no second factor is set up
    CODE = "code"  # none has been given in this session


def is_staff_account(user: User) -> bool:
    """Whether somebody has rights in the admin."""
    return user.is_staff or user.is_superuser


def begin_session(request: HttpRequest, user: User, accepted: Any) -> None:
    """Begin the session of somebody who has just logged in.

    `accepted` is what `accepted_code` said before: Django empties a session that was a guest's.
    """
    if accepted is not None:
        request.session[CODE_ACCEPTED] = accepted
    if is_staff_account(user):
        request.session[LOGGED_IN_AT] = time.time()
        set_expiry(request)


def set_expiry(request: HttpRequest) -> None:
    """Set the expiry of a staff session.

    Called again after allauth's form of the log-in, which gives every session the same age.
    """
    at = request.session.get(LOGGED_IN_AT)
    if at is not None:
        request.session.set_expiry(datetime.fromtimestamp(at + SESSION_S, UTC))


def accepted_code(request: HttpRequest) -> Any:
    """Return what the session notes of the last accepted code; None if there was none."""
    return request.session.get(CODE_ACCEPTED)


def note_code(sender: object, request: HttpRequest, user: User, **about: Any) -> None:
    """Note in the session that a code was accepted; connected to allauth's signal."""
    request.session[CODE_ACCEPTED] = {"user": user.pk, "at": time.time()}


def forget_code(sender: object, request: HttpRequest, **about: Any) -> None:
    """Ask for a code again after a second factor was removed; connected to allauth's signal."""
    request.session.pop(CODE_ACCEPTED, None)


def missing_step(request: HttpRequest) -> Step | None:
    """Return what the sender of a request has to do before entering the admin; None for nothing."""
    user = request.user
    if not (user.is_authenticated and is_staff_account(user)):
        return Step.LOG_IN
    logged_in_at = request.session.get(LOGGED_IN_AT)
    if logged_in_at is None or time.time() - logged_in_at >= SESSION_S:
        return Step.LOG_IN
    if not get_adapter().is_mfa_enabled(user, [Authenticator.Type.TOTP]):
        return Step.ENROL
    return None if time.time() - _accepted_at(request) < SESSION_S else Step.CODE


def may_change(request: HttpRequest) -> bool:
    """Whether a code was accepted so recently that the admin takes changes."""
    age = time.time() - _accepted_at(request)
    return age < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT


def is_staff_session(session: Session) -> bool:
    """Whether a stored session is one that this module has limited."""
    return LOGGED_IN_AT in session.get_decoded()


def _accepted_at(request: HttpRequest) -> float:
    """Return when the user of a request last gave a code in this session; 0 for never."""
    accepted = accepted_code(request)
    if accepted is None or accepted["user"] != request.user.pk:
        return 0.0
    return float(accepted["at"])
