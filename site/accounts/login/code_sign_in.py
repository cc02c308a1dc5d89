"""Sign-in with a code mailed to a confirmed address, instead of the password.

allauth's own sign-in by code is not used: it also mails to unconfirmed addresses, stores the code
itself in the session, counts wrong codes in a way that simultaneous requests circumvent, and
refuses guests. A second factor is asked for as after a password. The code proves the address but
not the password: pages that ask for the password again (`reauthenticate`) still do so.

After many wrong passwords in a day the right one leads here, from browsers that are not known.

Pages, limits and mails are the same for known and unknown addresses, so that nobody learns which
addresses have accounts: an unknown address gets a mail that says it has no account.
"""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import perform_login
from allauth.account.models import Login
from allauth.account.stages import LoginStage, LoginStageController
from allauth.account.utils import get_next_redirect_url
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.crypto import constant_time_compare
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.generic import FormView

from accounts.forms import CodeRequest, LoginCode
from accounts.login import staff_access
from accounts.login.account_log import log
from accounts.login.backends import confirmed_owner
from accounts.login.login_attempts import confirmed_address, needs_code
from accounts.login.mailed_codes import MAX_TRIES, VALID_S, count_try, is_valid, make_code, matches
from accounts.models import User
from accounts.views import Entrance

STATE = "code_sign_in"  # key of the session
REQUEST_PAGE = "account/code_request.html"


def code_request_page(request: HttpRequest, email: str, path: str) -> HttpResponse:
    """Return the page that asks for a code, with an address filled in; it leads on to `path`."""
    form = CodeRequest(initial={"email": email})
    return render(request, REQUEST_PAGE, {"form": form, "next": path})


@method_decorator(never_cache, name="dispatch")
class RequestCode(Entrance, FormView):  # type: ignore[type-arg]
    """Page that mails a code to an address."""

    form_class = CodeRequest
    template_name = REQUEST_PAGE

    def get_initial(self) -> dict[str, Any]:
        """Return the address that a code was mailed to before in this browser, if any."""
        state = self.request.session.get(STATE)
        return {"email": state["email"]} if state and is_valid(state) and state["shown"] else {}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the path to which the sign-in redirects."""
        return {**super().get_context_data(**kwargs), "next": get_next_redirect_url(self.request)}

    def form_valid(self, form: CodeRequest) -> HttpResponse:
        """Mail a code, and go on to the page on which it is entered."""
        email = form.cleaned_data["email"].lower()
        if not get_adapter(self.request).may_mail("sign_in_code", email):
            form.add_error(None, _("Too many codes sent. Try again in an hour."))
            return self.form_invalid(form)
        _send_code(self.request, email, get_next_redirect_url(self.request) or "")
        return redirect("account_enter_code")


class MailedCode(LoginStage):  # type: ignore[misc]
    """Ends a log-in with the right password that needs a mailed code, and mails one."""

    key = "mailed_code"

    def handle(self) -> tuple[HttpResponse | None, bool]:
        """Return a redirect, or None to go on; and whether the log-in goes on."""
        user = self.login.user
        email = confirmed_address(user) if needs_code(self.request, user) else None
        if email is None:
            return None, True
        if not get_adapter(self.request).may_mail("sign_in_code", email):
            messages.error(self.request, _("Too many codes sent. Try again in an hour."))
            return redirect("account_login"), False
        _send_code(self.request, email, self.login.redirect_url or "", is_address_typed=False)
        return redirect("account_enter_code"), False


def _send_code(
    request: HttpRequest, email: str, path: str, *, is_address_typed: bool = True
) -> None:
    """Mail a code to the account that has confirmed an address, or a mail that there is none.

    The page shows the address only if it was typed: a password that was stolen does not reveal it.
    """
    shown, state = make_code()
    user = confirmed_owner(email)
    about = {"user": user.pk, "account": user.get_session_auth_hash()} if user else {"user": None}
    state |= {"email": email, "shown": is_address_typed, "next": path}
    request.session[STATE] = {**state, **about}
    if user is None:
        get_adapter(request).send_mail("account/email/sign_in_code_unknown", email, {})
        return
    context = {"code": shown, "username": user.username, "minutes": VALID_S // 60}
    get_adapter(request).send_mail("account/email/sign_in_code", email, context)
    log.info("a code to sign in was mailed", extra={"event": "sign_in_code_sent", "user": user.pk})


@method_decorator(never_cache, name="dispatch")
class EnterCode(Entrance, FormView):  # type: ignore[type-arg]
    """Page on which the code is entered: three tries, in the browser that asked for it."""

    form_class = LoginCode
    template_name = "account/code_enter.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Redirect requests without a valid code to the page that mails one; handle all others."""
        if not is_valid(request.session.get(STATE)):
            if request.session.pop(STATE, None) is not None:
                messages.error(request, _("That code is no longer valid. Get a new one."))
            return redirect("account_request_code")
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the address that the code was mailed to, if it was typed here."""
        state = self.request.session[STATE]
        return {**super().get_context_data(**kwargs), "email": state["shown"] and state["email"]}

    def form_valid(self, form: LoginCode) -> HttpResponse:
        """Sign in if the code is right."""
        state = self.request.session[STATE]
        tries = count_try(state)
        is_right = tries <= MAX_TRIES and matches(state, form.cleaned_data["code"])
        if is_right and state["user"] is not None:
            del self.request.session[STATE]
            return self._sign_in(state)
        about = {"event": "sign_in_code_wrong", "user": state["user"]}
        log.warning("a code to sign in was wrong", extra=about)
        if tries >= MAX_TRIES:
            return self._start_again(_("Too many wrong codes. Get a new one."))
        form.add_error("code", _("Wrong code."))
        return self.form_invalid(form)

    def _sign_in(self, state: dict[str, Any]) -> HttpResponse:
        """Begin the log-in; end it if account or address have changed since the code was mailed."""
        user = User.objects.filter(pk=state["user"]).first()
        hash = user.get_session_auth_hash() if user else ""
        if user != confirmed_owner(state["email"]) or not constant_time_compare(
            hash, state["account"]
        ):
            return self._start_again(_("That code is no longer valid. Get a new one."))
        login = Login(user=user, redirect_url=state["next"] or None)
        # The address has just been proven: no other code is mailed after many wrong passwords.
        LoginStageController(self.request, login).set_handled(MailedCode.key)
        response: HttpResponse = perform_login(self.request, login)
        staff_access.set_expiry(self.request)
        return response

    def _start_again(self, say: str) -> HttpResponse:
        self.request.session.pop(STATE, None)
        messages.error(self.request, say)
        return redirect("account_request_code")
