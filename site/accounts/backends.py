"""Authentication backend: accounts by name or e-mail address and password."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.models import EmailAddress
from django.http import HttpRequest

from accounts.models import User

MOST = 5  # accounts of one address that nobody has confirmed; each takes a hash or a mail


def users_of(email: str, is_active: bool | None = None) -> list[User]:
    """The accounts that mails to an address concern, the oldest first; its owner, who has confirmed
    it, goes alone.

    Anybody may name any address at sign-up, so there may be very many: the later ones don't count.
    """
    found: list[User] = filter_users_by_email(
        email, is_active=is_active, prefer_verified=True, for_login=True
    )
    return sorted(found, key=lambda user: user.pk)[:MOST]


def users_to_log_in(email: str) -> list[User]:
    """Return the accounts that an address may log in: its owner, then those that have only named
    it, the oldest first.

    The owner does not shut the others out: somebody who signs up with another's address could tell
    by a log-in that it is known here.
    """
    confirmed = set(
        EmailAddress.objects.filter(email=email.lower(), verified=True).values_list(
            "user", flat=True
        )
    )
    found: list[User] = filter_users_by_email(email, for_login=True)
    return sorted(found, key=lambda user: (user.pk not in confirmed, user.pk))[:MOST]


class Door(AuthenticationBackend):  # type: ignore[misc]
    """allauth's, but an address is tried once, and for a few accounts only."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        """The user to whom `username` or `email`, and `password` belong.

        The form of the log-in sends an address under both words. Tried as both, the time taken
        would tell whether it is known.
        """
        login = credentials.get("email") or credentials.get("username") or ""
        named = {"email" if "@" in login else "username": login}
        found: User | None = super().authenticate(
            request, password=credentials.get("password"), **named
        )
        return found

    def _authenticate_by_email(self, email: str, password: str) -> Any:
        return next(
            (user for user in users_to_log_in(email) if self._check_password(user, password)), None
        )
