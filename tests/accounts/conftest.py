"""Fixtures of the tests of the site, and the passwords that are hashed."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher

from accounts.observers import observers
from tests.support import account_events as noted
from tests.support.site_fixtures import *  # noqa: F403


@pytest.fixture
def account_events(settings) -> Iterator[list[tuple[object, ...]]]:
    """What a further observer of accounts is told of names and ends of sessions, in order."""
    settings.ACCOUNT_OBSERVERS = [
        *settings.ACCOUNT_OBSERVERS,
        f"{noted.__name__}.{noted.NotingObserver.__name__}",
    ]
    observers.cache_clear()
    yield noted.events
    observers.cache_clear()
    noted.events.clear()
    noted.revocations.clear()


@pytest.fixture
def hashed(monkeypatch) -> list[str]:
    """The passwords that are hashed, in order."""
    passwords: list[str] = []
    encode = MD5PasswordHasher.encode

    def noting(hasher: MD5PasswordHasher, password: str, salt: str) -> str:
        passwords.append(password)
        return encode(hasher, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", noting)
    return passwords
