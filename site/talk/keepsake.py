"""What one user has said, muted and reported, to be taken along; nothing that others have said."""

from typing import Any

from talk.models import Line, Mute, Report


def talk_of(user: int) -> dict[str, Any]:
    """The user's own lines and choices, the oldest first, as plain JSON."""
    lines = Line.objects.filter(author=user).select_related("room").order_by("pk")
    muted = Mute.objects.filter(viewer=user).select_related("muted").order_by("pk")
    reports = Report.objects.filter(reporter=user).order_by("pk")
    return {
        "lines": [
            {
                "where": line.room.kind,
                "id": line.room.ident,
                "at": line.at,
                "text": line.text or None,
                "phrase": line.phrase or None,
            }
            for line in lines
        ],
        "muted": [mute.muted.get_username() for mute in muted],
        "reports": [
            {"where": each.kind, "id": each.ident, "at": each.at, "why": each.why}
            for each in reports
        ],
    }
