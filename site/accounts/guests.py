"""Guests: a person may play with the first click, under a name made up for him."""

from django.contrib.auth import login
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from accounts.models import User
from accounts.names import friendly

TRIES = 8  # names tried; the later half has four digits and so a hundred times the room
BACKEND = "django.contrib.auth.backends.ModelBackend"


def user_of(request: HttpRequest) -> User:
    """The user who sends a request; a stranger becomes a guest and is logged in by session.

    Only a POST makes a guest, so that crawlers and people who just look leave no user behind.
    """
    if request.user.is_authenticated:
        return request.user
    if request.method != "POST":
        raise RuntimeError("Only a POST may make a guest.")
    guest = new_guest()
    login(request, guest, backend=BACKEND)
    return guest


def new_guest() -> User:
    """A guest under a name that nobody has; another name is drawn when one turns out to be taken.

    Raises IntegrityError when all tries were taken.
    """
    for attempt in range(TRIES - 1):
        try:
            return _guest(friendly(2 if attempt < TRIES // 2 else 4))
        except IntegrityError:
            continue
    return _guest(friendly(4))


def _guest(name: str) -> User:
    guest = User(username=name, is_guest=True)
    guest.set_unusable_password()
    with transaction.atomic():  # a savepoint: a taken name must not spoil an outer transaction
        guest.save(force_insert=True)
    return guest
