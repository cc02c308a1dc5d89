"""Session engine that stores a SHA-256 digest of each session key instead of the key.

A session key is the value of a cookie: whoever reads one can be logged in with it. The database,
revocations and permits of sockets hold digests only. The digest needs neither salt nor secret: a
key has 32 random characters out of 36 (165 bits), too many to be tried out.

The engine extends Django's as its documentation describes ("Extending database-backed session
engines"). One private name of Django's is used, `_session_key`; pyproject.toml bounds the version,
and tests/web/test_session_engine.py guards what depends on it.
"""

import hashlib
from typing import TYPE_CHECKING, Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.utils import timezone

if TYPE_CHECKING:
    from accounts.models import Session

DIGEST_LENGTH = 64  # hexadecimal characters


def digest_of(key: str) -> str:
    """Return the stored form of a session key, in hexadecimal."""
    return hashlib.sha256(key.encode()).hexdigest()


class SessionStore(db.SessionStore):
    """Django's session in the database, found by the digest of its key.

    Arguments named `session_key` are keys as cookies carry them, never digests. Django names a part
    of the signature of session data after this class; renaming it ends every session.
    """

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
        """Return the session's data. An unknown or expired key is dropped, so that a key which a
        client made up never becomes a session's."""
        try:
            row = self.model.objects.get(**self._wanted())
        except self.model.DoesNotExist:
            return self._nothing()
        return self.decode(row.session_data)

    async def aload(self) -> dict[str, Any]:
        """Return what `load` returns."""
        try:
            row = await self.model.objects.aget(**self._wanted())
        except self.model.DoesNotExist:
            return self._nothing()
        return self.decode(row.session_data)

    def exists(self, session_key: str) -> bool:
        """Return whether a session has this key."""
        return super().exists(digest_of(session_key))

    async def aexists(self, session_key: str) -> bool:
        """Return what `exists` returns."""
        return await super().aexists(digest_of(session_key))

    def create_model_instance(self, data: dict[str, Any]) -> "Session":
        """Return the row to be saved for this data."""
        return self._completed(super().create_model_instance(data), data)

    async def acreate_model_instance(self, data: dict[str, Any]) -> "Session":
        """Return what `create_model_instance` returns."""
        return self._completed(await super().acreate_model_instance(data), data)

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

    def _wanted(self) -> dict[str, Any]:
        """The row of this session, as arguments of a query; no row has an empty digest."""
        return {"session_key": self.digest or "", "expire_date__gt": timezone.now()}

    def _nothing(self) -> dict[str, Any]:
        """Drops the key; returns the data of no session."""
        self._session_key = None
        return {}

    def _completed(self, row: Any, data: dict[str, Any]) -> "Session":
        """Replaces the key in a new row by its digest, and notes the user who is logged in."""
        user = data.get(SESSION_KEY)
        row.session_key = digest_of(row.session_key)
        row.user = None if user is None else int(user)
        return row  # type: ignore[no-any-return]
