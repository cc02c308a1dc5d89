"""Leaving for good: what is kept of a person is a row without a person, so that the games of others
stay whole."""

import logging
from datetime import timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from accounts import signals
from accounts.models import User
from accounts.names import pseudonym

TRIES = 8
FORGOTTEN = timedelta(days=90)  # after which a guest who has never played is forgotten
BATCH = 500
log = logging.getLogger("quiver.security")


class Staying(Exception):
    """This user cannot be deleted: a computer player, a keeper, or somebody who is out already."""


def depart(user_id: int) -> str:
    """Deletes a person: the new name of the row. Raises Staying.

    Password, e-mail address and second factor are gone, every session ends, and nobody can come
    back to the row. It counts as a guest's from now on, without a profile. Its games and lobbies
    are still to be settled: `leaving` says so.
    """
    for _ in range(TRIES):
        try:
            with transaction.atomic():
                name = _departed(user_id, pseudonym())
        except IntegrityError:
            continue  # somebody else has drawn that name
        log.info("account deleted", extra={"event": "deletion", "user": user_id})
        return name
    raise RuntimeError("no pseudonym is free")


def leaving() -> list[int]:
    """Those whose games and lobbies are still to be settled, the first who left first."""
    rows = User.objects.exclude(leaving=None).order_by("leaving")
    return list(rows.values_list("pk", flat=True))


def gone(user_id: int) -> None:
    """Says that nothing of a departed user is left to be settled."""
    User.objects.filter(pk=user_id).update(leaving=None)


def forget_guests() -> int:
    """Deletes some guests who came long ago and have never sat down to a game; how many.

    Their sessions may still be alive: whoever comes back with one is a stranger again.
    """
    old = User.objects.filter(is_guest=True, date_joined__lt=timezone.now() - FORGOTTEN)
    idle = old.filter(leaving=None, seats=None, lobbies=None).order_by("date_joined")
    keys = list(idle.values_list("pk", flat=True)[:BATCH])
    with transaction.atomic():
        User.objects.filter(pk__in=keys, seats=None, lobbies=None).delete()
    return len(keys)


def _departed(user_id: int, name: str) -> str:
    here = User.objects.filter(pk=user_id, is_active=True, is_bot=False, is_staff=False)
    nobody = User()
    nobody.set_unusable_password()
    at = timezone.now()
    changed = here.filter(is_superuser=False).update(
        username=name,
        email="",
        password=nobody.password,
        is_active=False,
        is_guest=True,
        born_of=None,
        last_login=None,
        renamed=at,  # so that processes without hints find the new name
        leaving=at,
        date_joined=at,
        era=F("era") + 1,
    )
    if not changed:
        raise Staying
    EmailAddress.objects.filter(user=user_id).delete()
    Authenticator.objects.filter(user=user_id).delete()
    _forget_in_the_log(user_id, name)
    transaction.on_commit(lambda: signals.renamed.send(sender=User, user_id=user_id))
    signals.sessions_ended.send(sender=User, user_id=user_id, keep="")
    return name


def _forget_in_the_log(user_id: int, name: str) -> None:
    """The keepers' log keeps what was done to whom, under the new name."""
    kind = ContentType.objects.get_for_model(User)
    LogEntry.objects.filter(content_type=kind, object_id=str(user_id)).update(object_repr=name)
