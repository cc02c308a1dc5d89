"""Who may say what: one answer for the page that asks and for the writer that judges."""

from dataclasses import dataclass
from typing import Literal

from django.conf import settings

from talk.models import FOREVER
from talk.places import Place
from talk.refusals import Reason
from talk.viewers import Viewer


@dataclass(frozen=True, slots=True)
class Permit:
    """What a viewer may write, and why not more."""

    write: Literal["text", "phrases", "no"]
    why: Reason | None = None
    until: int | None = None  # ms, when that changes by itself


def is_on() -> bool:
    """Whether this site has talk at all."""
    return bool(settings.TALK)


def permit(place: Place, viewer: Viewer, at: int) -> Permit:
    """What a viewer may write in a place at `at` (epoch ms).

    A lobby is silent while its game runs: whoever sits at the board would read there what those
    who watch must not tell them.
    """
    if viewer.user is None:
        return Permit("no", Reason.STRANGER)
    if place.stage == "closed":
        return Permit("no", Reason.CLOSED)
    if place.kind == "lobby" and place.stage == "live":
        return Permit("no", Reason.PLAYING)
    if at < viewer.silent_until:
        ends = viewer.silent_until
        return Permit("no", Reason.SILENCED, None if ends == FOREVER else ends)
    if viewer.is_guest:
        return Permit("phrases", Reason.GUEST)
    if at < viewer.text_from:
        return Permit("phrases", Reason.NEW, viewer.text_from)
    return Permit("text")
