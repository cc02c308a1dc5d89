"""The site's django-allauth adapter: sign-up of guests, log-in, redirects and mails."""

import logging
from typing import Any, NamedTuple, cast
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.account_service import sign_up
from accounts.limits.networks import of_request
from accounts.limits.rate_limits import MAILS, TooOften, count_mail, spend
from accounts.login import revocations, staff_access
from accounts.login.backends import confirmed_owner
from accounts.login.known_devices import device_of, remember_device
from accounts.login.login_attempts import Attempt, begin_attempt, users_named
from accounts.login.passwords import compose_password
from accounts.login.sessions import SessionStore
from accounts.models import User
from accounts.people.guests import forget
from accounts.people.name_claims import check_free
from accounts.people.names import TAKEN
from accounts.site_links import absolute_url, is_own_path, local_path

WRONG = gettext_lazy("Wrong name or password.")
# Mails to any address that a visitor types in, which are counted as they are sent. Forms count
# those to reset a password and to sign in (`may_mail`); the others need the receiver's session.
UNSOLICITED = frozenset(
    f"account/email/{name}"
    for name in (
        "account_already_exists",
        "email_confirmation",
        "email_confirmation_signup",
    )
)
RESET = "account/email/password_reset_key"  # counted too: a request sends one for each account
MAIL_LIMIT = {"event": "mail_limit"}
log = logging.getLogger("quiver.accounts")


def guest_of(request: HttpRequest) -> User | None:
    """Return the guest of a request; None for accounts and visitors without a session."""
    user = request.user
    return user if user.is_authenticated and user.is_guest else None


