"""Template context for the bell in the header of every page."""

from functools import cache
from typing import Any

from django.db import DatabaseError
from django.http import HttpRequest

from notices import records
from notices.inbox.inbox import unread_of
from play.domain.clocks import now
from telemetry.outage_log import note_outage

SUBJECTS = {"game": "slug", "lobby": "code"}  # names of pages to the part of their address


def bell(request: HttpRequest) -> dict[str, Any]:
    """Return the context `bell`, for every template; None for visitors without a session.

    Notices about the page's own game or lobby are marked as read first. It is read when a template
    uses it.
    """
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"bell": None}

    @cache
    def read() -> dict[str, Any]:
        at, subject = now(), subject_of(request)
        unread = unread_of(user.pk, at)
        seen = [notice.pk for notice in unread if notice.subject == subject]
        if seen and not is_speculative(request):
            mark_read(user.pk, seen, at)
            unread = [notice for notice in unread if notice.subject != subject]
        return {"unread": len(unread), "subject": subject}

    return {"bell": read}  # a template calls it


def mark_read(user: int, ids: list[int], at: int) -> None:
    """Mark notices as read; a page that is only read is shown also while nothing can be written."""
    try:
        records.mark_read(user, ids, at)
    except DatabaseError as error:
        if not note_outage(error):
            raise


def subject_of(request: HttpRequest) -> str:
    """Return the slug or code of the game or lobby that a page is about; empty for others."""
    match = request.resolver_match
    if match is None or match.url_name not in SUBJECTS:
        return ""
    return str(match.kwargs[SUBJECTS[match.url_name]])


def is_speculative(request: HttpRequest) -> bool:
    """Return whether a browser fetches a page that its reader may never see."""
    return "prefetch" in request.headers.get("Sec-Purpose", "") or request.method == "HEAD"
