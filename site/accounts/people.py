"""THE ONLY WRITER of accounts: signing up, changing the name, suspending.

A guest who signs up stays the same row, so that seats, games and lobbies stay where they are. Every
change is one conditional update: of two at the same moment, one finds that the other was first.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts import signals
from accounts.logout import log_out_user
from accounts.models import User

# How long a name stays at least once it has been changed.
NAME_STAYS = {"account": timedelta(days=1), "guest": timedelta(minutes=10)}


class NameTaken(Exception):
    """Somebody else has that name, in whatever case."""


class SignedUpAlready(Exception):
    """The guest has become an account since the request began, or may not become one."""


class TooSoon(Exception):
    """The name was changed a short while ago."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


def sign_up(name: str, password: str, email: str = "", guest: User | None = None) -> User:
    """Makes an account, of a guest's row if there is a guest.

    `name` is checked for its spelling, not for being free. Raises NameTaken and SignedUpAlready;
    then nothing has changed.
    """
    user = User(username=name, email=email)
    user.set_password(password)
    with _unless_taken():
        if guest is None:
            user.save(force_insert=True)
            return user
        changed = User.objects.filter(pk=guest.pk, is_guest=True, is_active=True).update(
            username=user.username,
            email=user.email,
            password=user.password,
            is_guest=False,
            born_of=None,
            date_joined=timezone.now(),
        )
        if not changed:
            raise SignedUpAlready
        _tell_renamed(guest.pk)
    return User.objects.get(pk=guest.pk)


def rename(user: User, name: str) -> None:
    """Gives a user another name, or the same one in other letters. Raises NameTaken and TooSoon."""
    if name == user.username:
        return
    at = timezone.now()
    stays = NAME_STAYS["guest" if user.is_guest else "account"]
    may = Q(renamed=None) | Q(renamed__lte=at - stays)
    with _unless_taken():
        if not User.objects.filter(may, pk=user.pk).update(username=name, renamed=at):
            user.refresh_from_db(fields=["renamed"])
            raise TooSoon((user.renamed or at) + stays)
        _tell_renamed(user.pk)
    user.username, user.renamed = name, at


def may_rename_from(user: User) -> datetime | None:
    """The moment from which a user may change the name; None if that is now."""
    stays = NAME_STAYS["guest" if user.is_guest else "account"]
    if user.renamed is None or user.renamed + stays <= timezone.now():
        return None
    return user.renamed + stays


def suspend(user_id: int) -> None:
    """Keeps a user out: every session ends for good, and nobody can log in."""
    with transaction.atomic():
        User.objects.filter(pk=user_id).update(is_active=False)
        log_out_user(user_id)


def restore(user_id: int) -> None:
    """Lets a suspended user log in again."""
    User.objects.filter(pk=user_id).update(is_active=True)


def _tell_renamed(user_id: int) -> None:
    transaction.on_commit(lambda: signals.renamed.send(sender=User, user_id=user_id))


@contextmanager
def _unless_taken() -> Iterator[None]:
    """A savepoint around a write of a name."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        raise NameTaken from error
