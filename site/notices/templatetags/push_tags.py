"""Template tags about push: the key, the devices, and the question whether to turn it on."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django import template

from accounts.models import User
from notices.models import PushDevice
from notices.push import devices, vapid
from play.domain.clocks import RUNNING_KINDS
from play.models import Game

register = template.Library()


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """One device in the list of the settings."""

    pk: int
    name: str
    digest: str  # SHA-256 of its endpoint, by which a browser finds its own row
    last_success: datetime | None


@register.simple_tag
def vapid_key() -> str:
    """Return the public key that a page subscribes with; empty where push is off."""
    return vapid.public_key()


@register.simple_tag(takes_context=True)
def push_devices(context: template.RequestContext) -> list[DeviceRow]:
    """Return the devices of the page's user, the oldest first."""
    user = context["user"]
    if not user.is_authenticated:
        return []
    return [
        DeviceRow(each.pk, each.name, each.endpoint_digest, _moment(each.last_success))
        for each in devices.list_of(user.pk)
    ]


@register.simple_tag
def push_ask_key(user: User, game: Game, snapshot: dict[str, Any]) -> str:
    """Return the key to subscribe with if the page of a game may ask for it; empty otherwise.

    It may ask players of a slow game against a person, who have no device yet.
    """
    is_slow = snapshot["clock"]["kind"] not in RUNNING_KINDS
    is_asked = snapshot["you"] and snapshot["status"] == "live" and is_slow
    if not is_asked or game.has_bot:
        return ""
    if PushDevice.objects.filter(user=user).exists():
        return ""
    return vapid.public_key()


def _moment(at: int | None) -> datetime | None:
    return datetime.fromtimestamp(at / 1000, UTC) if at is not None else None
