"""Forms of accounts: allauth's with this site's labels, and the form of the name."""

from typing import Any

from allauth.account import forms as allauth
from allauth.account.adapter import get_adapter
from allauth.account.fields import PasswordField
from allauth.core import context
from django import forms
from django.conf import settings
from django.core.validators import MaxLengthValidator, ProhibitNullCharactersValidator
from django.db import transaction
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

from accounts.login import staff_access
from accounts.login.backends import users_of
from accounts.login.passwords import compose_password
from accounts.models import User
from accounts.people.names import MAX_NAME_CHARS, SPELLING, normalize_name, validate_name

MAX_PASSWORD_CHARS = 256
TOO_LONG = ngettext_lazy(
    "Use at most %(limit_value)d character.",
    "Use at most %(limit_value)d characters.",
    "limit_value",
)
PLAIN = {"autocapitalize": "none", "spellcheck": "false"}
PASSWORD = _("Password")
NEW_PASSWORD = _("New password")
PASSWORD_AGAIN = _("Repeat password")
PASSWORD_HELP = _("At least eight characters. Avoid common passwords.")
EMAIL = pgettext_lazy("label of a field", "Email address")


class SiteForm:
    """Mixin of labels and help texts; removes placeholders, which vanish with typing."""

    labels: dict[str, Any] = {}
    helps: dict[str, Any] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        for name, field in self.fields.items():  # type: ignore[attr-defined]
            field.label = self.labels.get(name, field.label)
            field.help_text = self.helps.get(name, "")
            field.widget.attrs.pop("placeholder", None)
            if isinstance(field, PasswordField):
                field.validators.append(MaxLengthValidator(MAX_PASSWORD_CHARS, TOO_LONG))
            if "password" not in name:
                field.widget.attrs.update(PLAIN)
            field.widget.attrs["class"] = "field"

    def full_clean(self) -> None:
        """Validate the form, and give the first wrong field the focus."""
        super().full_clean()  # type: ignore[misc]
        wrong = next((name for name in self.fields if name in self.errors), None)  # type: ignore[attr-defined]
        if wrong:
            self.fields[wrong].widget.attrs["autofocus"] = True  # type: ignore[attr-defined]


class NewPassword(SiteForm):
    """Mixin of a new password, which may be repeated on another keyboard."""

    def clean_password1(self) -> str:
        """Return the password as it is hashed."""
        return compose_password(self.cleaned_data["password1"])  # type: ignore[attr-defined]

    def clean_password2(self) -> str:
        """Return the repeated password likewise."""
        return compose_password(self.cleaned_data["password2"])  # type: ignore[attr-defined]


class SignUp(NewPassword, allauth.SignupForm):  # type: ignore[misc]
    """Form of the sign-up: name, password and optional e-mail address."""

    field_order = ["username", "password1", "password2", "email"]
    labels = {
        "username": _("Name"),
        "password1": PASSWORD,
        "password2": PASSWORD_AGAIN,
        "email": _("Email (optional)"),
    }
    helps = {
        "username": SPELLING,
        "password1": PASSWORD_HELP,
        "email": _("For password resets, and for reminders if you turn them on. Never shown."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _keep_nul_validator(self.fields["username"])
        if not settings.SENDS_MAIL:
            del self.fields["email"]

    def clean_username(self) -> str:
        """Return the name in its stored spelling. Raises ValidationError if it is not available."""
        self.cleaned_data["username"] = normalize_name(self.cleaned_data["username"])
        return str(super().clean_username())

    def save(self, request: HttpRequest) -> User:
        """Create the account with its address, in one transaction."""
        with transaction.atomic():
            user: User = super().save(request)
        return user


class SignIn(SiteForm, allauth.LoginForm):  # type: ignore[misc]
    """Form of the log-in: name or e-mail address, and password."""

    labels = {"login": _("Name or email"), "password": PASSWORD}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs["autocomplete"] = "username"
        self.fields["login"].validators.append(MaxLengthValidator(254))

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> HttpResponseBase:
        """Log in, or begin the second step.

        allauth sets the session's age after the log-in, so that of staff is limited again.
        """
        response: HttpResponseBase = super().login(request, redirect_url=redirect_url)
        staff_access.set_expiry(request)
        return response


class ChangePassword(NewPassword, allauth.ChangePasswordForm):  # type: ignore[misc]
    """Form of the password: the present one and, twice, the new one."""

    labels = {
        "oldpassword": _("Current password"),
        "password1": NEW_PASSWORD,
        "password2": PASSWORD_AGAIN,
    }
    helps = {"password1": PASSWORD_HELP}

    def clean_oldpassword(self) -> str:
        """Return the present password; wrong ones count as wrong log-ins do."""
        adapter, user = get_adapter(), self.user
        attempt = adapter.count_attempt(context.request, user.username, [user])
        password = str(super().clean_oldpassword())
        attempt.take_back()
        return password


class ResetPassword(SiteForm, allauth.ResetPasswordForm):  # type: ignore[misc]
    """Form that asks for the link to set a new password."""

    labels = {"email": EMAIL}

    def clean_email(self) -> str:
        """Return the address, and set `users` to the few accounts that get a mail.

        Raises ValidationError above the limits of mails, in the same way for unknown addresses.
        """
        email = str(super().clean_email())
        if not get_adapter(context.request).may_mail("password_reset", email):
            raise forms.ValidationError(_("Too many emails sent. Try again in an hour."))
        self.users = users_of(email, is_active=True)
        return email


class ResetPasswordKey(NewPassword, allauth.ResetPasswordKeyForm):  # type: ignore[misc]
    """Form of the new password, twice, behind that link."""

    labels = {"password1": NEW_PASSWORD, "password2": PASSWORD_AGAIN}
    helps = {"password1": PASSWORD_HELP}


class AddEmail(SiteForm, allauth.AddEmailForm):  # type: ignore[misc]
    """Form of a new e-mail address."""

    labels = {"email": _("New email address")}


class Reauthenticate(SiteForm, allauth.ReauthenticateForm):  # type: ignore[misc]
    """Form that asks for the password again."""

    labels = {"password": PASSWORD}


class CodeRequest(SiteForm, forms.Form):
    """Form that asks for a code to sign in with."""

    email = forms.EmailField(label=EMAIL, max_length=254)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].widget.attrs["autocomplete"] = "email"


class LoginCode(SiteForm, forms.Form):
    """Form of the code from a mail."""

    code = forms.CharField(label=_("Code"), max_length=30)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs.update(autocomplete="one-time-code", autofocus=True)


class Rename(SiteForm, forms.Form):
    """Form of the shown name."""

    username = forms.CharField(label=_("Display name"))
    helps = {"username": SPELLING}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs.update(
            autocomplete="username", maxlength=MAX_NAME_CHARS
        )

    def clean_username(self) -> str:
        """Return the name in its stored spelling. Raises ValidationError for a reserved one."""
        name = normalize_name(self.cleaned_data["username"])
        validate_name(name)
        return name


def _keep_nul_validator(field: forms.Field) -> None:
    """Keep only the NUL validator: `validate_name` checks the length in its own sentence."""
    kept = [v for v in field.validators if isinstance(v, ProhibitNullCharactersValidator)]
    field.validators = [*kept]
