"""Access of staff to the admin: sessions of 12 hours, a second factor, a recent code.

A session notes when its staff member logged in and when a code was last accepted in it. Both times
are seconds since the epoch.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from enum import Enum
from functools import wraps
from typing import Any, TypeVar, cast

from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import Session, User

SESSION_S = 12 * 3600  # from log-in on; activity does not extend it
LOGGED_IN_AT = "staff_logged_in_at"
CODE_ACCEPTED = "second_factor"  # {"user": key of the user, "at": time}
READS = frozenset({"GET", "HEAD", "OPTIONS"})
View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class Step(Enum):
    """A step that a session lacks before it may enter the admin."""

    LOG_IN = "log in"  # not staff, or the session is over
    ENROL = "enrol"  # no second factor is set up
    CODE = "code"  # none has been given in this session


def is_staff_account(user: User) -> bool:
    """Whether a user has rights in the admin."""
    return user.is_staff or user.is_superuser


def begin_session(request: HttpRequest, user: User, accepted: Any) -> None:
    """Begin the session of a user after the log-in.

    `accepted` is the result of `accepted_code` before the log-in, because Django empties the
    session of a guest.
    """
    if accepted is not None:
        request.session[CODE_ACCEPTED] = accepted
    if is_staff_account(user):
        request.session[LOGGED_IN_AT] = time.time()
        set_expiry(request)


def set_expiry(request: HttpRequest) -> None:
    """Set the expiry of a staff session.

    Called again after allauth's log-in form, which gives every session the same age.
    """
    at = request.session.get(LOGGED_IN_AT)
    if at is not None:
        request.session.set_expiry(datetime.fromtimestamp(at + SESSION_S, UTC))


def accepted_code(request: HttpRequest) -> Any:
    """Return the session's note of the last accepted code; None without one."""
    return request.session.get(CODE_ACCEPTED)


def note_code(sender: object, request: HttpRequest, user: User, **about: Any) -> None:
    """Note in the session that a code was accepted; connected to allauth's signal."""
    request.session[CODE_ACCEPTED] = {"user": user.pk, "at": time.time()}


def forget_code(sender: object, request: HttpRequest, **about: Any) -> None:
    """Ask for a code again after a second factor was removed; connected to allauth's signal."""
    request.session.pop(CODE_ACCEPTED, None)


def missing_step(request: HttpRequest) -> Step | None:
    """Return the step that a request's session lacks for the admin; None if it may enter."""
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
    """Whether a code was accepted recently enough for changes in the admin."""
    age = time.time() - _accepted_at(request)
    return age < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT


def is_staff_session(session: Session) -> bool:
    """Whether a stored session was limited by this module."""
    return LOGGED_IN_AT in session.get_decoded()


def _accepted_at(request: HttpRequest) -> float:
    """Return when the user last gave a code in this session (s since the epoch); 0 for never."""
    accepted = accepted_code(request)
    if accepted is None or accepted["user"] != request.user.pk:
        return 0.0
    return float(accepted["at"])


class StaffSite(AdminSite):
    """Django's admin site for sessions of staff that have given their second factor.

    Requests without a required step are redirected to `login`: `accounts.views.staff_entrance`.
    """

    site_title = _("Quiver administration")
    site_header = _("Quiver administration")
    index_title = _("Administration")

    def get_urls(self) -> list[Any]:
        """Return Django's URLs without `view_on_site` (`r/CONTENT_TYPE/ID/`).

        That view asks for no permission: it redirects every staff member to the address of every
        row of every model. The addresses of private games and lobbies are keys to them.
        """
        urls = super().get_urls()
        return [url for url in urls if getattr(url, "name", None) != "view_on_site"]

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether a request may see the admin at all."""
        return super().has_permission(request) and missing_step(request) is None

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Return a view that asks for a code before a change, unless one was given recently.

        allauth's middleware keeps the request meanwhile, and carries it out after the code.
        """
        entered = super().admin_view(view, cacheable)

        @wraps(entered)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            is_change = request.method not in READS and request.path != reverse("admin:logout")
            if is_change and self.has_permission(request) and not may_change(request):
                raise ReauthenticationRequired
            return entered(request, *args, **kwargs)

        return cast(View, guarded)
