"""Changes of chat: say, mute, report, moderate and delete.

Every change is one transaction; pages are notified after its commit. To say something, the row of
the author's member is locked before that of the room: one token bucket serves all sockets of a
user, and the lines of a room have one order.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from django.db import transaction
from django.db.models import F

from accounts.account_service import suspend
from accounts.models import User
from accounts.observers import AccountObserver
from accounts.people import relations
from accounts.plain_text import plain_line
from accounts.refusals import Refused
from chat import permissions
from chat.chat_view import from_wire, report_snapshot, wire_id
from chat.models import (
    FOREVER_MS,
    MAX_TEXT_CHARS,
    ChatMember,
    Circle,
    Kind,
    Line,
    Mute,
    Report,
    Room,
)
from chat.permissions import ChatReason, Venue, Viewer, permission_of
from chat.phrases import PHRASES
from play.domain.clocks import now
from play.domain.game_refusals import Reason
from play.runtime.notify import publish

BURST_LINES = 5  # lines in a row from a full token bucket
REST_MS = 4_000  # per token
MAX_ROOM_LINES = 2_000  # older lines are deleted
ROOM_KEPT_MS = 90 * 24 * 60 * 60 * 1000  # after its newest line
MAX_MUTED_USERS = 200
MAX_DAILY_REPORTS = 20  # by one user within a day
DAY_MS = 24 * 60 * 60 * 1000


class Verdict(Enum):
    """A moderator's decision on a report."""

    HIDE = "hide"  # the line is hidden
    DAY = "day"  # its author may not write for a day
    WEEK = "week"  # its author may not write for seven days
    GOOD = "good"  # its author may not write any more
    SUSPEND = "suspend"  # its author cannot log in any more
    DISMISS = "dismiss"  # no action


SILENCE_MS = {Verdict.DAY: DAY_MS, Verdict.WEEK: 7 * DAY_MS, Verdict.GOOD: None}  # None: for good


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to a line or report; `again` if its id had been accepted before."""

    line: int
    again: bool = False


def enter(kind: Kind, ident: str, user: int | None) -> Circle:
    """Returns the circle in which a user follows a place. Raises Refused."""
    return _enter(kind, ident, user)[1]


def say(kind: Kind, ident: str, user: int | None, id: str, text: str, phrase: str) -> Receipt:
    """Says a text, or the phrase with a key if one is given. Raises Refused.

    A repeated id writes nothing and returns the first receipt.
    """
    at = now()
    place, circle = _enter(kind, ident, user)
    author, viewer = _load_user(user)
    with transaction.atomic():
        member, _ = ChatMember.objects.select_for_update().get_or_create(user_id=author)
        if known := _find_repeat(author, id, text, phrase, place):
            return known
        _check_permission(place, viewer, phrase, at)
        content = _text_columns(circle, text, phrase)
        _check_not_repeated(author, place, content)
        _spend_token(member, at)
        room = _advance_room(place, circle, at)
        role = place.role_of(author)
        Line.objects.create(
            room=room,
            number=room.newest,
            author_id=author,
            role=role,
            at=at,
            message_id=id,
            **content,
        )
        _announce(place, circle)
    return Receipt(wire_id(circle, room.newest))


def mute(user: int | None, name: str, on: bool) -> None:
    """Hides somebody's lines from a viewer, or shows them again. Raises Refused."""
    reader, viewer = _load_user(user)
    muted = User.objects.filter(username__iexact=name).first()
    if muted is None:
        raise Refused(ChatReason.NOBODY)
    if muted.pk == reader:
        raise Refused(ChatReason.YOURSELF)
    if on == (muted.pk in viewer.muted):
        return
    if on and len(viewer.muted) >= MAX_MUTED_USERS:
        raise Refused(ChatReason.TOO_MANY)
    with transaction.atomic():
        if on:
            Mute.objects.get_or_create(viewer_id=reader, muted=muted)
        else:
            Mute.objects.filter(viewer_id=reader, muted=muted).delete()
        _bump_member_rev(reader)


def block(user: int | None, name: str) -> None:
    """Blocks somebody for a user, everywhere on the site. Raises Refused."""
    blocker, _ = _load_user(user)
    relations.block(User.objects.get(pk=blocker), name)


