"""THE ONLY WRITER of talk. Every change is one transaction; pages hear of it after the commit.

Who speaks holds the row of their own talker first, then that of the room: so one bucket serves all
sockets of a user, and the lines of a room have one order.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from django.db import transaction
from django.db.models import F

from accounts.models import User
from play import refusals
from play.clocks import now
from play.outbox import publish
from talk import places, viewers
from talk.cleaning import LONGEST, cleaned
from talk.context import snapshot
from talk.models import FOREVER, Circle, Kind, Line, Mute, Report, Room, Talker
from talk.permits import permit
from talk.phrases import PHRASES
from talk.places import Place
from talk.refusals import Reason, Refused
from talk.sight import from_wire, wire_id
from talk.viewers import Viewer

AT_ONCE = 5  # lines that a rested talker may say one after the other
REST = 4_000  # ms after which they may say one more
KEPT = 2_000  # lines of a room
OLD = 90 * 24 * 60 * 60 * 1000  # ms after the newest line at which a room is forgotten
MOST_MUTED = 200
MOST_REPORTS = 20  # by one user within a day
DAY = 24 * 60 * 60 * 1000


class Verdict(Enum):
    """What a moderator may decide on a report."""

    HIDE = "hide"  # the line is shown no more
    DAY = "day"  # its author may not write for a day
    GOOD = "good"  # its author may not write any more
    DISMISS = "dismiss"  # nothing is done


SILENCE = {Verdict.DAY: DAY, Verdict.GOOD: None}  # ms; None: for good


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to something said or reported; `again` if its id had been accepted before."""

    line: int
    again: bool = False


def enter(kind: Kind, ident: str, user: int | None) -> Circle:
    """The circle in which a user follows a place. Raises Refused."""
    return _place(kind, ident, user)[1]


def say(kind: Kind, ident: str, user: int | None, id: str, text: str, phrase: str) -> Receipt:
    """Says a text, or the phrase of a key if there is one. Raises Refused.

    What is said twice under one id is said once, and gets the first receipt.
    """
    at = now()
    place, circle = _place(kind, ident, user)
    author, viewer = _somebody(user)
    with transaction.atomic():
        talker, _ = Talker.objects.select_for_update().get_or_create(user_id=author)
        if known := _said_before(author, id, text, phrase, place):
            return known
        _need_permit(place, viewer, phrase, at)
        said = _worded(circle, text, phrase)
        _need_news(author, place, said)
        _spend(talker, at)
        room = _next(place, circle, at)
        role = place.role_of(author)
        Line.objects.create(
            room=room, number=room.newest, author_id=author, role=role, at=at, said_id=id, **said
        )
        _announce(place, circle)
    return Receipt(wire_id(circle, room.newest))


def mute(user: int | None, name: str, on: bool) -> None:
    """Takes somebody's lines out of a viewer's sight, or lets them in again. Raises Refused."""
    reader, viewer = _somebody(user)
    muted = User.objects.filter(username__iexact=name).first()
    if muted is None:
        raise Refused(Reason.NOBODY)
    if muted.pk == reader:
        raise Refused(Reason.YOURSELF)
    if on == (muted.pk in viewer.muted):
        return
    if on and len(viewer.muted) >= MOST_MUTED:
        raise Refused(Reason.TOO_MANY)
    with transaction.atomic():
        if on:
            Mute.objects.get_or_create(viewer_id=reader, muted=muted)
        else:
            Mute.objects.filter(viewer_id=reader, muted=muted).delete()
        _touch(reader)


