"""Find the users of sockets: verify the sessions of many cookies at once, as Django does for one.

Django reads one session at a time, and Channels crosses to a thread three times for it. The result
is that of `django.contrib.auth.get_user`; but nothing is written: a session with a wrong hash is
flushed, and one of a fallback secret renewed, by the next HTTP request.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from django.conf import settings
from django.contrib.auth import (
    BACKEND_SESSION_KEY,
    HASH_SESSION_KEY,
    SESSION_KEY,
    load_backend,
)
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser
from django.http import parse_cookie
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.login.sessions import digest_of
from accounts.models import Session, User


@dataclass(frozen=True, slots=True)
class SocketUser:
    """The session of a cookie and its user; both None if the session has no valid user."""

    digest: str | None
    user: User | AnonymousUser
    expires: datetime | None = None


NOBODY = SocketUser(None, AnonymousUser())


def digest_of_cookies(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """Return the digest of the session key among the headers of an ASGI scope; None without one."""
    cookies = b"; ".join(value for name, value in headers if name == b"cookie")
    key = parse_cookie(cookies.decode("latin-1")).get(settings.SESSION_COOKIE_NAME)
    return digest_of(key) if key else None


def read_socket_users(digests: Sequence[str]) -> dict[str, SocketUser]:
    """Return the users of the sessions that have not expired, by digest, in two queries."""
    rows = Session.objects.filter(session_key__in=digests, expire_date__gt=timezone.now())
    data = {row: row.get_decoded() for row in rows}
    keys = {user for each in data.values() if (user := _user_key(each)) is not None}
    users = User.objects.in_bulk(keys)
    return {row.session_key: _socket_user(row, each, users) for row, each in data.items()}


def _user_key(data: Mapping[str, Any]) -> int | None:
    """Return the key of the user that session data name; None if they name none."""
    if SESSION_KEY not in data or data.get(BACKEND_SESSION_KEY) not in _backends():
        return None
    return cast(int, User._meta.pk.to_python(data[SESSION_KEY]))


def _backends() -> Sequence[str]:
    return cast(Sequence[str], settings.AUTHENTICATION_BACKENDS)


def _socket_user(row: Session, data: Mapping[str, Any], users: Mapping[int, User]) -> SocketUser:
    key = _user_key(data)
    user = users.get(key) if key is not None else None
    if user is None or not _may_authenticate(data[BACKEND_SESSION_KEY], user):
        return SocketUser(row.session_key, AnonymousUser(), row.expire_date)
    if not _has_valid_hash(data, user):
        return NOBODY
    return SocketUser(row.session_key, user, row.expire_date)


def _may_authenticate(path: str, user: User) -> bool:
    """Return whether the backend that logged a user in would still return the user."""
    return cast(ModelBackend, load_backend(path)).user_can_authenticate(user)


def _has_valid_hash(data: Mapping[str, Any], user: User) -> bool:
    """Return whether session data carry the user's hash, under the secret or a fallback of it."""
    found = data.get(HASH_SESSION_KEY)
    if not found:
        return False
    if constant_time_compare(found, user.get_session_auth_hash()):
        return True
    fallbacks = user.get_session_auth_fallback_hash()
    return any(constant_time_compare(found, each) for each in fallbacks)
