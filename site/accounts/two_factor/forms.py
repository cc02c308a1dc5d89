"""Forms of the second factor: allauth's with this site's labels; each code works once."""

import time
from typing import Any

from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.core import context
from allauth.mfa import signals
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms as base
from allauth.mfa.models import Authenticator
from allauth.mfa.totp import forms as totp
from allauth.mfa.totp.internal.auth import SECRET_SESSION_KEY
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.core.cache import cache
from django.core.validators import MaxLengthValidator
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from accounts.forms import Reauthenticate as PasswordAgain
from accounts.forms import SiteForm
from accounts.limits.rate_limits import TooOften
from accounts.login.login_attempts import begin_code
from accounts.models import User

MAX_CODE_CHARS = 32
PENDING_KEY_LIFE_S = 60 * 60  # of a key that no code has confirmed
KEY_MADE = "two_factor_key_made"  # entry of the session: seconds since the epoch
# A code of the app is accepted from MFA_TOTP_TOLERANCE periods before its own until as many after.
CODE_LIFE_S = (2 * settings.MFA_TOTP_TOLERANCE + 2) * settings.MFA_TOTP_PERIOD
CODE = _("Code")


def spend_code(user: User, code: str) -> bool:
    """Return whether a valid code is used for the first time, and remember that it was used.

    allauth remembers it for one period, which is too short for a code that is accepted in three.
    """
    digits = "".join(character for character in code if character.isdigit())
    return bool(cache.add(f"two-factor:{user.pk}:{digits}", 1, CODE_LIFE_S))


class CodeForm(SiteForm):
    """Mixin of a form with the field `code` and a user."""

    labels = {"code": CODE}
    helps = {"code": _("Six digits from your authenticator app, or one of your recovery codes.")}
    user: User

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["code"]  # type: ignore[attr-defined]
        field.widget.attrs.update(inputmode="numeric", autofocus=True)
        field.validators.append(MaxLengthValidator(MAX_CODE_CHARS))

    def clean_code(self) -> str:
        """Return the code. Raises ValidationError for a wrong, used or rate-limited one."""
        try:
            attempt = begin_code(context.request, self.user)
        except TooOften as refused:
            raise get_account_adapter().refusal(refused) from None
        code = str(super().clean_code())  # type: ignore[misc]
        if not spend_code(self.user, code):
            # allauth sends this signal for wrong codes only, and takes this one for right.
            signals.authentication_failed.send(
                sender=Authenticator,
                request=context.request,
                user=self.user,
                authenticator=getattr(self, "authenticator", None),
            )
            raise get_adapter().validation_error("incorrect_code")
        attempt.take_back()
        return code


class Authenticate(CodeForm, base.AuthenticateForm):  # type: ignore[misc]
    """Form of the second step of a log-in."""


class Reauthenticate(CodeForm, base.ReauthenticateForm):  # type: ignore[misc]
    """Form that asks a logged-in user for a code."""


def confirmation_form(user: User, posted: QueryDict | None) -> Reauthenticate | PasswordAgain:
    """Return the form by which a logged-in user reauthenticates: with a code if the user has a
    second factor, else with the password."""
    form = Reauthenticate if is_mfa_enabled(user) else PasswordAgain
    return form(posted, user=user)


class ActivateTotp(CodeForm, totp.ActivateTOTPForm):  # type: ignore[misc]
    """Form of the first code of a new authenticator app."""

    helps = {"code": _("The six digits shown in the app.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        session = context.request.session
        if time.time() - session.get(KEY_MADE, 0) > PENDING_KEY_LIFE_S:
            session.pop(SECRET_SESSION_KEY, None)
            session[KEY_MADE] = int(time.time())
        pending = session.get(SECRET_SESSION_KEY)
        super().__init__(*args, **kwargs)
        # allauth makes a new key for every page: with two tabs open, the wrong one is scanned.
        self.secret: str = pending or session[SECRET_SESSION_KEY]
        session[SECRET_SESSION_KEY] = self.secret
