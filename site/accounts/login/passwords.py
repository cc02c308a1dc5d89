"""Passwords in one Unicode form, so that every keyboard types the same one.

One keyboard sends “ü” as one code point, another as two. Passwords are hashed in NFC; those set
before that are still checked as they are typed.
"""

from typing import Any, TypeVar
from unicodedata import normalize

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AbstractUser, UserManager

Person = TypeVar("Person", bound=AbstractUser)


def compose_password(typed: str) -> str:
    """Return a password as it is hashed (Unicode NFC)."""
    return normalize("NFC", typed)


def _spellings(typed: str | None) -> list[str | None]:
    """Return the texts that may have been hashed for what is typed, the composed one first."""
    return [None] if typed is None else list(dict.fromkeys((compose_password(typed), typed)))


class ComposedPasswords(AbstractBaseUser):
    """Mixin of a user whose password is hashed in NFC."""

    class Meta:
        abstract = True

    def set_password(self, raw_password: str | None) -> None:
        """Set the password.

        It is hashed as often as `check_password` does it: backends call this for unknown names, and
        the time must not reveal whether a name is known.
        """
        for spelling in reversed(_spellings(raw_password)):
            super().set_password(spelling)

    def check_password(self, raw_password: str | None) -> bool:
        """Return whether a password is right, composed or as it is typed."""
        check = super().check_password
        return any(check(spelling) for spelling in _spellings(raw_password))


class ComposingUserManager(UserManager[Person]):
    """Django's manager, whose commands hash passwords without the model's `set_password`."""

    use_in_migrations = True

    def create_user(
        self, username: str, email: Any = None, password: Any = None, **more: Any
    ) -> Person:
        """Create a user; see Django's manager."""
        return super().create_user(username, email, password and compose_password(password), **more)

    def create_superuser(
        self, username: str, email: Any = None, password: Any = None, **more: Any
    ) -> Person:
        """Create a superuser; see Django's manager."""
        composed = password and compose_password(password)
        return super().create_superuser(username, email, composed, **more)