def report(kind: Kind, ident: str, user: int | None, line: int, why: str) -> Receipt:
    """Reports a line with the lines around it to the moderators. Raises Refused.

    Only a line that this user may see can be reported; a second report of it returns the first
    receipt.
    """
    place, circle = _enter(kind, ident, user)
    reporter, _ = _load_user(user)
    if why not in Report.Why:
        raise Refused(Reason.MALFORMED)
    found = _find_visible_line(place, circle, line)
    if found.author_id == reporter:
        raise Refused(ChatReason.YOURSELF)
    with transaction.atomic():
        mine = Report.objects.filter(reporter=reporter)
        if mine.filter(line=found).exists():
            return Receipt(line, again=True)
        if mine.filter(at__gt=now() - DAY_MS).count() >= MAX_DAILY_REPORTS:
            raise Refused(ChatReason.TOO_MANY)
        Report.objects.create(
            reporter_id=reporter,
            author_id=found.author_id,
            line=found,
            kind=kind,
            ident=ident,
            shown_line_id=line,
            why=why,
            context=report_snapshot(found),
            at=now(),
        )
        _bump_member_rev(reporter)
    return Receipt(line)


def moderate(report: Report, verdict: Verdict, by: User) -> None:
    """Applies a moderator's verdict on a report and notifies its reporters."""
    with transaction.atomic():
        if verdict is Verdict.HIDE and report.line is not None:
            _hide(report.line)
        if verdict in SILENCE_MS and report.author_id is not None:
            ends = SILENCE_MS[verdict]
            silence(report.author_id, FOREVER_MS if ends is None else now() + ends)
        if verdict is Verdict.SUSPEND and report.author_id is not None:
            suspend(report.author_id)
        state = Report.State.DISMISSED if verdict is Verdict.DISMISS else Report.State.ACTED
        alike = Report.objects.filter(line=report.line_id, state=Report.State.OPEN)
        same = Report.objects.filter(pk=report.pk)
        for one in {*same, *(alike if report.line_id else [])}:
            _write_decision(one, state, by)


def silence(user: int, until: int) -> None:
    """Forbids a user to write before `until` (epoch ms); 0 lets them write again."""
    with transaction.atomic():
        ChatMember.objects.update_or_create(user_id=user, defaults={"silent_until": until})
        _bump_member_rev(user)


class ChatObserver(AccountObserver):
    """Refreshes lines and permissions on pages when accounts change."""

    def renamed(self, user_id: int) -> None:
        """Publishes a user's lines again after a rename or a guest's sign-up."""
        with transaction.atomic():
            rooms = Room.objects.filter(changed__gt=now() - DAY_MS)
            for room in rooms.filter(pk__in=Line.objects.filter(author=user_id).values("room")):
                publish_place(room)
            muting = Mute.objects.filter(muted=user_id).values_list("viewer", flat=True)
            for reader in {user_id, *muting}:
                _bump_member_rev(reader)

    def blocks_changed(self, one_id: int, other_id: int) -> None:
        """Refreshes the chat permissions of two users whose blocks have changed."""
        active = User.objects.filter(pk__in=(one_id, other_id), is_active=True)
        with transaction.atomic():
            for user_id in active.values_list("pk", flat=True):
                _bump_member_rev(user_id)


def delete_old_lines() -> int:
    """Deletes rooms without a recent line; returns how many.

    Reports keep their own copy of the lines.
    """
    old = Room.objects.filter(changed__lt=now() - ROOM_KEPT_MS)
    count = old.count()
    old.delete()
    return count


def reported_games(slugs: Collection[str]) -> set[str]:
    """Returns the given games whose chat has been reported; they must be kept."""
    reports = Report.objects.filter(kind="game", ident__in=slugs)
    return set(reports.values_list("ident", flat=True))


def _enter(kind: Kind, ident: str, user: int | None) -> tuple[Venue, Circle]:
    """Returns a place with the circle of a user. Raises Refused.

    A running game that the user may not watch is reported as gone; once it is over its existence is
    public, but its chat stays with the two players.
    """
    return enter_venue(permissions.find_venue(kind, ident), user)


def enter_venue(place: Venue | None, user: int | None) -> tuple[Venue, Circle]:
    """Returns a place that was read with the circle of a user. Raises Refused."""
    circle = place.circle_of(user) if place else None
    if place is not None and circle is None and place.stage == "over":
        raise Refused(ChatReason.NOT_WATCHABLE)
    if place is None or circle is None:
        raise Refused(Reason.GONE)
    return place, circle


def _hide(line: Line) -> None:
    """Hides a line from everybody."""
    room = line.room
    if not Line.objects.filter(pk=line.pk, is_hidden=False).update(is_hidden=True):
        return
    publish_place(room)


def publish_place(room: Room) -> None:
    """Publishes a room to all its pages; call it in a transaction."""
    Room.objects.filter(pk=room.pk).update(rev=F("rev") + 1)
    place = permissions.find_venue(room.kind, room.ident)
    if place is not None:
        _announce(place, room.circle)  # type: ignore[arg-type]


