"""Addresses that refused a mail for good: no more mail, until the address is confirmed again."""

import logging
from typing import Any

from django.db import transaction

from accounts.models import User
from notices.models import Preferences

log = logging.getLogger("quiver.notices")


def note_bounce(user_id: int, at: int) -> None:
    """Stop the mails to a user whose address refused one; the settings page says so."""
    Preferences.objects.update_or_create(user_id=user_id, defaults={"mail_bounced": at})
    log.warning(
        "an address refused a mail: its user is sent no more",
        extra={"event": "mail_bounced", "user": user_id},
    )


def forget_bounce(user_id: int) -> None:
    """Send mails to a user again."""
    Preferences.objects.filter(user=user_id).update(mail_bounced=None)


def connect_signals() -> None:
    """Forget a bounce when the address is confirmed, changed or removed."""
    from allauth.account import signals

    signals.email_confirmed.connect(_address_confirmed, dispatch_uid="notices.confirmed")
    signals.email_changed.connect(_address_changed, dispatch_uid="notices.changed")
    signals.email_removed.connect(_address_changed, dispatch_uid="notices.removed")


def _address_confirmed(sender: object, email_address: Any, **about: Any) -> None:
    _forget_after_commit(email_address.user_id)


def _address_changed(sender: object, user: User, **about: Any) -> None:
    _forget_after_commit(user.pk)


def _forget_after_commit(user_id: int) -> None:
    transaction.on_commit(lambda: forget_bounce(user_id))
