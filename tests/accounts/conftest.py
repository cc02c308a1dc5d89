"""Fixtures of the tests of the site, and the passwords that are hashed."""

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher

from tests.support.site_fixtures import *  # noqa: F403


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
