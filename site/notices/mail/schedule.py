"""Decide which notices a mail to a user carries now, and when the others are due.

Pure: times are milliseconds since the epoch, and nothing is read or written.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime

from notices.models import TURN_KINDS, Kind, Notice, Post, Preferences
from notices.preferences.preferences import (
    MAIL,
    channels_of,
    next_digest,
    quiet_until,
    zone_of,
)
from play.domain.clocks import HOUR_MS, MINUTE_MS

MAIL_DELAY_MS = 15 * MINUTE_MS  # from a notice to its mail
SHORT_TURN_MS = 4 * HOUR_MS  # a turn that has less from its beginning cannot wait for a digest
WARNING_MARGIN_MS = 2 * HOUR_MS  # with less of a turn left, a digest is too late as a warning
MAX_BACKOFF_MS = 2 * HOUR_MS


def mail_delay_ms(notice: Notice) -> int:
    """Return the ms from a notice to its mail: less if little of a turn's time is left."""
    if notice.kind not in TURN_KINDS or notice.expires is None:
        return MAIL_DELAY_MS
    return min(MAIL_DELAY_MS, max(0, notice.expires - notice.due) // 4)


@dataclass(slots=True)
class MailPlan:
    """Posts of one user by what happens to them now."""

    send: list[Post] = field(default_factory=list)  # together, in one mail
    withdraw: list[Post] = field(default_factory=list)
    defer: dict[int, list[Post]] = field(default_factory=dict)  # by the time they are due at
    is_digest: bool = False  # the mail counts as the digest of the day

    def put_off(self, post: Post, until: int) -> None:
        """Note that a post is due later."""
        self.defer.setdefault(until, []).append(post)


def plan_mail(prefs: Preferences, posts: Iterable[Post], at: int) -> MailPlan:
    """Return the plan for the due posts of a user who can be mailed; none was tried before."""
    plan = MailPlan()
    for post in posts:
        if not matters(prefs, post, at):
            plan.withdraw.append(post)
        elif prefs.mail == Preferences.MailMode.AT_ONCE:
            _plan_at_once(plan, prefs, post, at)
        else:
            _plan_for_digest(plan, prefs, post, at)
    return plan


def matters(prefs: Preferences, post: Post, at: int) -> bool:
    """Return whether a notice is still worth a mail: open, unread, in time and wanted by mail."""
    notice = post.notice
    is_open = notice.closed is None and notice.read is None and post.expires > at
    return is_open and MAIL in channels_of(prefs, notice.kind)


def digest_time(prefs: Preferences, notice: Notice) -> int:
    """Return when the digest with a notice is due: at most one on a day of the user's calendar.

    Computed from the notice alone, so that a change of the hour or zone takes effect at once.
    """
    when = next_digest(prefs, notice.due + MAIL_DELAY_MS)
    last = prefs.last_digest
    if last is not None and _local_day(prefs, when) == _local_day(prefs, last):
        return next_digest(prefs, max(when, last))
    return when


def backoff_ms(tries: int) -> int:
    """Return the wait after a number of failed tries: 1 min, doubled each time up to 2 h."""
    return min(MINUTE_MS << min(max(tries - 1, 0), 10), MAX_BACKOFF_MS)


def newest_by_subject(posts: Iterable[Post]) -> list[Post]:
    """Return posts without those that a later notice about the same turn of a game replaces."""
    rank = {kind: number for number, kind in enumerate(TURN_KINDS)}
    best: dict[tuple[str, str], Post] = {}
    for post in posts:
        notice = post.notice
        is_turn = notice.kind in rank
        key = ("turn" if is_turn else f"{notice.kind} {notice.serial}", notice.subject)
        known = best.get(key)
        if known is None or _order(post, rank) > _order(known, rank):
            best[key] = post
    return sorted(best.values(), key=_urgency)


def _plan_at_once(plan: MailPlan, prefs: Preferences, post: Post, at: int) -> None:
    until = quiet_until(prefs, at)
    if until is None or (_is_pressing(post) and until >= post.expires):
        plan.send.append(post)
    else:
        plan.put_off(post, until)


def _plan_for_digest(plan: MailPlan, prefs: Preferences, post: Post, at: int) -> None:
    when = digest_time(prefs, post.notice)
    if when <= at:
        plan.send.append(post)
        plan.is_digest = True
    elif _is_short_turn(post) or (_is_pressing(post) and post.expires < when + WARNING_MARGIN_MS):
        _plan_at_once(plan, prefs, post, at)
    else:
        plan.put_off(post, when)


def _is_pressing(post: Post) -> bool:
    """Return whether a notice is the last word about a turn before its time is up."""
    return _is_short_turn(post) or post.notice.kind == Kind.LAST


def _is_short_turn(post: Post) -> bool:
    """Return whether a notice is of a turn that is too short to wait for a digest."""
    notice = post.notice
    return notice.kind == Kind.TURN and post.expires - notice.due < SHORT_TURN_MS


def _local_day(prefs: Preferences, at: int) -> date:
    return datetime.fromtimestamp(at / 1000, zone_of(prefs)).date()


def _order(post: Post, rank: dict[Kind, int]) -> tuple[int, int]:
    return post.notice.serial, rank.get(Kind(post.notice.kind), 0)


def _urgency(post: Post) -> tuple[bool, int, int]:
    """Return the sort key of a mail's list: turns by the time left, then the rest by age."""
    is_turn = post.notice.kind in TURN_KINDS
    deadline = post.notice.data.get("deadline")
    end = int(deadline) if is_turn and deadline is not None else post.expires
    return not is_turn, end if is_turn else post.notice.created, post.pk
