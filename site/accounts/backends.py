"""How a name or an address and a password are found to belong together."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.internal.userkit import filter_users_by_email
from django.http import HttpRequest

from accounts.models import User

MOST = 5  # accounts of one address that nobody has confirmed; each takes a hash or a mail


def users_of(email: str, is_active: bool | None = None) -> list[User]:
    """The accounts of an address, the oldest first; whose owner has confirmed it, goes alone.

    Anybody may name any address at sign-up, so there may be very many: the later ones don't count.
    """
    found: list[User] = filter_users_by_email(
        email, is_active=is_active, prefer_verified=True, for_login=True
    )
    return sorted(found, key=lambda user: user.pk)[:MOST]


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
        return next((u for u in users_of(email) if self._check_password(u, password)), None)
