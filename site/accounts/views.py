"""Coming and going: signing up, signing in, passwords, e-mail addresses; mostly allauth's views."""

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

from accounts import signals
from accounts.guest_nonce import delete_nonce
from accounts.guests import forget
from accounts.known_devices import remember_device
from accounts.login_attempts import forget_attempts
from accounts.models import User
from accounts.names import TAKEN
from accounts.people import NameTaken, SignedUpAlready
from accounts.staff_sessions import Step, missing_step

STEP_URLS = {
    Step.LOG_IN: "account_login",
    Step.ENROL: "mfa_activate_totp",
    Step.CODE: "mfa_reauthenticate",
}
SAME_PRESS = timedelta(minutes=2)  # in which the form of a new account, sent again, is that account
View = Callable[..., HttpResponseBase]


@require_POST
def log_out(request: HttpRequest) -> HttpResponse:
    """Ends the session. A guest's name goes with it: nothing else knows that guest.

    The browser forgets the pages it has kept. What the device has chosen (theme, sounds, lessons
    learnt) belongs to nobody's account and stays.
    """
    if request.user.is_authenticated:
        forget(request.user)
    logout(request)
    response = redirect("home")
    delete_nonce(response)
    if request.is_secure():  # elsewhere browsers ignore it, and complain
        response["Clear-Site-Data"] = '"cache"'
    return response


def for_accounts(view: View) -> View:
    """Guests are asked to sign up first, strangers to sign in."""

    @wraps(view)
    @never_cache
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and request.user.is_account:
            return view(request, *args, **kwargs)
        door = "account_signup" if request.user.is_authenticated else "account_login"
        return redirect_to_login(request.get_full_path(), reverse(door))

    return guarded


@never_cache
def staff_entrance(request: HttpRequest, **kwargs: Any) -> HttpResponse:
    """Lead somebody whom the admin has turned away to the missing step: log-in, setting a second
    factor up, or giving a code. Raises PermissionDenied for an account without rights."""
    url = get_next_redirect_url(request) or reverse("admin:index")
    if not (request.user.is_authenticated and request.user.is_account):
        return redirect_to_login(url, reverse("account_login"))
    if not request.user.is_staff:
        raise PermissionDenied
    step = missing_step(request)
    if step is None:
        return redirect(url)
    if step is Step.LOG_IN:  # the session is older than one of staff may be
        logout(request)
    return redirect_to_login(url, reverse(STEP_URLS[step]))


def no_mail(request: HttpRequest) -> HttpResponse:
    """The page shown instead of features that need e-mail, on a site that sends none."""
    return render(request, "accounts/no_mail.html", status=404)


def needs_mail(view: View) -> View:
    """Shows `no_mail` in place of the view if the site sends no e-mail."""

    @wraps(view)
    @never_cache
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return view(request, *args, **kwargs) if settings.SENDS_MAIL else no_mail(request)

    return guarded


def manage_email(request: HttpRequest) -> HttpResponseBase:
    """The page of an account's e-mail address. If the site sends no e-mail, an address can be
    removed, but not added or confirmed."""
    needs_sending = request.POST.keys() & {"action_add", "action_send"}
    if needs_sending and not settings.SENDS_MAIL:
        return no_mail(request)
    response: HttpResponseBase = allauth.email(request)
    return response


class Entrance:
    """Open to strangers and guests; an account is inside already and goes on."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Sends accounts on to `next` or home."""
        if request.user.is_authenticated and request.user.is_account:
            return redirect(get_next_redirect_url(request) or "home")
        return super().dispatch(request, *args, **kwargs)  # type: ignore[misc]


class SignIn(Entrance, allauth.LoginView):
    """Signing in by name or e-mail address."""


class SignUp(Entrance, allauth.SignupView):
    """Signing up. The same form sent again, because its answer got lost, signs in."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Makes the account and goes on to where the person was."""
        try:
            return super().form_valid(form)
        except NameTaken:
            form.add_error("username", ValidationError(TAKEN, code="username_taken"))
        except SignedUpAlready:
            say = _("You have signed up in another window already. Load this page again.")
            form.add_error(None, ValidationError(say, code="signed_up"))
        return self.form_invalid(form)

    def form_invalid(self, form: Any) -> HttpResponse:
        """Says what is wrong, unless this person has made just this account a moment ago."""
        user = self._made_a_moment_ago(form)
        if user is None:
            return super().form_invalid(form)
        return perform_login(self.request, user, redirect_url=self.get_success_url())

    def _made_a_moment_ago(self, form: Any) -> User | None:
        codes = {error.code for errors in form.errors.as_data().values() for error in errors}
        if not codes <= {"username_taken", "signed_up"}:
            return None
        name, password = form.data.get("username", "").strip(), form.cleaned_data.get("password1")
        since = timezone.now() - SAME_PRESS
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
class ChangePassword(allauth.PasswordChangeView):
    """Another password. Every other browser is logged out; this one stays. Whoever has a second
    factor gives a code first: else a session that was stolen together with the password would shut
    its owner out."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Changes it."""
        old = self.request.session.digest
        response: HttpResponse = super().form_valid(form)
        new = self.request.session.digest
        signals.session_moved.send(sender=User, old=old, new=new)
        signals.sessions_ended.send(sender=User, user_id=self.request.user.pk, keep=new)
        remember_device(self.request, response, self.request.user)
        return response


class ResetPasswordFromKey(allauth.PasswordResetFromKeyView):
    """Another password by the link from a mail. Whoever has this browser now stays in it: a guest
    who opens the link would otherwise lose name and seats."""

    def logout(self) -> None:
        """Nobody is logged out."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Changes it; every browser of that account is logged out. This one is a known device:
        its user reads the account's mail."""
        response: HttpResponse = super().form_valid(form)
        forget_attempts(self.request, self.reset_user)
        remember_device(self.request, response, self.reset_user)
        signals.sessions_ended.send(sender=User, user_id=self.reset_user.pk, keep="")
        return response


class ConfirmEmail(allauth.ConfirmEmailView):
    """Confirms an address by the link from a mail; for that nobody has to be logged out."""

    def logout_other_user(self, confirmation: Any) -> None:
        """Nobody is logged out."""
