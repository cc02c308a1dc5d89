"""Push devices of users: add, remove, test, and drop with the session they were added in."""

import hashlib
import logging
from collections.abc import Sequence
from typing import Any

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Session, User
from accounts.observers import AccountObserver
from accounts.refusals import RefusalReason, Refused
from notices.models import PushDevice
from notices.push import keys, push_hosts, vapid
from notices.push.browser_names import clean_name
from play.domain.clocks import now

MAX_DEVICES = 8  # of a user
MAX_SUBSCRIPTION_CHARS = 4_000
MAX_TRIES = 8  # each lost one means that another user's request has stored the same endpoint
log = logging.getLogger("quiver.notices")


class DeviceReason(RefusalReason):
    """Why a request about a device was refused."""

    OFF = "off", _("Push is off on this site."), 400
    MALFORMED = (
        "malformed",
        _("This browser sent a subscription that the site doesn’t understand."),
        400,
    )
    UNKNOWN_SERVICE = (
        "unknown_service",
        _("The push service of this browser isn’t supported."),
        400,
    )
    TOO_OFTEN = "too_often", _("Too many requests. Try again in a few minutes."), 429
    TOO_MANY = "too_many", _("You have 8 devices already. Remove one first."), 400
    STRANGER = "stranger", _("Play a game or sign in first."), 403
    REMOVED = "removed", _("That device has been removed already."), 404


class Keys(msgspec.Struct, frozen=True):
    """The keys of a browser, in base64url."""

    p256dh: str
    auth: str


class Subscription(msgspec.Struct, frozen=True):
    """The result of `PushSubscription.toJSON()`; further members are ignored."""

    endpoint: str
    keys: Keys


def parse(text: str) -> Subscription:
    """Return a subscription that may be stored. Raises Refused."""
    if len(text) > MAX_SUBSCRIPTION_CHARS:
        raise Refused(DeviceReason.MALFORMED)
    try:
        found = msgspec.json.decode(text, type=Subscription)
        keys.check_client_keys(found.keys.p256dh, found.keys.auth)
    except (ValueError, RecursionError) as error:  # msgspec's errors are ValueErrors, but for depth
        raise Refused(DeviceReason.MALFORMED) from error
    try:
        push_hosts.host_of(found.endpoint)
    except ValueError as error:
        log.info("a push endpoint was refused", extra={"event": "push_host", "reason": str(error)})
        raise Refused(DeviceReason.UNKNOWN_SERVICE) from error
    return found


def digest_of(endpoint: str) -> str:
    """Return the key that an endpoint is found by."""
    return hashlib.sha256(endpoint.encode()).hexdigest()


def add(user: User, session: str, text: str, name: str, language: str) -> PushDevice:
    """Add or renew the device that a browser's subscription `text` names. Raises Refused.

    An endpoint belongs to one user: with another user's session, the row of the former user is
    deleted with all posts that wait for it.
    """
    if not vapid.is_push_on():
        raise Refused(DeviceReason.OFF)
    found = parse(text)
    for _try in range(MAX_TRIES):
        try:
            return _store(user, session, found, clean_name(name), language)
        except IntegrityError:
            continue  # another request has just added the same endpoint
    raise Refused(DeviceReason.MALFORMED)


@transaction.atomic
def _store(user: User, session: str, found: Subscription, name: str, language: str) -> PushDevice:
    User.objects.select_for_update().get(pk=user.pk)  # one device of a user at a time
    digest = digest_of(found.endpoint)
    PushDevice.objects.filter(endpoint_digest=digest).exclude(user=user).delete()
    own = PushDevice.objects.filter(user=user)
    device = own.filter(endpoint_digest=digest).first()
    if device is None:
        drop_orphans(own)
        if own.count() >= MAX_DEVICES:
            raise Refused(DeviceReason.TOO_MANY)
        device = PushDevice(user=user, endpoint=found.endpoint, endpoint_digest=digest)
    device.session, device.name, device.language = session, name, language
    device.p256dh, device.auth = found.keys.p256dh, found.keys.auth
    device.save()
    return device


def remove(user_id: int, pk: int) -> None:
    """Remove a device of a user. Raises Refused if there is none."""
    if not PushDevice.objects.filter(user=user_id, pk=pk).delete()[0]:
        raise Refused(DeviceReason.REMOVED)


def ask_test(user_id: int, pk: int) -> None:
    """Ask for a test push, which the process of pushes sends. Raises Refused without a device."""
    if not PushDevice.objects.filter(user=user_id, pk=pk).update(test_asked=now()):
        raise Refused(DeviceReason.REMOVED)


def with_session(rows: QuerySet[PushDevice]) -> QuerySet[PushDevice]:
    """Return the devices whose session still exists."""
    return rows.filter(_has_session())


def drop_orphans(rows: QuerySet[PushDevice] | None = None) -> int:
    """Delete devices whose session has ended or run out; return how many."""
    rows = PushDevice.objects.all() if rows is None else rows
    orphans = list(rows.exclude(_has_session()).values_list("pk", flat=True))
    return PushDevice.objects.filter(pk__in=orphans).delete()[0] if orphans else 0


def _has_session() -> Exists:
    alive = Session.objects.filter(
        session_key=OuterRef("session"), user=OuterRef("user_id"), expire_date__gt=timezone.now()
    )
    return Exists(alive)


def list_of(user_id: int) -> Sequence[PushDevice]:
    """Return the devices of a user for the settings, the oldest first."""
    return list(PushDevice.objects.filter(user=user_id).order_by("pk"))


def export_devices(user_id: int) -> list[dict[str, Any]]:
    """Return the devices of a user for the copy of the data, without the keys of the browser."""
    return [
        {
            "name": device.name,
            "service": service_of(device.endpoint),
            "language": device.language,
            "added": device.created,
            "last_success": device.last_success,
        }
        for device in list_of(user_id)
    ]


def service_of(endpoint: str) -> str:
    """Return the push service of an endpoint: its host, since the path is a secret."""
    return endpoint.split("/")[2] if endpoint.count("/") >= 2 else ""


class DeviceObserver(AccountObserver):
    """Keeps devices as long as the session in which they were added."""

    def session_moved(self, old: str, new: str) -> None:
        """Take devices along to the new key of a session that goes on."""
        PushDevice.objects.filter(session=old).update(session=new)

    def session_ended(self, digest: str) -> None:
        """Delete the devices of a session that has ended."""
        PushDevice.objects.filter(session=digest).delete()

    def sessions_ended(self, user_id: int, keep: str) -> None:
        """Delete the devices of a user whose sessions have ended, except those of `keep`."""
        rows = PushDevice.objects.filter(user=user_id)
        (rows.exclude(session=keep) if keep else rows).delete()
