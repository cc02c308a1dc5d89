"""Authentication backend, and password hasher.

Accounts log in by name or e-mail address and password. Argon2 hashes passwords with bounded memory
and a bounded number of simultaneous hashes.
"""

import threading
from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.http import HttpRequest

from accounts.models import User
from accounts.people.blocks import HAS_BLOCKS

MAX_ACCOUNTS_PER_ADDRESS = 5  # that have not confirmed it; each costs a hash or a mail
MAX_CONCURRENT_HASHES = 3  # in one process: hashing takes at most 3 × 46 MiB
SLOTS = threading.BoundedSemaphore(MAX_CONCURRENT_HASHES)


def users_of(email: str, is_active: bool | None = None) -> list[User]:
    """Return the accounts that mails to an address concern, oldest first.

    If an account has confirmed the address, it is the only one. Anybody may name any address at
    sign-up, so there may be very many; the newest ones are left out.
    """
    found: list[User] = filter_users_by_email(
        email, is_active=is_active, prefer_verified=True, for_login=True
    )
    return sorted(found, key=lambda user: user.pk)[:MAX_ACCOUNTS_PER_ADDRESS]


def users_to_log_in(email: str) -> list[User]:
    """Return the accounts that an address may log in: those that have confirmed it, then the
    others, each oldest first.

    Unconfirmed ones stay in: otherwise somebody who signs up with another person's address could
    tell by a log-in that it is known here.
    """
    confirmed = set(
        EmailAddress.objects.filter(email=email.lower(), verified=True).values_list(
            "user", flat=True
        )
    )
    found: list[User] = filter_users_by_email(email, for_login=True)
    return sorted(found, key=lambda user: (user.pk not in confirmed, user.pk))[
        :MAX_ACCOUNTS_PER_ADDRESS
    ]


def confirmed_owner(email: str) -> User | None:
    """Return the account that has confirmed an address; None if there is none."""
    rows = EmailAddress.objects.filter(email=email.lower(), verified=True).select_related("user")
    found = rows.order_by("pk").first()
    return found.user if found and found.user.is_account else None


class NameOrEmailBackend(AuthenticationBackend):  # type: ignore[misc]
    """allauth's backend, which tries an address once, and for a few accounts only."""

    def get_user(self, user_id: int) -> User | None:
        """Return the user of a session, with `has_blocks`; None if there is none, or inactive."""
        # django-stubs refuses an annotation under the name of a declared attribute.
        user = User.objects.annotate(is_in_block=HAS_BLOCKS).filter(pk=user_id).first()
        if user is None or not self.user_can_authenticate(user):
            return None
        user.has_blocks = user.is_in_block
        return user

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        """Return the user of `username` or `email`, and `password`; None if they are wrong.

        The log-in form sends an address as both. If both were tried, the time taken would reveal
        whether the address is known.
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


class BoundedArgon2(Argon2PasswordHasher):
    """Argon2id with 46 MiB and one lane, the larger of OWASP's choices; Django's default takes
    100 MiB and eight lanes. A password with other costs is hashed anew at the next log-in."""

    memory_cost = 47104  # KiB
    time_cost = 2
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """Return the hash; wait while `MAX_CONCURRENT_HASHES` others are computed."""
        with SLOTS:
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        """Whether the password is right; wait while `MAX_CONCURRENT_HASHES` others are computed."""
        with SLOTS:
            return super().verify(password, encoded)
