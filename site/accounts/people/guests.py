"""Create guests, so that a visitor plays with the first click.

The name is generated or chosen.

On a slow network the answer to that click may get lost, and the session cookie of the guest with
it. The guest is then found again for two minutes by the nonce of the browser, a cookie.

A visitor without a session gets the nonce with the page of a form, so the browser has it before it
sends the form. It serves for one guest: it is deleted as soon as the browser has sent a session,
and at log-out. The CSRF token is no substitute: it is written into pages and headers, and stays the
same for a year.
"""

import re
import secrets
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.contrib.auth import login
from django.db import IntegrityError
from django.db.models import Q
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.limits.networks import of_request
from accounts.limits.rate_limits import GUESTS, spend
from accounts.models import User
from accounts.people.name_claims import NameTaken, check_free, writing_name
from accounts.people.names import friendly, normalize_name, validate_name

MAX_NAME_TRIES = 8  # the later half has four digits, a hundred times as many names
NONCE_LIFE = timedelta(minutes=2)  # for how long a guest is found again without the session
BACKEND = "django.contrib.auth.backends.ModelBackend"
NONCE_BYTES = 16  # 128 bits
SPELLING = re.compile(r"[0-9a-f]{32}")  # of so many bytes
GetResponse = Callable[[HttpRequest], HttpResponseBase]


def user_of(request: HttpRequest, name: str = "") -> User:
    """Return the user of a request; without one, create a guest and log it in.

    Only a POST makes a guest, so that crawlers and people who just look leave no user behind.
    `name` is the name that the visitor has chosen; empty: a generated one. Raises ValidationError
    for a name that is malformed, reserved or taken, and `rate_limits.TooOften` for an address from
    which very many guests have come.
    """
    if user := current_user(request):
        return user
    name = normalize_name(name.strip())
    if name:
        check_guest_name(name)
    spend(GUESTS, None, of_request(request))
    nonce = _hash_nonce(request)
    return _log_in(request, new_named_guest(name, nonce) if name else new_guest(nonce))


def check_guest_name(name: str) -> None:
    """Raise ValidationError unless a new guest may have this name."""
    validate_name(name)
    check_free(name)


def new_named_guest(name: str, born_of: str | None = None) -> User:
    """Create a guest under a name of its choice; see `new_guest` for `born_of`.

    Raises NameTaken.
    """
    try:
        return _save_guest(name, born_of)
    except NameTaken:
        if twin := _find_guest(born_of):
            return twin
        raise


def current_user(request: HttpRequest) -> User | None:
    """Return the user of a POST request; None for a visitor without a session.

    A guest that this browser's POST created within `NONCE_LIFE` and that has no session is logged
    in again.
    """
    if request.user.is_authenticated:
        return request.user
    if request.method != "POST":
        raise RuntimeError("Only a POST may make a guest.")
    guest = _find_guest(_hash_nonce(request))
    return _log_in(request, guest) if guest else None


def new_guest(born_of: str | None = None) -> User:
    """Create a guest under a random name; draw again if the name is taken.

    All calls with the same `born_of` within `NONCE_LIFE` return the guest of the first one. Raises
    IntegrityError if all names drawn are taken.
    """
    for attempt in range(MAX_NAME_TRIES):
        try:
            return _save_guest(friendly(2 if attempt < MAX_NAME_TRIES // 2 else 4), born_of)
        except NameTaken:
            if twin := _find_guest(born_of):
                return twin
    raise IntegrityError("no generated name is free")


def forget(user: User) -> None:
    """Keep a guest who has logged out from being found again."""
    User.objects.filter(pk=user.pk).update(born_of=None)


def _save_guest(name: str, born_of: str | None) -> User:
    guest = User(username=name, is_guest=True, born_of=born_of)
    guest.set_unusable_password()
    with writing_name(name, guest):  # a savepoint: a taken name must not spoil an outer transaction
        outdated = Q(date_joined__lte=timezone.now() - NONCE_LIFE) | Q(is_guest=False)
        User.objects.filter(outdated, born_of__isnull=False).update(born_of=None)
        guest.save(force_insert=True)
    return guest


def _find_guest(born_of: str | None) -> User | None:
    """Return the guest created for the same nonce within the last two minutes."""
    if born_of is None:
        return None
    guests = User.objects.filter(is_guest=True, date_joined__gt=timezone.now() - NONCE_LIFE)
    return guests.filter(born_of=born_of).first()


def _hash_nonce(request: HttpRequest) -> str | None:
    """Return the keyed hash of a request's nonce, so that the database reveals no nonce."""
    nonce = nonce_of(request)
    if nonce is None:
        return None
    return salted_hmac("accounts.people.guests", nonce, algorithm="sha256").hexdigest()


def _log_in(request: HttpRequest, guest: User) -> User:
    """Log a guest in, and keep the CSRF token, so that forms that are open stay valid.

    Django would rotate it; but a guest gains no rights that a visitor without session lacks.
    """
    secret = request.META.get("CSRF_COOKIE")
    login(request, guest, backend=BACKEND)
    if secret is not None:
        request.META["CSRF_COOKIE"] = secret
    return guest


def nonce_of(request: HttpRequest) -> str | None:
    """Return the nonce of a request; None if it is missing or malformed."""
    nonce = request.COOKIES.get(settings.GUEST_NONCE_COOKIE_NAME, "")
    return nonce if SPELLING.fullmatch(nonce) else None


def delete_nonce(response: HttpResponseBase) -> None:
    """Delete the browser's nonce."""
    response.delete_cookie(settings.GUEST_NONCE_COOKIE_NAME, samesite="Lax")


class GuestNonceMiddleware:
    """Sets the nonce with the page of a form, and deletes it from browsers with a session.

    It reads cookies only, never the database. It is listed before the middleware of sessions and
    CSRF, so that it sees the cookies that these set.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response, with the cookie set or deleted if necessary."""
        response = self.get_response(request)
        _renew(request, response)
        return response


def _renew(request: HttpRequest, response: HttpResponseBase) -> None:
    """Set or delete the cookie. A response that sets the CSRF cookie is a page with a form."""
    name = settings.GUEST_NONCE_COOKIE_NAME
    if name in response.cookies or response.status_code >= 500:  # the request is sent again
        return
    if _keeps_session(request, response):
        if request.COOKIES.get(name):
            delete_nonce(response)
    elif settings.CSRF_COOKIE_NAME in response.cookies and nonce_of(request) is None:
        response.set_cookie(
            name,
            secrets.token_hex(NONCE_BYTES),
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )


def _keeps_session(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether the browser sent a session and keeps it.

    A session that begins with this response does not count, because the response may be lost.
    """
    name = settings.SESSION_COOKIE_NAME
    ended = name in response.cookies and not response.cookies[name].value
    return bool(request.COOKIES.get(name)) and not ended
