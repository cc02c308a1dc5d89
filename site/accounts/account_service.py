"""Change accounts: sign up, rename, suspend, restore, export, delete.

A guest who signs up keeps the row, and with it seats, games and lobbies. Sign-up of a guest and
renaming are conditional updates, so that the second of two simultaneous changes is refused.
Deletion anonymizes the user's row, so that the games of others stay whole. `revocations` ends
sessions.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone

from accounts.login.revocations import end_sessions, log_out_user
from accounts.models import Session, User
from accounts.observers import observers
from accounts.people.name_claims import (
    export_claims,
    keep_name,
    keep_names_of_deleted,
    writing_name,
)
from accounts.people.names import pseudonym, skeleton
from accounts.people.relations import delete_relations, export_relations
from accounts.public_profile.details import delete_details, export_details

# The least time between two changes of a name.
MIN_NAME_LIFE = {"account": timedelta(days=1), "guest": timedelta(minutes=10)}
MAX_NAME_TRIES = 8
UNPLAYED_GUEST_LIFE = timedelta(days=90)  # a guest who has never played is deleted after it
BATCH_ROWS = 500
log = logging.getLogger("quiver.security")


class SignedUpAlready(Exception):
    """The guest has signed up since the request began, or is suspended."""


class TooSoon(Exception):
    """The name was changed too recently; it may be changed again at `until`."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


def sign_up(name: str, password: str, email: str = "", guest: User | None = None) -> User:
    """Create an account, or turn the guest's row into one; return its user.

    The caller has checked the spelling of `name`. Raises NameTaken and SignedUpAlready; then
    nothing has changed.
    """
    user = User(username=name, email=email)
    user.set_password(password)
    with writing_name(name, guest or user):
        if guest is None:
            user.save(force_insert=True)
            return user
        changed = User.objects.filter(pk=guest.pk, is_guest=True, is_active=True).update(
            username=user.username,
            skeleton=skeleton(user.username),
            email=user.email,
            password=user.password,
            is_guest=False,
            born_of=None,
            date_joined=timezone.now(),
        )
        if not changed:
            raise SignedUpAlready
        _notify_renamed(guest.pk)
    return User.objects.get(pk=guest.pk)


def rename_user(user: User, name: str) -> None:
    """Change a user's name, or only its letter case. Raises NameTaken and TooSoon.

    The name that an account gives up is kept for it.
    """
    if name == user.username:
        return
    at = timezone.now()
    stays = MIN_NAME_LIFE["guest" if user.is_guest else "account"]
    with writing_name(name, user):
        may = Q(renamed=None) | Q(renamed__lte=at - stays)
        alike = skeleton(name) if user.is_account else None
        row = User.objects.filter(may, pk=user.pk, is_guest=user.is_guest)
        if not row.update(username=name, skeleton=alike, renamed=at):
            user.refresh_from_db(fields=["renamed"])
            raise TooSoon((user.renamed or at) + stays)
        if user.is_account:
            keep_name(user)
        _notify_renamed(user.pk)
    user.username, user.renamed = name, at


def save_renamed(user: User, columns: Iterable[str]) -> None:
    """Save some columns of a user, with a new name among them. Raises NameTaken."""
    before = User.objects.get(pk=user.pk)
    with writing_name(user.username, user):
        user.skeleton = skeleton(user.username) if user.is_account else None
        user.save(update_fields={*columns, "username", "skeleton"})
        if user.is_account:
            keep_name(before)
        _notify_renamed(user.pk)


def may_rename_from(user: User) -> datetime | None:
    """Return when a user may change the name; None if that is now."""
    stays = MIN_NAME_LIFE["guest" if user.is_guest else "account"]
    if user.renamed is None or user.renamed + stays <= timezone.now():
        return None
    return user.renamed + stays


def suspend(user_id: int) -> None:
    """Deactivate a user and end all sessions."""
    with transaction.atomic():
        User.objects.filter(pk=user_id).update(is_active=False)
        log_out_user(user_id)


def restore(user_id: int) -> None:
    """Let a suspended user log in again."""
    User.objects.filter(pk=user_id).update(is_active=True)


def _notify_renamed(user_id: int) -> None:
    def notify() -> None:
        for observer in observers():
            observer.renamed(user_id)

    transaction.on_commit(notify)


class AccountInUse(Exception):
    """This user cannot be deleted: a computer player, staff, or an inactive user."""


