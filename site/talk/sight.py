"""The only revealer of talk: which lines whose eyes may see. Everything here is an allow-list."""

from collections.abc import Iterable
from dataclasses import dataclass

from talk import places
from talk.models import Circle, Kind, Line, Room
from talk.permits import permit
from talk.places import Place
from talk.viewers import Viewer

MOST = 60  # lines of a frame
LOOKED = 240  # lines read for it, so that muting a loud voice leaves others to read
CIRCLES: tuple[Circle, ...] = ("lobby", "players", "watchers")


@dataclass(frozen=True, slots=True)
class Said:
    """A line as a process holds it."""

    id: int
    user: int | None
    name: str | None
    role: str
    circle: Circle
    text: str
    phrase: str
    at: int


@dataclass(frozen=True, slots=True)
class Talk:
    """What one circle of a place may read, at one rev."""

    place: Place
    circle: Circle
    rev: str
    lines: tuple[Said, ...]  # oldest first


def wire_id(circle: Circle, number: int) -> int:
    """A line's id on the pages: unique in its place, and silent about what other circles say."""
    return 2 * number + (circle == "watchers")


def from_wire(kind: Kind, id: int) -> tuple[Circle, int]:
    """The circle and number of a line by its id on the pages."""
    if kind == "lobby":
        return "lobby", id // 2
    return ("watchers" if id % 2 else "players"), id // 2


def read(kind: Kind, ident: str, circle: Circle) -> Talk | None:
    """The talk of a circle as the database has it now; None if the place has no such circle.

    What may be seen is settled before any line is read, and only lines of circles that may be seen
    are asked for.
    """
    place = places.find(kind, ident)
    if place is None or (circle == "watchers" and not place.is_watched):
        return None
    seen = place.circles_for(circle)
    rooms = Room.objects.filter(kind=kind, ident=ident, circle__in=seen)
    revs = {room.circle: room.rev for room in rooms}
    rows = (
        Line.objects.filter(room__in=rooms, is_hidden=False)
        .select_related("room", "author")
        .order_by("-pk")[:LOOKED]
    )
    rev = spelled(place.stage, (revs.get(each, 0) for each in seen))
    return Talk(place, circle, rev, tuple(_said(row) for row in reversed(rows)))


def spelled(stage: str, revs: Iterable[int]) -> str:
    """The rev of a talk: its stage, and the revs of the rooms that may be seen in it."""
    return ".".join([stage, *map(str, revs)])


def frame(talk: Talk, viewer: Viewer, at: int) -> dict[str, object]:
    """What one viewer sees at `at` (epoch ms)."""
    place = talk.place
    may = permit(place, viewer, at)
    lines = [line for line in talk.lines if line.user not in viewer.muted]
    here = [told for told in viewer.reports if (told.kind, told.ident) == (place.kind, place.ident)]
    return {
        "t": "talk",
        "rev": talk.rev,
        "circle": talk.circle,
        "heard": heard(place, talk.circle),
        "lines": [shown(line, viewer) for line in lines[-MOST:]],
        "may": {"write": may.write, "why": may.why or "", "until": may.until},
        "muted": sorted(viewer.muted.values()),
        "reports": [{"line": told.line, "state": told.state} for told in here],
    }


def heard(place: Place, circle: Circle) -> str:
    """Who reads what is said: the word for a sentence of the page."""
    if place.kind == "lobby":
        return "lobby"
    if not place.is_watched:
        return "players"
    return "everybody" if place.stage == "over" else f"{circle}_now"


def shown(line: Said, viewer: Viewer) -> dict[str, object]:
    """A line for one viewer."""
    return {
        "id": line.id,
        "by": line.name,
        "you": line.user is not None and line.user == viewer.user,
        "role": line.role,
        "circle": line.circle,
        "text": line.text or None,
        "phrase": line.phrase or None,
        "at": line.at,
    }


def _said(row: Line) -> Said:
    circle: Circle = row.room.circle  # type: ignore[assignment]
    name = row.author.get_username() if row.author else None
    number = wire_id(circle, row.number)
    return Said(number, row.author_id, name, row.role, circle, row.text, row.phrase, row.at)