def report(kind: Kind, ident: str, user: int | None, line: int, why: str) -> Receipt:
    """Tells the moderators of a line, with what was said around it. Raises Refused.

    Only a line that this user may see can be reported; one reported twice is reported once.
    """
    place, circle = _place(kind, ident, user)
    reporter, _ = _somebody(user)
    if why not in Report.Why:
        raise refusals.Refused(refusals.Reason.MALFORMED)
    found = _visible(place, circle, line)
    if found.author_id == reporter:
        raise Refused(Reason.YOURSELF)
    with transaction.atomic():
        mine = Report.objects.filter(reporter=reporter)
        if mine.filter(line=found).exists():
            return Receipt(line, again=True)
        if mine.filter(at__gt=now() - DAY).count() >= MOST_REPORTS:
            raise Refused(Reason.TOO_MANY)
        Report.objects.create(
            reporter_id=reporter,
            author_id=found.author_id,
            line=found,
            kind=kind,
            ident=ident,
            said=line,
            why=why,
            context=snapshot(found),
            at=now(),
        )
        _touch(reporter)
    return Receipt(line)


def moderate(report: Report, verdict: Verdict, by: User) -> None:
    """Does what a moderator has decided on a report, and tells who reported the line."""
    with transaction.atomic():
        if verdict is Verdict.HIDE and report.line is not None:
            _hide(report.line)
        if verdict in SILENCE and report.author_id is not None:
            ends = SILENCE[verdict]
            silence(report.author_id, FOREVER if ends is None else now() + ends)
        state = Report.State.DISMISSED if verdict is Verdict.DISMISS else Report.State.ACTED
        alike = Report.objects.filter(line=report.line_id, state=Report.State.OPEN)
        same = Report.objects.filter(pk=report.pk)
        for one in {*same, *(alike if report.line_id else [])}:
            _decide(one, state, by)


def silence(user: int, until: int) -> None:
    """Lets a user not write before `until` (epoch ms); 0 lets them write again."""
    with transaction.atomic():
        Talker.objects.update_or_create(user_id=user, defaults={"silent_until": until})
        _touch(user)


def renamed(user: int) -> None:
    """Shows a user's lines under their new name; who was a guest may write what an account may."""
    with transaction.atomic():
        rooms = Room.objects.filter(changed__gt=now() - DAY)
        for room in rooms.filter(pk__in=Line.objects.filter(author=user).values("room")):
            redraw(room)
        for reader in {user, *Mute.objects.filter(muted=user).values_list("viewer", flat=True)}:
            _touch(reader)


def forget_old() -> int:
    """Deletes the rooms in which nothing was said for a long time; how many those were.

    Reports keep their own copy of what was said.
    """
    old = Room.objects.filter(changed__lt=now() - OLD)
    count = old.count()
    old.delete()
    return count


def reported(slugs: Collection[str]) -> set[str]:
    """Those of some games about which somebody has reported a line: they are kept."""
    reports = Report.objects.filter(kind="game", ident__in=slugs)
    return set(reports.values_list("ident", flat=True))


def _place(kind: Kind, ident: str, user: int | None) -> tuple[Place, Circle]:
    """A place with the circle of a user. A running game that they may not watch is not there for
    them; when it is over, everybody may know of it, but its talk stays with the two."""
    place = places.find(kind, ident)
    circle = place.circle_of(user) if place else None
    if place is not None and circle is None and place.stage == "over":
        raise Refused(Reason.NOT_WATCHABLE)
    if place is None or circle is None:
        raise refusals.Refused(refusals.Reason.GONE)
    return place, circle


def _hide(line: Line) -> None:
    """Takes a line out of everybody's sight."""
    room = line.room
    if not Line.objects.filter(pk=line.pk, is_hidden=False).update(is_hidden=True):
        return
    redraw(room)


def redraw(room: Room) -> None:
    """Has every page show a room anew; in a transaction."""
    Room.objects.filter(pk=room.pk).update(rev=F("rev") + 1)
    place = places.find(room.kind, room.ident)
    if place is not None:
        _announce(place, room.circle)  # type: ignore[arg-type]


def _decide(report: Report, state: str, by: User) -> None:
    Report.objects.filter(pk=report.pk).update(state=state, decided_by=by)
    if report.reporter_id is not None:
        _touch(report.reporter_id)