def delete_user(user_id: int) -> str:
    """Anonymize a user; return the new name of the row. Raises AccountInUse.

    Password, e-mail address, second factor, bio and country are removed, every session ends, and
    nobody can log in to the row again. It counts as a guest's from now on, without a profile. The
    column `leaving` is set until its games and lobbies are settled.
    """
    for _ in range(MAX_NAME_TRIES):
        try:
            with transaction.atomic():
                name = _anonymize(user_id, pseudonym())
        except IntegrityError:
            continue  # the name is taken
        log.info("account deleted", extra={"event": "deletion", "user": user_id})
        return name
    raise RuntimeError("no pseudonym is free")


def find_active_people(user_ids: Iterable[int]) -> set[int]:
    """Return the subset of users who can come back to the site.

    Computer players, suspended and deleted users, and guests without a session cannot.
    """
    rows = User.objects.filter(pk__in=set(user_ids), is_active=True, is_bot=False)
    sessions = Session.objects.filter(user=OuterRef("pk"), expire_date__gt=timezone.now())
    return set(rows.filter(Q(is_guest=False) | Exists(sessions)).values_list("pk", flat=True))


def list_leaving() -> list[int]:
    """Return deleted users whose games and lobbies are not settled yet, earliest deletion first."""
    rows = User.objects.exclude(leaving=None).order_by("leaving")
    return list(rows.values_list("pk", flat=True))


def mark_settled(user_id: int) -> None:
    """Note that the games and lobbies of a deleted user are settled."""
    User.objects.filter(pk=user_id).update(leaving=None)


def forget_guests() -> int:
    """Delete at most `BATCH_ROWS` old guests who have never had a seat; return how many.

    Their sessions may still exist; a request with one is treated as one without a session.
    """
    old = User.objects.filter(is_guest=True, date_joined__lt=timezone.now() - UNPLAYED_GUEST_LIFE)
    idle = old.filter(leaving=None, seats=None, lobbies=None).order_by("date_joined")
    keys = list(idle.values_list("pk", flat=True)[:BATCH_ROWS])
    with transaction.atomic():
        User.objects.filter(pk__in=keys, seats=None, lobbies=None).delete()
    return len(keys)


def _anonymize(user_id: int, name: str) -> str:
    here = User.objects.filter(pk=user_id, is_active=True, is_bot=False, is_staff=False)
    here = here.filter(is_superuser=False)
    user = here.select_for_update(no_key=True).first()
    if user is None:
        raise AccountInUse
    if user.is_account:
        keep_names_of_deleted(user)
    nobody = User()
    nobody.set_unusable_password()
    at = timezone.now()
    here.update(
        username=name,
        skeleton=None,
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
    EmailAddress.objects.filter(user=user_id).delete()
    Authenticator.objects.filter(user=user_id).delete()
    delete_details(user_id)
    delete_relations(user_id)
    _rename_in_admin_log(user_id, name)
    _notify_renamed(user_id)
    end_sessions(user_id)
    return name


def _rename_in_admin_log(user_id: int, name: str) -> None:
    """Replace the user's name in the admin's log, which keeps the staff's actions."""
    kind = ContentType.objects.get_for_model(User)
    LogEntry.objects.filter(content_type=kind, object_id=str(user_id)).update(object_repr=name)


def export_profile(user: User) -> dict[str, Any]:
    """Return a user's account data, JSON-ready.

    It omits the password, and of a second factor holds only the times of set-up and last use.
    """
    addresses = EmailAddress.objects.filter(user=user).order_by("pk")
    known = {address.email: address.verified for address in addresses}
    return {
        "name": user.get_username(),
        "guest": user.is_guest,
        "joined": _to_iso(user.date_joined),
        "last_sign_in": _to_iso(user.last_login),
        "name_changed": _to_iso(user.renamed),
        "names_kept": export_claims(user.pk),
        "automatic_holidays": user.has_holidays,
        "e-mail": [{"address": email, "confirmed": done} for email, done in known.items()]
        or ([{"address": user.email, "confirmed": False}] if user.email else []),
        "two-factor": [
            {
                "type": factor.type,
                "since": _to_iso(factor.created_at),
                "last_used": _to_iso(factor.last_used_at),
            }
            for factor in Authenticator.objects.filter(user=user).order_by("pk")
        ],
        **export_details(user.pk),
        **export_relations(user.pk),
    }


def _to_iso(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
