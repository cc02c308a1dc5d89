"""Export and deletion of one user's notices, preferences and devices."""

from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.forms.models import model_to_dict

from lobby.models import Lobby
from notices.models import Inbox, Kind, Notice, Preferences, PushDevice
from notices.push.devices import export_devices
from play.models import Seat

NAMES = ("opponent", "name", "host")  # fields of a notice's data that hold names


def export_notices(user: int) -> dict[str, Any]:
    """Return a user's notices, preferences and devices as plain JSON, oldest first.

    The keys of devices are left out: with them, others could send pushes.
    """
    prefs = Preferences.objects.filter(user=user).first()
    return {
        "notices": list(
            Notice.objects.of(user)
            .order_by("pk")
            .values("kind", "subject", "data", "created", "due", "read", "closed")
        ),
        "preferences": prefs and model_to_dict(prefs, exclude=["user"]),
        "devices": export_devices(user),
    }


def delete_notices_of(user: int) -> None:
    """Delete a deleted user's notices, preferences and devices, and the name in others' notices.

    The row of the user stays, so nothing of this follows by itself.
    """
    with transaction.atomic():
        for model in (Notice, PushDevice, Preferences, Inbox):
            model._default_manager.filter(user=user).delete()
        for notice in _notices_that_name(user):
            _forget_names(notice, user)


def _notices_that_name(user: int) -> list[Notice]:
    """Return notices of others about games and lobbies of a user, those that are gone included."""
    games = Seat.objects.filter(user=user).values("game__slug")
    people = Q(host=user) | Q(one=user) | Q(two=user)
    lobbies = Lobby.objects.filter(people).values("code")
    # Their serial is the user who challenges or joins.
    by_user = Q(kind__in=(Kind.CHALLENGE, Kind.JOINED), serial=user)
    about = Q(subject__in=games) | Q(subject__in=lobbies) | by_user
    return list(Notice.objects.exclude(kind=Kind.MODERATION).filter(about))


def _forget_names(notice: Notice, user: int) -> None:
    """Empty the names that may be the deleted user's, which texts show as a deleted user's."""
    kept = _other_name(notice, user)
    data = {
        key: "" if key in NAMES and (value != kept or notice.kind != Kind.PLAYS) else value
        for key, value in notice.data.items()
    }
    if data != notice.data:
        Notice.objects.filter(pk=notice.pk).update(data=data)
        Inbox.objects.filter(user=notice.user_id).update(rev=F("rev") + 1)


def _other_name(notice: Notice, user: int) -> str:
    """Return the name of the other player of the game of a notice; empty if there is none."""
    others = Seat.objects.filter(game__slug=notice.subject).exclude(user=user)
    return others.values_list("user__username", flat=True).first() or ""
