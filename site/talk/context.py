"""What a report keeps: the line, and what was said around it, as it stood when it was reported."""

from django.urls import reverse

from talk.models import Line
from talk.sight import wire_id

AROUND = 10  # lines before, and as many after


def snapshot(line: Line) -> dict[str, object]:
    """The context as plain JSON: where, and the lines of that circle, oldest first.

    `line` is the id of the reported one among `lines`.
    """
    room, number = line.room, line.number
    numbers = (number - AROUND, number + AROUND)
    around = room.lines.filter(number__range=numbers).select_related("author").order_by("number")
    return {
        "kind": room.kind,
        "ident": room.ident,
        "circle": room.circle,
        "url": reverse(room.kind, args=[room.ident]),
        "line": wire_id(room.circle, number),  # type: ignore[arg-type]
        "lines": [_plain(each, wire_id(room.circle, each.number)) for each in around],  # type: ignore[arg-type]
    }


def _plain(line: Line, id: int) -> dict[str, object]:
    return {
        "id": id,
        "user": line.author_id,
        "by": line.author.get_username() if line.author else None,
        "role": line.role,
        "text": line.text,
        "phrase": line.phrase,
        "at": line.at,
        "hidden": line.is_hidden,
    }
