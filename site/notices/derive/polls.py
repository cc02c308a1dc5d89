"""Notices derived from states that have no ledger: lobbies, mutes, reports, suspensions.

Each poll compares a state with the notices about it, so that it may run any time and finds nothing
the second time. Its query reads a partial index of the few rows that matter.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Case, Exists, F, OuterRef, Q, When
from msgspec.structs import asdict

from accounts.models import User
from accounts.people.blocks import blocked_ids
from chat.models import ChatMember, Report
from lobby.models import Lobby
from notices.models import TURN_KINDS, Kind, Notice
from notices.records import Batch, Draft, may_be_told
from play.domain.clocks import DAY_MS
from play.models import FRESH_MS, Game

REPORT_WINDOW_MS = 30 * DAY_MS  # verdicts older than that cause no notice
MUTE, SUSPENSION = "mute", "suspension"  # subjects
MAX_ROWS = 500  # of one poll; the next one finds the rest


def poll_challenges(at: int) -> Batch:
    """Record the challenges that wait for somebody, and close those that do not any more.

    The host is told of those that were declined, and of those that ended because the host was away.
    """
    waiting = _waiting_challenges()
    known = Notice.objects.filter(
        kind=Kind.CHALLENGE, subject=OuterRef("code"), user=OuterRef("invited")
    )
    new = list(waiting.exclude(Exists(known)).select_related("host")[:MAX_ROWS])
    told = may_be_told({lobby.invited_id for lobby in new if lobby.invited_id is not None})
    batch = Batch()
    for lobby in new:
        if lobby.invited_id in told and lobby.host_id not in blocked_ids(lobby.invited_id):
            data = {"rules": lobby.rules, "host": lobby.host.username, "clock": asdict(lobby.clock)}
            batch.drafts.append(
                _draft(
                    lobby.invited_id, Kind.CHALLENGE, lobby.code, data, lobby.created, lobby.host_id
                )
            )
    still = _waiting_challenges().filter(code=OuterRef("subject"))
    open_notices = Notice.objects.filter(kind=Kind.CHALLENGE, closed=None)
    over = dict(open_notices.exclude(Exists(still)).values_list("pk", "subject"))
    batch.closing += over
    batch.drafts += _unplayed_challenges(over.values(), at)
    return batch


def _unplayed_challenges(codes: Iterable[str], at: int) -> list[Draft]:
    ends = (Lobby.Why.DECLINED, Lobby.Why.AWAY)
    rows = Lobby.objects.filter(code__in=list(codes), game=None, invited__isnull=False)
    closed = list(rows.filter(status=Lobby.Status.CLOSED, why__in=ends).select_related("invited"))
    told = may_be_told({lobby.host_id for lobby in closed})
    drafts = []
    for lobby in closed:
        if lobby.host_id in told and lobby.invited is not None:
            data = {"rules": lobby.rules, "name": lobby.invited.username, "end": lobby.why}
            draft = _draft(lobby.host_id, Kind.JOINED, lobby.code, data, at, lobby.invited.pk)
            drafts.append(replace(draft, is_read=lobby.host_seen > at - FRESH_MS))
    return drafts


def poll_arrivals(at: int) -> Batch:
    """Record the person seated in an open lobby whose host is away, before the first game.

    The notice is closed when that person leaves, or the lobby is open no more.
    """
    joiner = Case(When(one=F("host"), then=F("two")), default=F("one"))
    joined = Lobby.objects.waiting().annotate(joiner=joiner).filter(joiner__isnull=False)
    unanswered = joined.filter(
        Q(one=F("host"), one_ready=False) | Q(two=F("host"), two_ready=False),
        host_seen__lt=at - FRESH_MS,
    )
    known = Notice.objects.filter(
        kind=Kind.JOINED, subject=OuterRef("code"), user=OuterRef("host"), serial=OuterRef("joiner")
    )
    batch = Batch()
    new = list(unanswered.exclude(Exists(known)).select_related("one", "two")[:MAX_ROWS])
    told = may_be_told({lobby.host_id for lobby in new})
    for lobby in new:
        person = lobby.two if lobby.one_id == lobby.host_id else lobby.one
        if lobby.host_id in told and person is not None and not person.is_bot:
            data = {"rules": lobby.rules, "name": person.username, "game": ""}
            draft = _draft(lobby.host_id, Kind.JOINED, lobby.code, data, at, person.pk)
            batch.drafts.append(draft)
    still = joined.filter(code=OuterRef("subject"), joiner=OuterRef("serial"))
    old = Notice.objects.filter(kind=Kind.JOINED, closed=None, data__game="")
    batch.closing += list(old.exclude(Exists(still)).values_list("pk", flat=True))
    return batch


def poll_mutes(at: int) -> Batch:
    """Record mutes by moderators and their early end."""
    muted = dict(ChatMember.objects.filter(silent_until__gt=at).values_list("user", "silent_until"))
    found = Notice.objects.filter(kind=Kind.MODERATION, subject=MUTE, closed=None)
    batch, told = Batch(), {}
    for notice in found:
        until = notice.data["until"]
        if notice.data["what"] != "muted":
            continue
        if muted.get(notice.user_id) == until:
            told[notice.user_id] = until
            continue
        batch.closing.append(notice.pk)
        if notice.user_id not in muted and until > at:
            data = {"what": "unmuted", "until": None}
            draft = _draft(notice.user_id, Kind.MODERATION, "unmute", data, at, notice.pk)
            batch.drafts.append(draft)
    new = {user: until for user, until in muted.items() if told.get(user) != until}
    serials = _next_serials(MUTE, new)
    for user in may_be_told(new):
        mute = {"what": "muted", "until": new[user]}
        batch.drafts.append(_draft(user, Kind.MODERATION, MUTE, mute, at, serials[user]))
    return batch


def poll_reports(at: int) -> Batch:
    """Record verdicts on reports for the reporters, and deleted messages for their authors."""
    known = Notice.objects.filter(
        kind=Kind.MODERATION,
        subject__startswith="report-",
        user=OuterRef("reporter"),
        serial=OuterRef("pk"),
    )
    since = at - REPORT_WINDOW_MS
    decided = Report.objects.filter(decided_at__gt=since).exclude(state=Report.State.OPEN)
    new = decided.exclude(Exists(known)).select_related("line").order_by("-decided_at")[:MAX_ROWS]
    batch = Batch()
    told = may_be_told(
        {user for report in new for user in (report.reporter_id, report.author_id) if user}
    )
    for report in new:
        moment = report.decided_at or at
        if report.reporter_id in told:
            is_upheld = report.state == Report.State.ACTED
            what = "report_upheld" if is_upheld else "report_dismissed"
            data: dict[str, str | None] = {"what": what, "until": None}
            subject = f"report-{report.pk}"
            draft = _draft(report.reporter_id, Kind.MODERATION, subject, data, moment, report.pk)
            batch.drafts.append(draft)
        if report.line is not None and report.line.is_hidden and report.author_id in told:
            data = {"what": "line_deleted", "until": None}
            subject = f"line-{report.line_id}"
            batch.drafts.append(_draft(report.author_id, Kind.MODERATION, subject, data, moment))
    return batch


def poll_suspensions(at: int) -> Batch:
    """Record suspensions of accounts and their end.

    A suspended user cannot read the notice of it; its row is what the restoration is derived from.
    """
    suspended = set(
        User.objects.filter(is_active=False, is_guest=False, leaving=None).values_list(
            "pk", flat=True
        )
    )
    found = Notice.objects.filter(kind=Kind.MODERATION, subject=SUSPENSION, closed=None)
    batch = Batch()
    known = {notice.user_id: notice for notice in found}
    for user, notice in known.items():
        if user not in suspended:
            batch.closing.append(notice.pk)
    restored = known.keys() - suspended
    for user in may_be_told(restored):
        data = {"what": "restored", "until": None}
        batch.drafts.append(_draft(user, Kind.MODERATION, "restoration", data, at, known[user].pk))
    new = suspended - known.keys()
    serials = _next_serials(SUSPENSION, dict.fromkeys(new, 0))
    for user in sorted(new):
        data = {"what": "suspended", "until": None}
        batch.drafts.append(_draft(user, Kind.MODERATION, SUSPENSION, data, at, serials[user]))
    return batch


def poll_deleted_games(at: int) -> Batch:
    """Close the notices about games that do not exist any more."""
    kinds = [*TURN_KINDS, Kind.OFFER, Kind.PLAYS]
    there = Game.objects.filter(slug=OuterRef("subject"))
    gone = Notice.objects.filter(kind__in=kinds, closed=None).exclude(Exists(there))
    return Batch(closing=list(gone.values_list("pk", flat=True)[:MAX_ROWS]))


# Each poll with its interval, and its place in that: both in rounds, of which one is a second.
POLLS: Sequence[tuple[Callable[[int], Batch], int, int]] = (
    (poll_challenges, 4, 0),
    (poll_arrivals, 8, 1),
    (poll_mutes, 16, 2),
    (poll_reports, 16, 6),
    (poll_suspensions, 16, 10),
    (poll_deleted_games, 64, 14),
)


def _waiting_challenges() -> Any:
    lobbies = Lobby.objects.waiting().filter(invited__isnull=False)
    return lobbies.exclude(Q(one=F("invited")) & Q(one__isnull=False)).exclude(
        Q(two=F("invited")) & Q(two__isnull=False)
    )


def _next_serials(subject: str, users: Mapping[int, int]) -> dict[int, int]:
    """Return the serial of the next notice of moderation about a subject, by user."""
    rows = Notice.objects.filter(kind=Kind.MODERATION, subject=subject, user__in=list(users))
    serials = dict.fromkeys(users, 0)
    for user, serial in rows.values_list("user", "serial"):
        serials[user] = max(serials[user], serial + 1)
    return serials


def _draft(
    user: int | None, kind: str, subject: str, data: Mapping[str, Any], at: int, serial: int = 0
) -> Draft:
    assert user is not None
    return Draft(user, kind, subject, serial, data, at, at)
