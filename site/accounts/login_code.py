"""The step of a log-in that asks for a mailed code, after very many wrong passwords in a day.

It is a login stage of allauth, which keeps the log-in in the session meanwhile. allauth's own code
stage is not used: it takes an unconfirmed address as well, keeps the code itself in the session,
counts wrong codes in a way that simultaneous requests get around, and turns guests away.
"""

import time
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.stages import LoginStage, LoginStageController
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.crypto import constant_time_compare, get_random_string, salted_hmac
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.generic import FormView

from accounts.audit import log
from accounts.forms import LoginCode
from accounts.limits import count
from accounts.login_attempts import confirmed_address, needs_code
from accounts.models import User

LETTERS = "BCDFGHJKLMNPQRSTVWXZ23456789"  # no vowels, so no words; none that look alike
LENGTH = 8  # 38 bits
VALID_S = 15 * 60
TRIES = 3
CODES_AN_HOUR = 5  # mailed to one user
STATE = "login_code"  # key of the session
SALT = "accounts.login_code"


class MailedCode(LoginStage):  # type: ignore[misc]
    """Sends the code and waits for it, if the log-in needs one."""

    key = "mailed_code"
    urlname = "account_login_code"

    def handle(self) -> tuple[HttpResponse | None, bool]:
        """Return the redirect to the page of the code, or None to go on; and whether the log-in
        still stands."""
        user = self.login.user
        if not isinstance(user, User) or not needs_code(self.request, user):
            return None, True
        if count(f"log-in:codes:{user.pk}", 3600) > CODES_AN_HOUR:
            say = _("Too many codes were sent. Please try again in an hour.")
            messages.error(self.request, say)
            return redirect("account_login"), False
        send_code(self.request, user)
        return redirect(self.urlname), True


def send_code(request: HttpRequest, user: User) -> None:
    """Mail a new code to the confirmed address of a user; the session keeps its keyed hash."""
    address = confirmed_address(user)
    if address is None:
        raise ValueError("a code is mailed to confirmed addresses only")
    code, id = get_random_string(LENGTH, LETTERS), get_random_string(22)
    request.session[STATE] = {"id": id, "hash": _hash(id, code), "at": time.time()}
    shown = f"{code[:4]}-{code[4:]}"
    context = {"code": shown, "username": user.username, "minutes": VALID_S // 60}
    get_adapter(request).send_mail("account/email/login_code", address, context)
    about = {"event": "login_code_sent", "user": user.pk}
    log.warning("a log-in takes a mailed code after many wrong passwords", extra=about)


def is_valid(state: object) -> bool:
    """Whether the session waits for a code that may still be entered."""
    return isinstance(state, dict) and 0 <= time.time() - state["at"] < VALID_S


def _hash(id: str, code: str) -> str:
    return salted_hmac(SALT, f"{id} {code}", algorithm="sha256").hexdigest()


def _plain(code: str) -> str:
    """Return a code as it was made, whatever case, blanks and dashes it was typed with."""
    return "".join(letter for letter in code.upper() if letter.isalnum())


@method_decorator(never_cache, name="dispatch")
class EnterCode(FormView):  # type: ignore[type-arg]
    """The page on which the code is entered. Three tries, one log-in, the same browser."""

    form_class = LoginCode
    template_name = "account/login_code.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Sends everybody away who does not wait for a code."""
        self.stage = LoginStageController.enter(request, MailedCode.key)
        if self.stage is None:
            return redirect("account_login")
        if not is_valid(request.session.get(STATE)):
            return self._start_again(_("That code is no longer valid. Please sign in again."))
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: LoginCode) -> HttpResponse:
        """Goes on with the log-in if the code is right."""
        state = self.request.session[STATE]
        tries = count(f"log-in:code:{state['id']}", VALID_S)
        given = _hash(state["id"], _plain(form.cleaned_data["code"]))
        if tries <= TRIES and constant_time_compare(given, state["hash"]):
            del self.request.session[STATE]
            response: HttpResponse = self.stage.exit()
            return response
        about = {"event": "login_code_wrong", "user": self.stage.login.user.pk}
        log.warning("a mailed code was wrong", extra=about)
        if tries >= TRIES:
            return self._start_again(_("That went wrong too often. Please sign in again."))
        form.add_error("code", _("That is not the code."))
        return self.form_invalid(form)

    def _start_again(self, say: str) -> HttpResponse:
        self.request.session.pop(STATE, None)
        messages.error(self.request, say)
        response: HttpResponse = self.stage.abort()
        return response
