"""Export and deletion of a user's chat; the export has no lines of others."""

from typing import Any

from django.db import transaction
from django.db.models import Q

from chat.chat_service import publish_place
from chat.models import ChatMember, Line, Mute, Report, Room


def delete_chat_of(user: int, name: str) -> None:
    """Deletes a user's chat lines, mutes and member row.

    Reports keep the content that moderators have to judge, under the `name` that remains of the
    user.
    """
    with transaction.atomic():
        lines = Line.objects.filter(author=user)
        rooms = list(Room.objects.filter(pk__in=lines.values("room")))
        lines.delete()
        Mute.objects.filter(Q(viewer=user) | Q(muted=user)).delete()
        ChatMember.objects.filter(user=user).delete()
        for report in Report.objects.filter(Q(author=user) | Q(reporter=user)):
            _rename(report, user, name)
        for room in rooms:
            publish_place(room)


def _rename(report: Report, user: int, name: str) -> None:
    lines: list[dict[str, Any]] = report.context["lines"]
    renamed = [{**line, "by": name} if line["user"] == user else line for line in lines]
    Report.objects.filter(pk=report.pk).update(context={**report.context, "lines": renamed})


def export_chat(user: int) -> dict[str, Any]:
    """Returns the user's own lines, mutes and reports as plain JSON, the oldest first."""
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
