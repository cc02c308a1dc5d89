"""Session engine that stores a SHA-256 digest of each session key instead of the key.

A session key is the value of a cookie, and gives access to the account. The database, revocations
and the sessions of sockets hold digests only. The digest needs neither salt nor secret: a key has
32 random characters out of 36 (165 bits), too many for a brute-force search.

The engine extends Django's as its documentation describes ("Extending database-backed session
engines"). One private name of Django's is used, `_session_key`; pyproject.toml bounds the version,
and tests/accounts/test_session_engine.py covers the code that depends on it.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.utils import timezone

if TYPE_CHECKING:
    from accounts.models import Session

DIGEST_CHARS = 64  # hexadecimal characters


def digest_of(key: str) -> str:
    """Return the stored form of a session key, in hexadecimal."""
    return hashlib.sha256(key.encode()).hexdigest()


class SessionStore(db.SessionStore):
    """Django's session in the database, found by the digest of its key.

    Arguments named `session_key` are keys as cookies carry them, never digests. Django names a part
    of the signature of session data after this class; renaming it ends every session.
    """

    _is_key_kept = False

    @classmethod
    def get_model_class(cls) -> "type[Session]":
        """Return the model; imported late, because its module imports this one."""
        from accounts.models import Session

        return Session

    @property
    def digest(self) -> str | None:
        """The digest of the session's key; None if there is no key."""
        return digest_of(self.session_key) if self.session_key else None

    def load(self) -> dict[str, Any]:
        """Return the session's data; drop an unknown or expired key.

        So a key that a client has invented never becomes the key of a session.
        """
        try:
            row = self.model.objects.get(**self._lookup())
        except self.model.DoesNotExist:
            return self._drop_key()
        return self.decode(row.session_data)

    async def aload(self) -> dict[str, Any]:
        """Return what `load` returns."""
        try:
            row = await self.model.objects.aget(**self._lookup())
        except self.model.DoesNotExist:
            return self._drop_key()
        return self.decode(row.session_data)

    def exists(self, session_key: str) -> bool:
        """Return whether a session has this key."""
        return super().exists(digest_of(session_key))

    async def aexists(self, session_key: str) -> bool:
        """Return what `exists` returns."""
        return await super().aexists(digest_of(session_key))

    def create_model_instance(self, data: dict[str, Any]) -> "Session":
        """Return the row to be saved for this data."""
        return self._complete_row(super().create_model_instance(data), data)

    async def acreate_model_instance(self, data: dict[str, Any]) -> "Session":
        """Return what `create_model_instance` returns."""
        return self._complete_row(await super().acreate_model_instance(data), data)

    @contextmanager
    def keeping_key(self) -> Iterator[None]:
        """Return a context in which `cycle_key` changes nothing.

        See `accounts.login.authentication`.
        """
        self._is_key_kept = True
        try:
            yield
        finally:
            self._is_key_kept = False

    def cycle_key(self) -> None:
        """Store the session under a new key, unless the key is kept."""
        if not self._is_key_kept:
            super().cycle_key()

    def delete(self, session_key: str | None = None) -> None:
        """Delete the session with this key; without one, this session."""
        key = self.session_key if session_key is None else session_key
        if key is not None:
            super().delete(digest_of(key))

    async def adelete(self, session_key: str | None = None) -> None:
        """Do what `delete` does."""
        key = self.session_key if session_key is None else session_key
        if key is not None:
            await super().adelete(digest_of(key))

    def _lookup(self) -> dict[str, Any]:
        """Return the query arguments for this session's row; no row has an empty digest."""
        return {"session_key": self.digest or "", "expire_date__gt": timezone.now()}

    def _drop_key(self) -> dict[str, Any]:
        """Drop the key; return empty data."""
        self._session_key = None
        return {}

    def _complete_row(self, row: Any, data: dict[str, Any]) -> "Session":
        """Replace the key in a new row by its digest, and set the logged-in user."""
        user = data.get(SESSION_KEY)
        row.session_key = digest_of(row.session_key)
        row.user = None if user is None else int(user)
        return row  # type: ignore[no-any-return]
