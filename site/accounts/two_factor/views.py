"""Views of the second factor: allauth's, open to guests who log in as well."""

from typing import Any

from allauth.account.utils import get_next_redirect_url, passthrough_next_redirect_url
from allauth.mfa.base import views as base
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from allauth.mfa.totp.internal.auth import SECRET_SESSION_KEY
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from accounts.adapter import guest_of
from accounts.models import User


class Authenticate(base.AuthenticateView):  # type: ignore[misc]
    """The second step of a log-in.

    allauth redirects logged-in users away from it. A guest who logs in to an account is logged in
    as the guest until the code is right, so this page treats the guest as anonymous.
    """

    guest: User | None = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return the page; redirect to the log-in if none is under way."""
        self.guest = guest_of(request)
        if self.guest:
            request.user = AnonymousUser()
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return response

    def form_valid(self, form: Any) -> HttpResponse:
        """Log the account in; the adapter ends the guest's session."""
        if self.guest:
            self.request.user = self.guest
        response: HttpResponse = super().form_valid(form)
        return response


class ActivateTotp(totp.ActivateTOTPView):  # type: ignore[misc]
    """Page on which an authenticator app is set up; its key stays until it is used or cancelled."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return the page; a POST with `cancel` forgets the key."""
        if "cancel" in request.POST:
            request.session.pop(SECRET_SESSION_KEY, None)
            return redirect("mfa_index")
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the secret in groups of four letters, for apps that cannot read the QR code, and
        `next`."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        secret = context["form"].secret
        groups = [secret[at : at + 4] for at in range(0, len(secret), 4)]
        return {**context, "secret_groups": groups, "next": get_next_redirect_url(self.request)}

    def get_success_url(self) -> str:
        """Return the page of the recovery codes, which leads on to `next`."""
        url = super().get_success_url()
        return str(passthrough_next_redirect_url(self.request, url, REDIRECT_FIELD_NAME))


class ViewRecoveryCodes(recovery_codes.ViewRecoveryCodesView):  # type: ignore[misc]
    """Page of the remaining recovery codes."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the target of the button below the codes."""
        done = get_next_redirect_url(self.request) or reverse("mfa_index")
        return {**super().get_context_data(**kwargs), "done_url": done}


authenticate = Authenticate.as_view()
activate_totp = ActivateTotp.as_view()
view_recovery_codes = ViewRecoveryCodes.as_view()
# allauth's own, which `urls` names too.
index, reauthenticate, deactivate_totp = base.index, base.reauthenticate, totp.deactivate_totp
generate_recovery_codes = recovery_codes.generate_recovery_codes
download_recovery_codes = recovery_codes.download_recovery_codes