def _somebody(user: int | None) -> tuple[int, Viewer]:
    """The user who does something, and what they see; strangers and the suspended can't."""
    viewer = viewers.find(user)
    if viewer is None or viewer.user is None:
        raise Refused(Reason.STRANGER)
    return viewer.user, viewer


def _visible(place: Place, circle: Circle, id: int) -> Line:
    """The line of an id, if somebody of a circle may see it; what they may not is not there."""
    said_in, number = from_wire(place.kind, id)
    here = Line.objects.select_related("room").filter(
        room__kind=place.kind, room__ident=place.ident, room__circle=said_in, is_hidden=False
    )
    line = here.filter(number=number).first()
    if said_in not in place.circles_for(circle) or line is None:
        raise Refused(Reason.NO_LINE)
    return line


def _said_before(user: int, id: str, text: str, phrase: str, place: Place) -> Receipt | None:
    line = Line.objects.select_related("room").filter(author=user, said_id=id).first()
    if line is None:
        return None
    room = line.room
    told = (room.kind, room.ident, line.phrase, line.text)
    if told != (place.kind, place.ident, phrase, "" if phrase else cleaned(text)):
        raise refusals.Refused(refusals.Reason.CONFLICT)
    return Receipt(wire_id(room.circle, line.number), again=True)  # type: ignore[arg-type]


def _need_permit(place: Place, viewer: Viewer, phrase: str, at: int) -> None:
    may = permit(place, viewer, at)
    if may.why is not None and (may.write == "no" or not phrase):
        raise Refused(may.why)


def _worded(circle: Circle, text: str, phrase: str) -> dict[str, str]:
    """The columns of what is said."""
    if phrase:
        if phrase not in PHRASES[circle]:
            raise Refused(Reason.NO_PHRASE)
        return {"phrase": phrase}
    clean = cleaned(text)
    if not clean:
        raise Refused(Reason.EMPTY)
    if len(clean) > LONGEST:
        raise Refused(Reason.TOO_LONG)
    return {"text": clean}


def _need_news(author: int, place: Place, said: dict[str, str]) -> None:
    """Refuses what its author has said twice in a row in this place."""
    own = Line.objects.filter(author=author, room__kind=place.kind, room__ident=place.ident)
    last = own.order_by("-pk").values("text", "phrase")[:2]
    full = {"text": "", "phrase": "", **said}
    if [row == full for row in last] == [True, True]:
        raise Refused(Reason.SAME)


def _spend(talker: Talker, at: int) -> None:
    """Takes one line out of the bucket. `rested` is the time at which it would be full."""
    rested = max(talker.rested, at) + REST
    if rested - at > AT_ONCE * REST:
        raise Refused(Reason.TOO_FAST)
    Talker.objects.filter(pk=talker.pk).update(rested=rested)


def _next(place: Place, circle: Circle, at: int) -> Room:
    """The room of a circle, made if need be, held, and with one number more."""
    room, _ = Room.objects.get_or_create(kind=place.kind, ident=place.ident, circle=circle)
    Room.objects.filter(pk=room.pk).update(rev=F("rev") + 1, newest=F("newest") + 1, changed=at)
    room.refresh_from_db()
    room.lines.filter(number__lte=room.newest - KEPT).delete()
    return room


def _touch(user: int) -> None:
    """Counts a change of what only this user may see, and tells their pages."""
    if not Talker.objects.filter(pk=user).update(rev=F("rev") + 1):
        Talker.objects.create(user_id=user, rev=1)
    transaction.on_commit(lambda: publish(("talker", str(user))))


def _announce(place: Place, circle: Circle) -> None:
    """Hints at the topics of those who may read what this circle says now."""
    readers: tuple[Circle, ...] = place.circles_for(circle)
    topics = [("talk", f"{place.kind}/{place.ident}/{each}") for each in readers]

    def hints() -> None:
        for topic in topics:
            publish(topic)

    transaction.on_commit(hints)
