"""Recognize browsers in which a user has logged in before, by a signed cookie.

Wrong passwords from other browsers do not count against such a browser (`login_attempts`). The
cookie names no user: each entry has a random id and a keyed hash over the id and the user's session
hash, so it ends with a change of the password and with a suspension, and does not reveal who has
logged in. Log-out keeps it. A computer that several people share has several entries.
"""

import secrets
from collections.abc import Iterable, Iterator

from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.login.sessions import digest_of
from accounts.models import User

MAX_USERS = 5  # of one browser; the one with the oldest log-in is dropped first
AGE_S = 365 * 24 * 3600
ID_BYTES = 16
SALT = "accounts.known_devices"
Entry = tuple[str, str]  # id, keyed hash


def device_of(request: HttpRequest, users: Iterable[User]) -> str:
    """Return the id of the browser if it is a known device of all `users`, else an empty text.

    Several users may have named one e-mail address. The device has to be known for all of them:
    otherwise signing up with another person's address would make a browser a known device of it.
    """
    ids = [_device_of_one(request, user) for user in users]
    return ids[0] if ids and all(ids) else ""


def _device_of_one(request: HttpRequest, user: User) -> str:
    """Return the id of the browser as a known device of a user, else an empty text.

    A browser with a session of the user is known by that session.
    """
    if request.user == user and user.is_account:
        return digest_of(request.session.session_key or "")
    return next(_ids_of(_entries(request), user), "")


def ids_in_cookie(request: HttpRequest) -> list[str]:
    """Return the ids in the cookie of a browser, one for each user who has logged in there.

    They name nobody. Two people who have logged in with one browser have ids in common.
    """
    return [id for id, _ in _entries(request)]


def remember_device(request: HttpRequest, response: HttpResponseBase, user: User) -> None:
    """Make a browser a known device of a user, under the id that it has already or a new one."""
    entries = _entries(request)
    own = set(_ids_of(entries, user))
    id = next((id for id, _ in entries if id in own), "") or secrets.token_urlsafe(ID_BYTES)
    others = [entry for entry in entries if entry[0] not in own]
    kept = [(id, _compute_proof(id, user)), *others][:MAX_USERS]
    response.set_cookie(
        settings.DEVICES_COOKIE_NAME,
        signing.dumps(kept, salt=SALT),
        max_age=AGE_S,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _entries(request: HttpRequest) -> list[Entry]:
    """Return the entries of a request's cookie; none if it is missing, forged or too old."""
    text = request.COOKIES.get(settings.DEVICES_COOKIE_NAME, "")
    try:
        return [(id, proof) for id, proof in signing.loads(text, salt=SALT, max_age=AGE_S)]
    except signing.BadSignature:
        return []


def _ids_of(entries: Iterable[Entry], user: User) -> Iterator[str]:
    return (id for id, proof in entries if constant_time_compare(proof, _compute_proof(id, user)))


def _compute_proof(id: str, user: User) -> str:
    value = f"{id} {user.pk} {user.get_session_auth_hash()}"
    return salted_hmac(SALT, value, algorithm="sha256").hexdigest()[:32]