def _write_decision(report: Report, state: str, by: User) -> None:
    Report.objects.filter(pk=report.pk).update(state=state, decided_by=by, decided_at=now())
    if report.reporter_id is not None:
        _bump_member_rev(report.reporter_id)


def _load_user(user: int | None) -> tuple[int, Viewer]:
    """Returns the acting user with the viewer. Raises Refused for strangers and suspended users."""
    viewer = permissions.load_viewer(user)
    if viewer is None or viewer.user is None:
        raise Refused(ChatReason.STRANGER)
    return viewer.user, viewer


def _find_visible_line(place: Venue, circle: Circle, id: int) -> Line:
    """Returns the line with an id if `circle` may see it. Raises Refused otherwise."""
    said_in, number = from_wire(place.kind, id)
    here = Line.objects.select_related("room").filter(
        room__kind=place.kind, room__ident=place.ident, room__circle=said_in, is_hidden=False
    )
    line = here.filter(number=number).first()
    if said_in not in place.circles_for(circle) or line is None:
        raise Refused(ChatReason.NO_LINE)
    return line


def _find_repeat(user: int, id: str, text: str, phrase: str, place: Venue) -> Receipt | None:
    line = Line.objects.select_related("room").filter(author=user, message_id=id).first()
    if line is None:
        return None
    room = line.room
    known = (room.kind, room.ident, line.phrase, line.text)
    if known != (place.kind, place.ident, phrase, "" if phrase else plain_line(text)):
        raise Refused(Reason.CONFLICT)
    return Receipt(wire_id(room.circle, line.number), again=True)  # type: ignore[arg-type]


def _check_permission(place: Venue, viewer: Viewer, phrase: str, at: int) -> None:
    may = permission_of(place, viewer, at)
    if may.why is not None and (may.write == "no" or not phrase):
        raise Refused(may.why)


def _text_columns(circle: Circle, text: str, phrase: str) -> dict[str, str]:
    """Returns the columns of a line's text or phrase. Raises Refused if it is invalid."""
    if phrase:
        if phrase not in PHRASES[circle]:
            raise Refused(ChatReason.NO_PHRASE)
        return {"phrase": phrase}
    clean = plain_line(text)
    if not clean:
        raise Refused(ChatReason.EMPTY)
    if len(clean) > MAX_TEXT_CHARS:
        raise Refused(ChatReason.TOO_LONG)
    return {"text": clean}


def _check_not_repeated(author: int, place: Venue, content: dict[str, str]) -> None:
    """Raises Refused if the author's last two lines in this place were the same."""
    own = Line.objects.filter(author=author, room__kind=place.kind, room__ident=place.ident)
    last = own.order_by("-pk").values("text", "phrase")[:2]
    full = {"text": "", "phrase": "", **content}
    if [row == full for row in last] == [True, True]:
        raise Refused(ChatReason.SAME)


def _spend_token(member: ChatMember, at: int) -> None:
    """Takes one line out of the token bucket. Raises Refused if it is empty."""
    full_at = max(member.bucket_full_at, at) + REST_MS
    if full_at - at > BURST_LINES * REST_MS:
        raise Refused(ChatReason.TOO_FAST)
    ChatMember.objects.filter(pk=member.pk).update(bucket_full_at=full_at)


def _advance_room(place: Venue, circle: Circle, at: int) -> Room:
    """Returns the room of a circle, created if missing, locked, with the next line number."""
    room, _ = Room.objects.get_or_create(kind=place.kind, ident=place.ident, circle=circle)
    Room.objects.filter(pk=room.pk).update(rev=F("rev") + 1, newest=F("newest") + 1, changed=at)
    room.refresh_from_db()
    room.lines.filter(number__lte=room.newest - MAX_ROOM_LINES).delete()
    return room


def _bump_member_rev(user: int) -> None:
    """Increments the rev of a user's private chat state and notifies their pages."""
    if not ChatMember.objects.filter(pk=user).update(rev=F("rev") + 1):
        ChatMember.objects.create(user_id=user, rev=1)
    transaction.on_commit(lambda: publish(("chat-member", str(user))))


def _announce(place: Venue, circle: Circle) -> None:
    """Publishes the topics of the circles that may read new lines of `circle`."""
    readers: tuple[Circle, ...] = place.circles_for(circle)
    topics = [("chat", f"{place.kind}/{place.ident}/{each}") for each in readers]

    def hints() -> None:
        for topic in topics:
            publish(topic)

    transaction.on_commit(hints)
