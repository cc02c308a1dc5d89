"""Decide whether a post leaves, waits or is dropped. Pure; moments are epoch ms.

A push leaves 20 s after its notice, unless the notice is obsolete by then. (Mails have rules of
their own: `mail.schedule`.)

Quiet hours postpone pushes to their end. If less than an hour of the turn would be left then, the
push for the turn itself comes at once, and the last warning 15 min before the quiet hours begin,
or, where the turn has begun within them, at its time. All others wait for the end of the quiet
hours, and lapse if the turn ends sooner.

A user gets at most six pushes within an hour. Further ones are held, and leave as a single push
that counts them once the hour allows it.
"""

import base64
import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from notices.models import TURN_KINDS, Kind
from play.domain.clocks import DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS

PUSH_WAIT_MS = 20 * SECOND_MS  # after the notice
MIN_LEFT_MS = HOUR_MS  # of a turn after quiet hours: with less, the push leaves earlier
EARLY_MS = 15 * MINUTE_MS  # before quiet hours, of a last warning that would fall into them
MAX_PER_HOUR = 6  # pushes for a user, devices not counted
MIN_TTL_S = 60
MAX_TTL_S = 28 * 24 * 3600
LIFE_MS: Mapping[str, int] = {Kind.PLAYS: HOUR_MS, Kind.CHALLENGE: 7 * DAY_MS}
DEFAULT_LIFE_MS = 28 * DAY_MS  # of a notice without an end
MAX_TRIES = 8
RETRY_DELAYS_S = (1, 2, 8, 40, 200, 600, 1_800)  # after each try
MAX_RETRY_DELAY_S = 1_800
JITTER = 0.2  # part of a delay by which it is made longer or shorter at random
GAME_KINDS = (*TURN_KINDS, Kind.ENDED, Kind.OFFER)  # seen on the page of the game
QuietUntil = Callable[[int], int | None]  # end of the quiet hours that a moment lies in


class Drop(StrEnum):
    """Why a post is not sent; stored in its column `error`."""

    CLOSED = "closed"  # the turn was made, or the notice is obsolete
    READ = "read"
    SEEN = "seen"  # a page of the game is open and visible
    UNWANTED = "unwanted"  # by the user's preferences
    USER = "user"  # suspended, deleted, or the session of the device has ended
    GAME = "game"  # it was deleted
    EXPIRED = "expired"
    COUNTED = "counted"  # merged into a push that counts several notices


@dataclass(frozen=True, slots=True)
class Facts:
    """Inputs of the decision about one push at the moment at which it is due."""

    kind: str
    expires: int
    is_closed: bool = False
    is_read: bool = False
    is_wanted: bool = True
    is_user_active: bool = True
    has_session: bool = True
    has_game: bool = True
    is_seen: bool = False


def expiry(kind: str, due: int, expires: int | None) -> int:
    """Return the moment after which a notice need not be told, which may have none."""
    return due + LIFE_MS.get(kind, DEFAULT_LIFE_MS) if expires is None else expires


def push_moment(kind: str, due: int, expires: int, quiet_until: QuietUntil) -> int:
    """Return when the push of a notice leaves that is due at `due`."""
    moment = due + PUSH_WAIT_MS
    return wait_until(kind, moment, expires, quiet_until) or moment


def wait_until(kind: str, at: int, expires: int, quiet_until: QuietUntil) -> int | None:
    """Return the end of the quiet hours that a push has to wait for; None if it may leave now."""
    end = quiet_until(at)
    if end is None or (kind in (Kind.TURN, Kind.LAST) and expires - end < MIN_LEFT_MS):
        return None
    return end


def early_moment(due: int, expires: int, quiet_until: QuietUntil) -> int | None:
    """Return when to send a last warning that cannot wait for the end of the quiet hours.

    That is before they begin; None for a warning that is not sent early. Quiet hours last
    less than a day.
    """
    moment = due + PUSH_WAIT_MS
    end = quiet_until(moment)
    if end is None or expires - end >= MIN_LEFT_MS:
        return None
    low, high = moment - DAY_MS, moment  # quiet at `high`, not in the same hours at `low`
    while high - low > 1:
        middle = (low + high) // 2
        if quiet_until(middle) == end:
            high = middle
        else:
            low = middle
    return high - EARLY_MS


def leaves_at(kind: str, due: int, expires: int, at: int, quiet_until: QuietUntil) -> int:
    """Return when a push examined at `at` leaves: then, or later.

    The notice may have been moved since its post was made, because the turn has got more time.
    """
    if due > at:
        early = early_moment(due, expires, quiet_until) if kind == Kind.LAST else None
        if early is None:
            return push_moment(kind, due, expires, quiet_until)
        if at < early:
            return early
    return wait_until(kind, at, expires, quiet_until) or at