class MailSite(NamedTuple):
    """Site name and domain for mail templates; replaces Django's RequestSite."""

    domain: str
    name: str


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]
    """allauth's adapter, for guests who sign up, for our limits and our links in mails."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_taken": TAKEN,
        "username_password_mismatch": WRONG,
        "email_password_mismatch": WRONG,
        "incorrect_password": gettext_lazy("Wrong password."),
        "enter_current_password": gettext_lazy("Wrong current password."),
        "duplicate_email": gettext_lazy("That’s already your email address."),
        "too_many_login_attempts": gettext_lazy(
            "Too many failed attempts. Wait a few minutes and try again."
        ),
        "too_many_login_attempts_today": gettext_lazy(
            "Too many failed attempts today. Wait an hour, or use a browser you’ve signed in with "
            "before."
        ),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the name, checked; a guest may sign up under the name it has already."""
        guest = guest_of(context.request)
        is_own = guest is not None and guest.username.lower() == username.lower()
        name = str(super().clean_username(username, shallow=shallow or is_own))
        if not shallow:
            check_free(name, guest)
        return name

    def clean_password(self, password: str, user: User | None = None) -> str:
        """Return a new password once its validators have seen what is hashed."""
        super().clean_password(compose_password(password), user)
        return password

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Create the account, in the guest's own row if a guest signs up; return its user.

        Raises `name_claims.NameTaken` and `account_service.SignedUpAlready`.
        """
        data = form.cleaned_data
        return sign_up(
            data["username"], data["password1"], data.get("email") or "", guest_of(request)
        )

    def login(self, request: HttpRequest, user: User) -> None:
        """Log in under a new session key; move the old session to it, or end it."""
        session = cast(SessionStore, request.session)
        before, old = request.user, session.digest
        accepted = staff_access.accepted_code(request)
        is_same = before.is_authenticated and before.pk == user.pk
        if is_same:
            update_session_auth_hash(request, user)  # otherwise the new password clears the session
        super().login(request, user)
        staff_access.begin_session(request, user, accepted)
        if is_same:
            revocations.move_session(old, session.digest)
        elif before.is_authenticated:
            forget(before)
            if old:
                revocations.end_session(old)

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the network that allauth's own limits count by, as ours do.

        All requests from this machine share one count.
        """
        return of_request(request) or "localhost"

    def is_safe_url(self, url: str) -> bool:
        """Whether a `next` parameter may be followed. allauth accepts every host in ALLOWED_HOSTS;
        this site accepts paths only."""
        return is_own_path(url)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the attempt by `login_attempts`. Raises ValidationError if there are too many.

        allauth's own limit would lock a name out for all networks.
        """
        login = credentials.get("email") or credentials.get("username") or ""
        self.attempt = self.count_attempt(request, login, users_named(login))

    def count_attempt(self, request: HttpRequest, login: str, users: list[User]) -> Attempt:
        """Count an attempt and return it. Raises ValidationError if there are too many."""
        try:
            return begin_attempt(request, login, users)
        except TooOften as refused:
            raise self.refusal(refused) from None

    def refusal(self, refused: TooOften) -> ValidationError:
        """Return the validation error that tells how long to wait."""
        when = "_today" if refused.wait > 300 else ""
        error: ValidationError = self.validation_error(f"too_many_login_attempts{when}")
        return error

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Return the user of a login and password, or None; only wrong passwords stay counted."""
        user: User | None = super().authenticate(request, **credentials)
        if user is not None:
            self.attempt.take_back()
        return user

    def get_login_stages(self) -> list[str]:
        """Return allauth's steps of a log-in, the one that asks for a mailed code, and around them
        those that end a log-in whose account has changed meanwhile."""
        return [
            "accounts.login.login_stages.NoteAccount",
            *super().get_login_stages(),
            "accounts.login.code_sign_in.MailedCode",
            "accounts.login.login_stages.CheckAccount",
        ]

    def post_login(self, request: HttpRequest, user: User, **about: Any) -> HttpResponse:
        """Answer after the log-in, and remember the browser as a known device of the user."""
        response: HttpResponse = super().post_login(request, user, **about)
        remember_device(request, response, user)
        return response

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail; a failure of the mail server is logged and shown, but not raised.

        allauth builds links from the request's Host header; they are rebuilt from ORIGIN here.
        Their names in the context end in `_url`. A mail above the limits is logged and not sent;
        the page stays the same, because a difference would reveal known addresses.
        """
        if template_prefix in UNSOLICITED and not self.may_mail(template_prefix, email):
            return
        if template_prefix == RESET and not self._count_mail(template_prefix, email):
            return
        links = {
            name: absolute_url(local_path(value))
            for name, value in context.items()
            if name.endswith("_url")
        }
        site = MailSite(domain=urlsplit(settings.ORIGIN).netloc, name="Quiver")
        try:
            super().send_mail(template_prefix, email, {**context, **links, "current_site": site})
        except OSError as error:  # smtplib's errors are among them
            # The error's text is left out: it may name the receiver.
            log.error(
                "mail %s could not be sent: %s",
                template_prefix,
                type(error).__name__,
                extra={"event": "mail_failed"},
            )
            say = _("The email couldn’t be sent. Try again later.")
            messages.error(self.request, say)

    def get_reauthentication_methods(self, user: User) -> list[dict[str, Any]]:
        """Return the methods of reauthentication; for users with a second factor only its code.

        A session that was stolen together with the password must not switch the factor off.
        """
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        codes = [method for method in methods if method["id"] == "mfa_reauthenticate"]
        return codes or methods

    def may_mail(self, kind: str, email: str) -> bool:
        """Count a mail that its receiver may not have asked for; return whether it may be sent.

        The answer does not depend on whether an account has the address, so a page may show it.
        """
        try:
            spend(MAILS, self.request.user.pk, of_request(self.request))
        except TooOften:
            log.warning("too many mails: %s is not sent", kind, extra=MAIL_LIMIT)
            return False
        return self._count_mail(kind, email)

    def _count_mail(self, kind: str, email: str) -> bool:
        """Count a mail to an address; return whether it may be sent."""
        owner = confirmed_owner(email)
        device = device_of(self.request, [owner]) if owner else ""
        is_allowed = count_mail(kind, email, of_request(self.request), device)
        if not is_allowed:
            log.warning("too many mails: %s is not sent", kind, extra=MAIL_LIMIT)
        return is_allowed

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Return the settings page, which links to the password page."""
        return reverse("settings")

    def get_email_verification_redirect_url(self, email_address: Any) -> str:
        """Return the page of the address for accounts, that of the log-in for all others."""
        user = self.request.user
        is_account = user.is_authenticated and user.is_account
        return reverse("account_email" if is_account else "account_login")
