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

from accounts import signals, staff_sessions
from accounts.addresses import of_request
from accounts.guests import forget
from accounts.known_devices import remember_device
from accounts.limits import MAILS, TooOften, count_mail, spend
from accounts.links import absolute_url, is_own_path, path_of
from accounts.login_attempts import Attempt, begin_attempt, users_named
from accounts.models import User
from accounts.names import TAKEN
from accounts.people import sign_up
from accounts.sessions import SessionStore

WRONG = gettext_lazy("That name or e-mail and that password don’t belong together.")
# Mails to whichever address a visitor types in. The others need the session of their receiver.
UNSOLICITED = frozenset(
    f"account/email/{name}"
    for name in (
        "account_already_exists",
        "email_confirmation",
        "email_confirmation_signup",
        "password_reset_key",
        "unknown_account",
    )
)
MAIL_LIMIT = {"event": "mail_limit"}
log = logging.getLogger("quiver.accounts")


def guest_of(request: HttpRequest) -> User | None:
    """The guest who sends a request; None for accounts and strangers."""
    user = request.user
    return user if user.is_authenticated and user.is_guest else None


class MailSite(NamedTuple):
    """Site name and domain for mail templates; replaces Django's RequestSite."""

    domain: str
    name: str


class Adapter(DefaultAccountAdapter):
    """Guests who sign up stay who they are; mail that fails breaks nothing else."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_taken": TAKEN,
        "username_password_mismatch": WRONG,
        "email_password_mismatch": WRONG,
        "incorrect_password": gettext_lazy("That is not your password."),
        "enter_current_password": gettext_lazy("That is not your present password."),
        "duplicate_email": gettext_lazy("That is your e-mail address already."),
        "too_many_login_attempts": gettext_lazy(
            "Too many wrong tries. Wait a few minutes, then try again."
        ),
        "too_many_login_attempts_today": gettext_lazy(
            "Too many wrong tries today. Wait an hour, or use a browser you’ve signed in with "
            "before."
        ),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """A guest may keep the name that the guest has."""
        guest = guest_of(context.request)
        is_own = guest is not None and guest.username.lower() == username.lower()
        return super().clean_username(username, shallow=shallow or is_own)

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """The new account, in the guest's own row if a guest signs up.

        Raises `people.NameTaken` and `people.SignedUpAlready`.
        """
        data = form.cleaned_data
        return sign_up(
            data["username"], data["password1"], data.get("email") or "", guest_of(request)
        )

    def login(self, request: HttpRequest, user: User) -> None:
        """Logs in under a new session key, and says what became of the session before."""
        session = cast(SessionStore, request.session)
        before, old = request.user, session.digest
        accepted = staff_sessions.accepted_code(request)
        is_same = before.is_authenticated and before.pk == user.pk
        if is_same:
            update_session_auth_hash(request, user)  # else the new password would empty the session
        super().login(request, user)
        staff_sessions.begin_session(request, user, accepted)
        if is_same:
            signals.session_moved.send(sender=User, old=old, new=session.digest)
        elif before.is_authenticated:
            forget(before)
            signals.session_ended.send(sender=User, session=old)

    def get_client_ip(self, request: HttpRequest) -> str:
        """By what allauth's own limits count: the same network as ours. All that comes from this
        machine is one; a proxy that says less than it should is no fault of the visitor's."""
        return of_request(request) or "localhost"

    def is_safe_url(self, url: str) -> bool:
        """Whether a `next` parameter may be followed. allauth accepts every host in ALLOWED_HOSTS;
        this site accepts paths only."""
        return is_own_path(url)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Counts an attempt by rules of our own (`login_attempts`) in place of allauth's, which
        lock a name out from everywhere. Raises ValidationError if it is one too many."""
        login = credentials.get("email") or credentials.get("username") or ""
        self.attempt = self.count_attempt(request, login, users_named(login))

    def count_attempt(self, request: HttpRequest, login: str, users: list[User]) -> Attempt:
        """Return the attempt that has been counted. Raises ValidationError."""
        try:
            return begin_attempt(request, login, users)
        except TooOften as refused:
            raise self.refusal(refused) from None

    def refusal(self, refused: TooOften) -> ValidationError:
        """Return the error that says how long to wait."""
        when = "_today" if refused.wait > 300 else ""
        return self.validation_error(f"too_many_login_attempts{when}")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Return the user to whom a login and a password belong; only wrong ones stay counted."""
        user: User | None = super().authenticate(request, **credentials)
        if user is not None:
            self.attempt.take_back()
        return user

    def get_login_stages(self) -> list[str]:
        """Return allauth's steps of a log-in, the one that asks for a mailed code, and around them
        those that end a log-in whose account has changed meanwhile."""
        return [
            "accounts.login_validity.NoteAccount",
            *super().get_login_stages(),
            "accounts.login_code.MailedCode",
            "accounts.login_validity.CheckAccount",
        ]

    def post_login(self, request: HttpRequest, user: User, **about: Any) -> HttpResponse:
        """Makes the browser a known device of the user who is logged in."""
        response: HttpResponse = super().post_login(request, user, **about)
        remember_device(request, response, user)
        return response

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Sends a mail; a mail server that fails is logged and said, and nothing else fails.

        allauth builds links from the request's Host header; their names in the context end in
        `_url`. A mail that is one too many is logged and not sent; the page says the same as ever,
        since anything else would tell whose address is known.
        """
        if template_prefix in UNSOLICITED and not self._count_mail(template_prefix, email):
            log.warning("too many mails: %s is not sent", template_prefix, extra=MAIL_LIMIT)
            return
        links = {
            name: absolute_url(path_of(value))
            for name, value in context.items()
            if name.endswith("_url")
        }
        site = MailSite(domain=urlsplit(settings.ORIGIN).netloc, name="Quiver")
        try:
            super().send_mail(template_prefix, email, {**context, **links, "current_site": site})
        except OSError as error:  # smtplib's errors are among them
            # The error itself may name whom the mail was for.
            log.error("mail %s could not be sent: %s", template_prefix, type(error).__name__)
            say = _("The e-mail could not be sent just now. Please try again later.")
            messages.error(self.request, say)

    def get_reauthentication_methods(self, user: User) -> list[dict[str, Any]]:
        """Return the ways to confirm who one is. Whoever has a second factor gives a code: a
        session that was stolen together with the password must not switch it off."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        codes = [method for method in methods if method["id"] == "mfa_reauthenticate"]
        return codes or methods

    def _count_mail(self, template_prefix: str, email: str) -> bool:
        """Count a mail that its receiver may not have asked for; whether it is within limits."""
        try:
            spend(MAILS, self.request.user.pk, of_request(self.request))
        except TooOften:
            return False
        return count_mail(template_prefix, email)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Back to where the password page is linked."""
        return reverse("settings")

    def get_email_verification_redirect_url(self, email_address: Any) -> str:
        """An account sees its address; everybody else may log in."""
        user = self.request.user
        is_account = user.is_authenticated and user.is_account
        return reverse("account_email" if is_account else "account_login")
