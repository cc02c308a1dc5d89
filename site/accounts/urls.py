"""Routes of accounts and settings; allauth needs those named `account_…`."""

from allauth.account import views as allauth
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from accounts import settings_views, views
from accounts.login import code_sign_in
from accounts.public_profile.views import edit_details
from accounts.views import for_accounts, needs_mail

urlpatterns = [
    path("log-out/", views.log_out, name="log-out"),
    path("sign-up/", views.SignUp.as_view(), name="account_signup"),
    path("log-in/", views.SignIn.as_view(), name="account_login"),
    path("log-in/again/", for_accounts(allauth.reauthenticate), name="account_reauthenticate"),
    path(
        "log-in/by-email/",
        needs_mail(code_sign_in.RequestCode.as_view()),
        name="account_request_code",
    ),
    path(
        "log-in/by-email/code/",
        needs_mail(code_sign_in.EnterCode.as_view()),
        name="account_enter_code",
    ),
    path("suspended/", allauth.account_inactive, name="account_inactive"),
    path("password/", for_accounts(views.ChangePassword.as_view()), name="account_change_password"),
    path("password/reset/", needs_mail(allauth.password_reset), name="account_reset_password"),
    path(
        "password/reset/sent/",
        needs_mail(allauth.password_reset_done),
        name="account_reset_password_done",
    ),
    path(
        "password/reset/done/",
        allauth.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    re_path(
        r"^password/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        views.ResetPasswordFromKey.as_view(),
        name="account_reset_password_from_key",
    ),
    path(
        "password/set/",
        RedirectView.as_view(pattern_name="account_reset_password"),
        name="account_set_password",
    ),
    path("e-mail/", for_accounts(views.manage_email), name="account_email"),
    path(
        "e-mail/sent/",
        RedirectView.as_view(pattern_name="account_email"),
        name="account_email_verification_sent",
    ),
    re_path(
        r"^e-mail/(?P<key>[-:\w]+)/$", views.ConfirmEmail.as_view(), name="account_confirm_email"
    ),
    path("", include("accounts.two_factor.urls")),
    path("settings/", settings_views.settings_page, name="settings"),
    path("settings/name/", settings_views.change_name, name="settings-name"),
    path("settings/holidays/", settings_views.choose_holidays, name="settings-holidays"),
    path("settings/profile/", edit_details, name="settings-details"),
]
