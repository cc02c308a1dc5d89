"""Stages of a log-in after the password: a mailed code, and a check of the account.

After many wrong passwords in a day a log-in takes a mailed code. allauth keeps the pending log-in
in the session. Its own stage for codes is not used: it also mails to unconfirmed addresses, stores
the code itself in the session, counts wrong codes in a way that simultaneous requests circumvent,
and refuses guests.

A log-in that waits for a code is stored in the session for up to 15 minutes, and no user is logged
in to that session yet. So a new password, a suspension and `manage.py logoutall` would not end it,
and the old password and a code would still give access. The first and the last stage end a log-in
whose account changes meanwhile.
"""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.stages import LoginStage, LoginStageController
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.crypto import constant_time_compare
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.generic import FormView

from accounts.forms import LoginCode
from accounts.limits.rate_limits import HOUR_S, Rate
from accounts.login.account_log import log
from accounts.login.login_attempts import confirmed_address, needs_code
from accounts.login.mailed_codes import MAX_TRIES, VALID_S, count_try, is_valid, make_code, matches
from accounts.models import User

MAX_CODES_PER_HOUR = 5
BY_USER = Rate("log-in:codes", MAX_CODES_PER_HOUR, HOUR_S)  # codes mailed to one user
STATE = "login_code"  # key of the session
HASH = "session_hash"


class MailedCode(LoginStage):  # type: ignore[misc]
    """Sends the code and waits for it, if the log-in needs one."""

    key = "mailed_code"
    urlname = "account_login_code"

    def handle(self) -> tuple[HttpResponse | None, bool]:
        """Return the redirect to the page of the code, or None to go on; and whether the log-in
        is still valid."""
        user = self.login.user
        if not isinstance(user, User) or not needs_code(self.request, user):
            return None, True
        if not BY_USER.of(user.pk).take():
            say = _("Too many codes sent. Try again in an hour.")
            messages.error(self.request, say)
            return redirect("account_login"), False
        send_code(self.request, user)
        return redirect(self.urlname), True


def send_code(request: HttpRequest, user: User) -> None:
    """Mail a new code to the confirmed address of a user; the session keeps its keyed hash."""
    address = confirmed_address(user)
    if address is None:
        raise ValueError("a code is mailed to confirmed addresses only")
    shown, request.session[STATE] = make_code()
    context = {"code": shown, "username": user.username, "minutes": VALID_S // 60}
    get_adapter(request).send_mail("account/email/login_code", address, context)
    about = {"event": "login_code_sent", "user": user.pk}
    log.warning("a log-in takes a mailed code after many wrong passwords", extra=about)


@method_decorator(never_cache, name="dispatch")
class EnterCode(FormView):  # type: ignore[type-arg]
    """Page on which the code is entered: three tries, for one log-in in the same browser."""

    form_class = LoginCode
    template_name = "account/login_code.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Redirect requests without a pending log-in or a valid code; handle all others."""
        self.stage = LoginStageController.enter(request, MailedCode.key)
        if self.stage is None:
            return redirect("account_login")
        if not is_valid(request.session.get(STATE)):
            return self._start_again(_("That code is no longer valid. Sign in again."))
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: LoginCode) -> HttpResponse:
        """Go on with the log-in if the code is right."""
        state = self.request.session[STATE]
        tries = count_try(state)
        if tries <= MAX_TRIES and matches(state, form.cleaned_data["code"]):
            del self.request.session[STATE]
            response: HttpResponse = self.stage.exit()
            return response
        about = {"event": "login_code_wrong", "user": self.stage.login.user.pk}
        log.warning("a mailed code was wrong", extra=about)
        if tries >= MAX_TRIES:
            return self._start_again(_("Too many wrong codes. Sign in again."))
        form.add_error("code", _("Wrong code."))
        return self.form_invalid(form)

    def _start_again(self, say: str) -> HttpResponse:
        self.request.session.pop(STATE, None)
        messages.error(self.request, say)
        response: HttpResponse = self.stage.abort()
        return response


class NoteAccount(LoginStage):  # type: ignore[misc]
    """Notes the session hash of the account; the first step after the password."""

    key = "note_account"

    def handle(self) -> tuple[HttpResponse | None, bool]:
        """Store the hash. allauth runs each stage once for a log-in."""
        self.state[HASH] = _hash_of(self)
        return None, True


class CheckAccount(LoginStage):  # type: ignore[misc]
    """Ends a log-in whose account has another session hash by now; the last step."""

    key = "check_account"

    def handle(self) -> tuple[HttpResponse | None, bool]:
        """Return None to go on, or a redirect to the log-in; and whether it is still valid."""
        noted = self.controller.get_stage(NoteAccount.key).state.get(HASH)
        if noted is not None and constant_time_compare(noted, _hash_of(self)):
            return None, True
        about = {"event": "log-in-outdated", "user": self.login.user.pk}
        log.warning("a log-in was ended: the account changed meanwhile", extra=about)
        messages.error(self.request, _("That code is no longer valid. Sign in again."))
        return redirect("account_login"), False


def _hash_of(stage: LoginStage) -> str:
    """Return the user's session hash, which changes with the password and at the end of all
    sessions."""
    return str(stage.login.user.get_session_auth_hash())
