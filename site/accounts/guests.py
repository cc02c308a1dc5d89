"""Guests: a person may play with the first click, under a name made up for him.

On a slow line the answer to that click may get lost, and the cookie of the new guest with it. The
guest is then found again for two minutes by a nonce that the browser had before (`guest_nonce`).
"""

from datetime import timedelta

from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.addresses import of_request
from accounts.guest_nonce import nonce_of
from accounts.limits import GUESTS, spend
from accounts.models import User
from accounts.names import friendly

TRIES = 8  # names tried; the later half has four digits and so a hundred times the room
LOST = timedelta(minutes=2)  # for how long a guest is found again without his session
BACKEND = "django.contrib.auth.backends.ModelBackend"


def user_of(request: HttpRequest) -> User:
    """The user who sends a request; a stranger becomes a guest and is logged in by session.

    Only a POST makes a guest, so that crawlers and people who just look leave no user behind.
    Raises `limits.TooOften` for an address from which very many have come.
    """
    if user := known(request):
        return user
    spend(GUESTS, None, of_request(request))
    return _let_in(request, new_guest(_born_of(request)))


def known(request: HttpRequest) -> User | None:
    """The user who sends a request, if there is one already; None for a stranger.

    A guest whom this browser's POST made a moment ago and who has no session is logged in again.
    """
    if request.user.is_authenticated:
        return request.user
    if request.method != "POST":
        raise RuntimeError("Only a POST may make a guest.")
    guest = _newborn(_born_of(request))
    return _let_in(request, guest) if guest else None


def new_guest(born_of: str | None = None) -> User:
    """A guest under a name that nobody has; another name is drawn when one turns out to be taken.

    Of calls with the same `born_of` within two minutes, all get the guest that the first one made.
    Raises IntegrityError when all tries were taken.
    """
    for attempt in range(TRIES - 1):
        try:
            return _guest(friendly(2 if attempt < TRIES // 2 else 4), born_of)
        except IntegrityError:
            if twin := _newborn(born_of):
                return twin
    return _guest(friendly(4), born_of)


def forget(user: User) -> None:
    """Keeps a guest who has logged out from being found again."""
    User.objects.filter(pk=user.pk).update(born_of=None)


def _guest(name: str, born_of: str | None) -> User:
    guest = User(username=name, is_guest=True, born_of=born_of)
    guest.set_unusable_password()
    with transaction.atomic():  # a savepoint: a taken name must not spoil an outer transaction
        outdated = Q(date_joined__lte=timezone.now() - LOST) | Q(is_guest=False)
        User.objects.filter(outdated, born_of__isnull=False).update(born_of=None)
        guest.save(force_insert=True)
    return guest


def _newborn(born_of: str | None) -> User | None:
    """Return the guest of the last two minutes who was made for the same nonce."""
    if born_of is None:
        return None
    guests = User.objects.filter(is_guest=True, date_joined__gt=timezone.now() - LOST)
    return guests.filter(born_of=born_of).first()


def _born_of(request: HttpRequest) -> str | None:
    """Return the keyed hash of a request's nonce: who reads the database learns no nonce."""
    nonce = nonce_of(request)
    if nonce is None:
        return None
    return salted_hmac("accounts.guests", nonce, algorithm="sha256").hexdigest()


def _let_in(request: HttpRequest, guest: User) -> User:
    """Logs a guest in. He gains no rights that a stranger lacks, so the token of the forms that
    he has open stays good; Django would make a new one."""
    secret = request.META.get("CSRF_COOKIE")
    login(request, guest, backend=BACKEND)
    if secret is not None:
        request.META["CSRF_COOKIE"] = secret
    return guest
