"""Routes of the second factor; allauth needs those named `mfa_…`."""

from allauth.mfa.base.views import index, reauthenticate
from allauth.mfa.recovery_codes.views import download_recovery_codes, generate_recovery_codes
from allauth.mfa.totp.views import deactivate_totp
from django.urls import path

from accounts.two_factor import views
from accounts.views import for_accounts

PREFIX = "settings/two-factor/"

urlpatterns = [
    path("log-in/code/", views.Authenticate.as_view(), name="mfa_authenticate"),
    path("log-in/again/code/", for_accounts(reauthenticate), name="mfa_reauthenticate"),
    path(PREFIX, for_accounts(index), name="mfa_index"),
    path(f"{PREFIX}app/", for_accounts(views.ActivateTotp.as_view()), name="mfa_activate_totp"),
    path(f"{PREFIX}app/off/", for_accounts(deactivate_totp), name="mfa_deactivate_totp"),
    path(
        f"{PREFIX}recovery-codes/",
        for_accounts(views.ViewRecoveryCodes.as_view()),
        name="mfa_view_recovery_codes",
    ),
    path(
        f"{PREFIX}recovery-codes/new/",
        for_accounts(generate_recovery_codes),
        name="mfa_generate_recovery_codes",
    ),
    path(
        f"{PREFIX}recovery-codes/file/",
        for_accounts(download_recovery_codes),
        name="mfa_download_recovery_codes",
    ),
]
