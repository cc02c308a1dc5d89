"""The forms of the people part: allauth's, in this site's words, and the form of the name."""

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

from accounts import staff_sessions
from accounts.backends import users_of
from accounts.models import User
from accounts.names import LONGEST, SPELLING, normalized, validate_name

LONGEST_PASSWORD = 256
TOO_LONG = ngettext_lazy(
    "A password has at most %(limit_value)d character.",
    "A password has at most %(limit_value)d characters.",
    "limit_value",
)
PLAIN = {"autocapitalize": "none", "spellcheck": "false"}
PASSWORD = _("Password")
NEW_PASSWORD = _("New password")
AGAIN = _("The same password again")
PASSWORD_HELP = _("At least eight characters, and not one that everybody uses.")
EMAIL = pgettext_lazy("label of a field", "E-mail address")


class HouseForm:
    """Labels and help of our own; no words inside the fields, which would vanish with typing."""

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
                field.validators.append(MaxLengthValidator(LONGEST_PASSWORD, TOO_LONG))
            if "password" not in name:
                field.widget.attrs.update(PLAIN)
            field.widget.attrs["class"] = "field"

    def full_clean(self) -> None:
        """Checks the form; the first wrong field has the focus when it is shown again."""
        super().full_clean()  # type: ignore[misc]
        wrong = next((name for name in self.fields if name in self.errors), None)  # type: ignore[attr-defined]
        if wrong:
            self.fields[wrong].widget.attrs["autofocus"] = True  # type: ignore[attr-defined]


class SignUp(HouseForm, allauth.SignupForm):
    """Name and password; the e-mail address only if one likes."""

    field_order = ["username", "password1", "password2", "email"]
    labels = {
        "username": _("Name"),
        "password1": PASSWORD,
        "password2": AGAIN,
        "email": _("E-mail address, if you like"),
    }
    helps = {
        "username": SPELLING,
        "password1": PASSWORD_HELP,
        "email": _("Only for the day you forget the password. Nobody else ever sees it."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _plain_name(self.fields["username"])
        if not settings.SENDS_MAIL:
            del self.fields["email"]

    def clean_username(self) -> str:
        """The name in its stored spelling; an error if it cannot be had."""
        self.cleaned_data["username"] = normalized(self.cleaned_data["username"])
        return str(super().clean_username())

    def save(self, request: HttpRequest) -> User:
        """The account with its address, or nothing at all."""
        with transaction.atomic():
            user: User = super().save(request)
        return user


class SignIn(HouseForm, allauth.LoginForm):
    """Name or e-mail address, and the password."""

    labels = {"login": _("Name or e-mail address"), "password": PASSWORD}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs["autocomplete"] = "username"
        self.fields["login"].validators.append(MaxLengthValidator(254))

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> HttpResponseBase:
        """Log in, or begin the second step. allauth gives the session its age afterwards, so that
        of staff is limited again."""
        response: HttpResponseBase = super().login(request, redirect_url=redirect_url)
        staff_sessions.set_expiry(request)
        return response


class ChangePassword(HouseForm, allauth.ChangePasswordForm):
    """The present password and, twice, the next one."""

    labels = {"oldpassword": _("Present password"), "password1": NEW_PASSWORD, "password2": AGAIN}
    helps = {"password1": PASSWORD_HELP}

    def clean_oldpassword(self) -> str:
        """The present password; wrong ones count like those of a log-in."""
        adapter, user = get_adapter(), self.user
        attempt = adapter.count_attempt(context.request, user.username, [user])
        password = str(super().clean_oldpassword())
        attempt.take_back()
        return password


class ResetPassword(HouseForm, allauth.ResetPasswordForm):
    """The address that a link is sent to."""

    labels = {"email": EMAIL}

    def clean_email(self) -> str:
        """The address; a mail goes to a few of its accounts at most."""
        email = str(super().clean_email())
        self.users = users_of(email, is_active=True)
        return email


class ResetPasswordKey(HouseForm, allauth.ResetPasswordKeyForm):
    """The next password, twice, for who has come by that link."""

    labels = {"password1": NEW_PASSWORD, "password2": AGAIN}
    helps = {"password1": PASSWORD_HELP}


class AddEmail(HouseForm, allauth.AddEmailForm):
    """Another address."""

    labels = {"email": _("New e-mail address")}


class Reauthenticate(HouseForm, allauth.ReauthenticateForm):
    """The password once more."""

    labels = {"password": PASSWORD}


class LoginCode(HouseForm, forms.Form):
    """The code from a mail."""

    code = forms.CharField(label=_("Code"), max_length=30)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs.update(autocomplete="one-time-code", autofocus=True)


class Rename(HouseForm, forms.Form):
    """The name shown."""

    username = forms.CharField(label=_("Name shown"))
    helps = {"username": SPELLING}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs.update(autocomplete="username", maxlength=LONGEST)

    def clean_username(self) -> str:
        """The name in its stored spelling; an error if nobody may have it."""
        name = normalized(self.cleaned_data["username"])
        validate_name(name)
        return name


def _plain_name(field: forms.Field) -> None:
    """One sentence says what a name may be; a length of its own need not be told as well."""
    kept = [v for v in field.validators if isinstance(v, ProhibitNullCharactersValidator)]
    field.validators = kept
