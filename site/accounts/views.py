"""Views of sign-up, log-in, log-out, passwords and e-mail addresses; mostly allauth's."""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any

from allauth.account import views as allauth
from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.account.utils import get_next_redirect_url, perform_login
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.account_service import SignedUpAlready
from accounts.login import revocations
from accounts.login.known_devices import remember_device
from accounts.login.login_attempts import forget_attempts
from accounts.login.staff_access import Step, missing_step
from accounts.models import User
from accounts.people.guests import delete_nonce, forget
from accounts.people.name_claims import NameTaken

STEP_URLS = {
    Step.LOG_IN: "account_login",
    Step.ENROL: "mfa_activate_totp",
    Step.CODE: "mfa_reauthenticate",
}
RESUBMIT_WINDOW = timedelta(minutes=2)  # a repeated sign-up form within it logs in
View = Callable[..., HttpResponseBase]


@require_POST
def log_out(request: HttpRequest) -> HttpResponse:
    """End the session. A guest is lost with it, because nothing else identifies a guest.

    Clears the browser's cache. Settings of the device (theme, sounds, lessons learnt) belong to no
    account and stay.
    """
    if request.user.is_authenticated:
        forget(request.user)
    logout(request)
    response = redirect("home")
    delete_nonce(response)
    if request.is_secure():  # on plain HTTP browsers ignore it and log a warning
        response["Clear-Site-Data"] = '"cache"'
    return response


def for_accounts(view: View) -> View:
    """Return a view for accounts only: guests are sent to the sign-up, others to the log-in."""

    @wraps(view)
    @never_cache
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and request.user.is_account:
            return view(request, *args, **kwargs)
        name = "account_signup" if request.user.is_authenticated else "account_login"
        return redirect_to_login(request.get_full_path(), reverse(name))

    return guarded


@never_cache
def staff_entrance(request: HttpRequest, **kwargs: Any) -> HttpResponse:
    """Redirect to the step that the session lacks for the admin: log-in, setting up a second
    factor, or its code. Raises PermissionDenied for an account without rights."""
    url = get_next_redirect_url(request) or reverse("admin:index")
    if not (request.user.is_authenticated and request.user.is_account):
        return redirect_to_login(url, reverse("account_login"))
    if not request.user.is_staff:
        raise PermissionDenied
    step = missing_step(request)
    if step is None:
        return redirect(url)
    if step is Step.LOG_IN:  # the staff session has expired
        logout(request)
    return redirect_to_login(url, reverse(STEP_URLS[step]))


def no_mail(request: HttpRequest) -> HttpResponse:
    """Return the page (404) in place of features that need e-mail, on a site that sends none."""
    return render(request, "accounts/no_mail.html", status=404)


def needs_mail(view: View) -> View:
    """Return a view that answers with `no_mail` if the site sends no e-mail."""

    @wraps(view)
    @never_cache
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return view(request, *args, **kwargs) if settings.SENDS_MAIL else no_mail(request)

    return guarded


def manage_email(request: HttpRequest) -> HttpResponseBase:
    """Return the page of the e-mail address. On a site without e-mail, addresses can be removed,
    but neither added nor confirmed."""
    needs_sending = request.POST.keys() & {"action_add", "action_send"}
    if needs_sending and not settings.SENDS_MAIL:
        return no_mail(request)
    response: HttpResponseBase = allauth.email(request)
    return response


class Entrance:
    """Mixin of log-in and sign-up, which redirects accounts."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Redirect accounts to `next` or home; handle all other requests."""
        if request.user.is_authenticated and request.user.is_account:
            return redirect(get_next_redirect_url(request) or "home")
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)  # type: ignore[misc]
        return response


class SignIn(Entrance, allauth.LoginView):  # type: ignore[misc]
    """Log-in by name or e-mail address."""


class SignUp(Entrance, allauth.SignupView):  # type: ignore[misc]
    """Sign-up. The same form sent again, because its answer got lost, logs in."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Create the account and redirect to `next`."""
        try:
            response: HttpResponse = super().form_valid(form)
        except NameTaken as taken:
            form.add_error("username", taken)
        except SignedUpAlready:
            say = _("You’ve already signed up in another window. Reload this page.")
            form.add_error(None, ValidationError(say, code="signed_up"))
        else:
            return response
        return self.form_invalid(form)

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the errors, unless the form repeats a sign-up: then log in."""
        user = self._find_recent_account(form)
        response: HttpResponse
        if user is None:
            response = super().form_invalid(form)
        else:
            response = perform_login(self.request, user, redirect_url=self.get_success_url())
        return response

    def _find_recent_account(self, form: Any) -> User | None:
        codes = {error.code for errors in form.errors.as_data().values() for error in errors}
        if not codes <= {"username_taken", "signed_up"}:
            return None
        name, password = form.data.get("username", "").strip(), form.cleaned_data.get("password1")
        since = timezone.now() - RESUBMIT_WINDOW
        new = User.objects.filter(username__iexact=name, date_joined__gt=since, is_guest=False)
        if not password or not new.exists():
            return None
        try:
            found = get_adapter().authenticate(self.request, username=name, password=password)
        except ValidationError:  # tried too often
            return None
        return found if found and found.is_active else None


def _has_second_factor(request: HttpRequest) -> bool:
    return bool(is_mfa_enabled(request.user))


@method_decorator(
    reauthentication_required(enabled=_has_second_factor, app="allauth.account"), name="dispatch"
)
class ChangePassword(allauth.PasswordChangeView):  # type: ignore[misc]
    """Change of the password; it ends all other sessions.

    Users with a second factor give a code first. Otherwise a session that was stolen together with
    the password could lock its owner out.
    """

    def form_valid(self, form: Any) -> HttpResponse:
        """Change the password and end the other sessions."""
        old = self.request.session.digest
        response: HttpResponse = super().form_valid(form)
        new = self.request.session.digest
        revocations.move_session(old, new)
        revocations.end_sessions(self.request.user.pk, keep=new)
        remember_device(self.request, response, self.request.user)
        return response


class ResetPasswordFromKey(allauth.PasswordResetFromKeyView):  # type: ignore[misc]
    """New password by the link from a mail. The browser's own session goes on: a guest who opens
    the link would otherwise lose name and seats."""

    def logout(self) -> None:
        """Nobody is logged out."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Change the password and end all sessions of the account.

        This browser becomes a known device, because its user reads the account's mail.
        """
        response: HttpResponse = super().form_valid(form)
        forget_attempts(self.request, self.reset_user)
        remember_device(self.request, response, self.reset_user)
        revocations.end_sessions(self.reset_user.pk)
        return response


class ConfirmEmail(allauth.ConfirmEmailView):  # type: ignore[misc]
    """Confirmation of an address by the link from a mail; it logs nobody out."""

    def logout_other_user(self, confirmation: Any) -> None:
        """Nobody is logged out."""
