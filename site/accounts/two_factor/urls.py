"""Routes of the second factor; allauth needs those named `mfa_…`.

The views are imported at the first request: they make allauth load passkey libraries, which took a
twelfth of the start-up time.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.urls import path
from django.utils.module_loading import import_string

from accounts.views import for_accounts

PREFIX = "settings/two-factor/"


def _view(name: str) -> Callable[..., HttpResponseBase]:
    """Return the view of that name in `accounts.two_factor.views`."""

    def view(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = import_string(f"accounts.two_factor.views.{name}")(request)
        return response

    return view


urlpatterns = [
    path("log-in/code/", _view("authenticate"), name="mfa_authenticate"),
    path("log-in/again/code/", for_accounts(_view("reauthenticate")), name="mfa_reauthenticate"),
    path(PREFIX, for_accounts(_view("index")), name="mfa_index"),
    path(f"{PREFIX}app/", for_accounts(_view("activate_totp")), name="mfa_activate_totp"),
    path(f"{PREFIX}app/off/", for_accounts(_view("deactivate_totp")), name="mfa_deactivate_totp"),
    path(
        f"{PREFIX}recovery-codes/",
        for_accounts(_view("view_recovery_codes")),
        name="mfa_view_recovery_codes",
    ),
    path(
        f"{PREFIX}recovery-codes/new/",
        for_accounts(_view("generate_recovery_codes")),
        name="mfa_generate_recovery_codes",
    ),
    path(
        f"{PREFIX}recovery-codes/file/",
        for_accounts(_view("download_recovery_codes")),
        name="mfa_download_recovery_codes",
    ),
]
