"""What becomes of the words of somebody who leaves the site for good."""

from typing import Any

from django.db import transaction
from django.db.models import Q

from talk.models import Line, Mute, Report, Room, Talker
from talk.services import redraw


def forget(user: int, name: str) -> None:
    """Deletes what a user has said, and whom the user has muted.

    Reports keep what the moderators have to judge, under the `name` that is left of the user.
    """
    with transaction.atomic():
        lines = Line.objects.filter(author=user)
        rooms = list(Room.objects.filter(pk__in=lines.values("room")))
        lines.delete()
        Mute.objects.filter(Q(viewer=user) | Q(muted=user)).delete()
        Talker.objects.filter(user=user).delete()
        for report in Report.objects.filter(Q(author=user) | Q(reporter=user)):
            _rename(report, user, name)
        for room in rooms:
            redraw(room)


def _rename(report: Report, user: int, name: str) -> None:
    lines: list[dict[str, Any]] = report.context["lines"]
    told = [{**line, "by": name} if line["user"] == user else line for line in lines]
    Report.objects.filter(pk=report.pk).update(context={**report.context, "lines": told})