def drop_reason(facts: Facts, at: int) -> Drop | None:
    """Return why a push is not sent at `at`; None if it may be."""
    if facts.is_closed:
        return Drop.CLOSED
    if facts.is_read:
        return Drop.READ
    if not (facts.is_user_active and facts.has_session):
        return Drop.USER
    if not facts.has_game:
        return Drop.GAME
    if at >= facts.expires:
        return Drop.EXPIRED
    if not facts.is_wanted:
        return Drop.UNWANTED
    return Drop.SEEN if facts.is_seen else None


@dataclass(frozen=True, slots=True)
class DuePush:
    """A post that may leave now."""

    post: int
    notice: int
    device: int
    kind: str
    due: int
    is_held: bool = False


@dataclass(slots=True)
class LimitedPushes:
    """A user's due posts: those that leave alone, those that leave as one, and those that wait."""

    single: list[int] = field(default_factory=list)
    counted: list[Sequence[DuePush]] = field(default_factory=list)  # of a device each
    held: list[int] = field(default_factory=list)
    held_until: int = 0


def apply_hourly_limit(
    posts: Collection[DuePush], recent: Mapping[int, int], at: int
) -> LimitedPushes:
    """Select the due posts of a user that leave, so that no hour has more than six pushes.

    `recent` has the first try of each notice that was pushed to the user. Further posts of such a
    notice, for another device or once more, are no further push.
    """
    tried = {notice: first for notice, first in recent.items() if at - HOUR_MS < first <= at}
    limited, allowance = LimitedPushes(), MAX_PER_HOUR - len(tried)
    limited.single = [each.post for each in posts if each.notice in tried]
    waiting: dict[int, list[DuePush]] = {}
    for each in sorted(posts, key=lambda each: (each.kind != Kind.LAST, each.due, each.post)):
        if each.notice not in tried:
            waiting.setdefault(each.notice, []).append(each)
    held = [each for each, many in waiting.items() if any(post.is_held for post in many)]
    # A push that counts and failed is tried again as one: what carried it needs no allowance.
    carriers = [post for post in posts if post.notice in tried and post.is_held]
    if held and (carriers or (len(held) > 1 and allowance > 0)):
        allowance -= 0 if carriers else 1
        by_device: dict[int, list[DuePush]] = {}
        counted = [*carriers, *(post for notice in held for post in waiting.pop(notice))]
        for post in counted:
            by_device.setdefault(post.device, []).append(post)
        limited.counted = list(by_device.values())
        limited.single = [
            key for key in limited.single if all(key != post.post for post in counted)
        ]
    ordered = sorted(waiting, key=lambda notice: notice not in held)  # held ones come first
    for number, notice in enumerate(ordered):
        chosen = limited.single if number < allowance else limited.held
        chosen.extend(post.post for post in waiting[notice])
    # Without a recent push the rest waits behind those that leave now.
    limited.held_until = min(tried.values(), default=at) + HOUR_MS
    return limited


def ttl_s(at: int, expires: int) -> int:
    """Return how long a push service keeps a push: the time left, within its bounds."""
    return min(MAX_TTL_S, max(MIN_TTL_S, (expires - at) // SECOND_MS))


def is_urgent(kind: str, at: int, due: int, created: int, expires: int) -> bool:
    """Return whether less than a tenth of a turn's time is left."""
    if kind not in TURN_KINDS:
        return False
    return (kind == Kind.LAST and at >= due) or 10 * (expires - at) < expires - created


def tag_of(kind: str, subject: str) -> str:
    """Return the tag of a notification and topic of a push: a later one replaces an earlier one.

    One for a turn and its warnings. At most 32 URL-safe characters, which name no game to the push
    service.
    """
    group = "turn" if kind in TURN_KINDS else kind
    digest = hashlib.sha256(f"{group}:{subject}".encode()).digest()
    return base64.urlsafe_b64encode(digest[:18]).decode("ascii")


def retry_at(
    tries: int, at: int, expires: int, retry_after_s: float | None, chance: float
) -> int | None:
    """Return when a push is tried again after `tries` tries; None if it is given up.

    A push service may ask for a longer wait, up to half an hour; `chance` from 0 to 1 spreads the
    delays.
    """
    if tries >= MAX_TRIES:
        return None
    delay_s = RETRY_DELAYS_S[tries - 1] * (1 - JITTER + 2 * JITTER * chance)
    delay_s = max(delay_s, min(retry_after_s or 0.0, MAX_RETRY_DELAY_S))
    moment = at + int(delay_s * SECOND_MS)
    return moment if moment < expires else None
