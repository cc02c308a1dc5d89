"""Export of a user's account data, besides games and talk."""

from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator

from accounts.models import User


def profile_of(user: User) -> dict[str, Any]:
    """The user's own row in words, as plain JSON. It says nothing of the password, and of a second
    factor only since when it is on and when it was last used."""
    addresses = EmailAddress.objects.filter(user=user).order_by("pk")
    known = {address.email: address.verified for address in addresses}
    return {
        "name": user.get_username(),
        "guest": user.is_guest,
        "joined": _moment(user.date_joined),
        "last_sign_in": _moment(user.last_login),
        "name_changed": _moment(user.renamed),
        "e-mail": [{"address": email, "confirmed": done} for email, done in known.items()]
        or ([{"address": user.email, "confirmed": False}] if user.email else []),
        "two-factor": [
            {
                "type": factor.type,
                "since": _moment(factor.created_at),
                "last_used": _moment(factor.last_used_at),
            }
            for factor in Authenticator.objects.filter(user=user).order_by("pk")
        ],
    }


def _moment(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
