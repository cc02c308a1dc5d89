"""The queue of pushes in the database: claim due pushes, and store their outcomes.

A process claims posts in a short transaction, by a compare-and-swap on `tries` that moves `due`
behind the end of the claim; then it sends them without one. If it dies, its posts are due again
after the claim, and may be sent twice: the repeat carries the same topic and tag, so the device
shows it once. Claims of several processes come one after the other, since the limit of six pushes
an hour counts all of a user's posts.
"""

import logging
import random
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q

from notices.delivery import payload, policy
from notices.models import Channel, Kind, Notice, Post, PostQuerySet, Preferences, PushDevice
from notices.preferences import preferences
from notices.push.devices import service_of, with_session
from play.domain.clocks import HOUR_MS, MINUTE_MS, SECOND_MS
from play.models import Game, Seat

CLAIM_MS = 30 * SECOND_MS  # longer than a push may take, see `transport.TIMEOUT_S`
BATCH_POSTS = 200
MIN_BATCH_POSTS = 20
CLAIM_LOCK_ID = 0x51555053  # of PostgreSQL
MAX_ERROR_CHARS = 100
log = logging.getLogger("quiver.notices")


@dataclass(frozen=True, slots=True)
class PushRequest:
    """A push to be sent. `posts` are those that it stands for, with their tries, which prove the
    claim: the first carries it, the others are counted by it. A test push has none."""

    device: int
    host: str
    endpoint: str
    p256dh: str
    auth: str
    payload: bytes
    topic: str
    ttl_s: int
    is_urgent: bool
    expires: int
    user: int
    posts: tuple[tuple[int, int], ...] = ()

    @property
    def tries(self) -> int:
        """Return the number of tries, this one included."""
        return self.posts[0][1] if self.posts else policy.MAX_TRIES

    @property
    def headers(self) -> dict[str, str]:
        """The headers of RFC 8030."""
        urgency = "high" if self.is_urgent else "normal"
        return {"TTL": str(self.ttl_s), "Urgency": urgency, "Topic": self.topic}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of one try; status 0 if the push service did not answer."""

    request: PushRequest
    status: int
    retry_after_s: float | None = None
    error: str = ""
    is_private: bool = False


def is_due(at: int) -> bool:
    """Return whether a push may be due at `at`; a cheap look before a transaction is begun."""
    return _due(at, ()).exists()


def claim(
    at: int, limit: int, busy_hosts: Collection[str] = (), per_host: int = 0
) -> list[PushRequest]:
    """Claim at most `limit` due pushes, and store the new state of the others examined.

    None for `busy_hosts`, and at most `per_host` for another one (0: no bound), so that one slow
    push service does not stop the others.
    """
    if limit <= 0 or not is_due(at):
        return []
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [CLAIM_LOCK_ID])
        rows = _due(at, busy_hosts).select_related("notice", "notice__user", "device")
        rows = rows.annotate(
            has_session=Exists(with_session(PushDevice.objects.filter(pk=OuterRef("device"))))
        )
        batch = min(BATCH_POSTS, MIN_BATCH_POSTS + limit)  # some of them leave later, or not at all
        return _Claim(list(rows.order_by("due", "pk")[:batch]), at).take(limit, per_host)


def _due(at: int, busy_hosts: Collection[str]) -> PostQuerySet:
    rows = Post.objects.waiting().filter(channel=Channel.PUSH, due__lte=at)
    for host in busy_hosts:
        rows = rows.exclude(device__endpoint__startswith=f"https://{host}/")
    return rows


class _Claim:
    """The posts of one claim, with the data that decides about them."""

    def __init__(self, posts: Sequence[Post], at: int) -> None:
        self._at = at
        self._posts = posts
        users = {post.notice.user_id for post in posts}
        rows = Preferences.objects.filter(user__in=users)
        self._prefs = {row.user_id: row for row in rows}
        slugs = {post.notice.subject for post in posts if post.notice.kind in policy.GAME_KINDS}
        known = Game.objects.filter(slug__in=slugs)
        self._games = set(known.values_list("slug", flat=True))
        self._seen: dict[tuple[str, int], bool] = {}
        self._waiting = count_waiting(users, at)
        self._recent = _recent(users, at)

    def take(self, limit: int, per_host: int) -> list[PushRequest]:
        """Return the claimed pushes."""
        by_user: dict[int, list[Post]] = {}
        for post in self._posts:
            if self._is_to_be_sent(post):
                by_user.setdefault(post.notice.user_id, []).append(post)
        requests: list[PushRequest] = []
        hosts_taken: Counter[str] = Counter()
        for user, posts in by_user.items():
            room = [post for post in posts if not per_host or hosts_taken[_host(post)] < per_host]
            if len(requests) + len(room) > limit and requests:
                break  # the rest stays due
            made = self._apply_hourly_limit(user, room)
            hosts_taken.update(request.host for request in made)
            requests += made
        return requests

    def _is_to_be_sent(self, post: Post) -> bool:
        """Withdraw or postpone a post that must not leave now."""
        notice = post.notice
        reason = policy.drop_reason(self._facts(post), self._at)
        if reason is not None:
            gone = reason is policy.Drop.EXPIRED
            state = Post.State.GIVEN_UP if gone else Post.State.WITHDRAWN
            _swap(post, state=state, error=reason.value)
            return False
        prefs = self._prefs_of(notice.user_id)
        until = policy.leaves_at(
            notice.kind,
            notice.due,
            _expiry(notice),
            self._at,
            lambda at: preferences.quiet_until(prefs, at),
        )
        if until > self._at:
            _swap(post, due=until)
            return False
        return True

    def _facts(self, post: Post) -> policy.Facts:
        notice = post.notice
        is_of_game = notice.kind in policy.GAME_KINDS
        channels = preferences.channels_of(self._prefs_of(notice.user_id), notice.kind)
        return policy.Facts(
            kind=notice.kind,
            expires=_expiry(notice),
            is_closed=notice.closed is not None,
            is_read=notice.read is not None,
            is_wanted=Channel.PUSH in channels,
            is_user_active=notice.user.is_active,
            has_session=post.has_session,  # type: ignore[attr-defined]
            has_game=not is_of_game or notice.subject in self._games,
            is_seen=is_of_game and self._is_seen(notice.subject, notice.user_id),
        )

    def _is_seen(self, slug: str, user: int) -> bool:
        if (slug, user) not in self._seen:
            seats = Seat.objects.in_view(self._at).filter(game__slug=slug, user=user)
            self._seen[slug, user] = seats.exists()
        return self._seen[slug, user]

    def _prefs_of(self, user: int) -> Preferences:
        return self._prefs.setdefault(user, Preferences(user_id=user))

    def _apply_hourly_limit(self, user: int, posts: Sequence[Post]) -> list[PushRequest]:
        by_key = {post.pk: post for post in posts}
        candidates = [
            policy.DuePush(
                post.pk, post.notice_id, post.device_id or 0, post.notice.kind, post.due,
                post.is_held,
            )
            for post in posts
        ]  # fmt: skip
        limited = policy.apply_hourly_limit(candidates, self._recent.get(user, {}), self._at)
        for key in limited.held:
            _swap(by_key[key], due=limited.held_until, is_held=True)
        requests = [self._claim_request([by_key[key]]) for key in limited.single]
        for group in limited.counted:
            requests.append(self._claim_request([by_key[each.post] for each in group]))
        return [request for request in requests if request is not None]

    def _claim_request(self, posts: Sequence[Post]) -> PushRequest | None:
        """Claim posts of a device that leave as one; the first carries it."""
        device, until = posts[0].device, self._at + CLAIM_MS
        assert device is not None
        first_try = posts[0].first_try or self._at
        if not _swap(posts[0], tries=posts[0].tries + 1, due=until, first_try=first_try):
            return None
        others = [each for each in posts[1:] if _swap(each, tries=each.tries + 1, due=until)]
        carried = [posts[0], *others]
        notices = [post.notice for post in carried]
        waiting = self._waiting[device.user_id]
        if len(carried) > 1:
            body, topic = payload.of_count(notices, device.language, waiting), payload.COUNT_TAG
        else:
            body = payload.of_notice(notices[0], device.language, waiting)
            topic = policy.tag_of(notices[0].kind, notices[0].subject)
        return _address(
            device,
            body,
            topic,
            policy.ttl_s(self._at, max(_expiry(each) for each in notices)),
            any(
                policy.is_urgent(each.kind, self._at, each.due, each.created, _expiry(each))
                for each in notices
            ),
            max(_expiry(each) for each in notices),
            tuple((post.pk, post.tries + 1) for post in carried),
        )


def _expiry(notice: Notice) -> int:
    """Return when a notice need not be told any more, as it is now: a deadline may have moved."""
    return policy.expiry(notice.kind, notice.due, notice.expires)


def _address(
    device: PushDevice,
    body: bytes,
    topic: str,
    ttl_s: int,
    is_urgent: bool,
    expires: int,
    posts: tuple[tuple[int, int], ...] = (),
) -> PushRequest:
    return PushRequest(
        device=device.pk,
        host=service_of(device.endpoint),
        endpoint=device.endpoint,
        p256dh=device.p256dh,
        auth=device.auth,
        payload=body,
        topic=topic,
        ttl_s=ttl_s,
        is_urgent=is_urgent,
        expires=expires,
        user=device.user_id,
        posts=posts,
    )


def _host(post: Post) -> str:
    return service_of(post.device.endpoint) if post.device else ""


def _swap(post: Post, **columns: object) -> bool:
    """Change a post if no other process has tried, withdrawn or claimed it meanwhile."""
    rows = Post.objects.waiting().filter(pk=post.pk, tries=post.tries, due=post.due)
    return bool(rows.update(**columns))


def _recent(users: Collection[int], at: int) -> dict[int, dict[int, int]]:
    """Return when each notice that was pushed to users within the last hour was first tried."""
    rows = Post.objects.filter(
        device__user__in=users, first_try__gt=at - HOUR_MS, first_try__lte=at
    )
    found: dict[int, dict[int, int]] = {}
    for user, notice, first in rows.values_list("device__user", "notice", "first_try"):
        own = found.setdefault(user, {})
        if first is not None:
            own[notice] = min(first, own.get(notice, first))
    return found


def count_waiting(users: Collection[int], at: int) -> Counter[int]:
    """Return how many games wait for each of some users."""
    rows = Notice.objects.filter(user__in=users, kind=Kind.TURN, closed=None, due__lte=at)
    rows = rows.filter(Q(expires=None) | Q(expires__gt=at))
    return Counter(user for user, _ in set(rows.values_list("user", "subject")))


def claim_tests(at: int) -> list[PushRequest]:
    """Claim the test pushes that users have asked for; one that is lost is not repeated."""
    rows = with_session(PushDevice.objects.filter(test_asked__isnull=False, user__is_active=True))
    requests = []
    for device in rows[:BATCH_POSTS]:
        own = PushDevice.objects.filter(pk=device.pk, test_asked=device.test_asked)
        if own.update(test_asked=None):
            body = payload.of_test(
                device.language, count_waiting([device.user_id], at)[device.user_id]
            )
            expires = at + MINUTE_MS
            requests.append(
                _address(device, body, payload.TEST_TAG, policy.MIN_TTL_S, True, expires)
            )
    return requests


def store(outcomes: Iterable[Outcome], at: int, chance: float | None = None) -> None:
    """Store the ends of tries, in one transaction."""
    with transaction.atomic():
        for outcome in outcomes:
            spread = random.random() if chance is None else chance
            _store(outcome, at, spread)


def _store(outcome: Outcome, at: int, chance: float) -> None:
    request, status = outcome.request, outcome.status
    if 200 <= status < 300:
        _note_sent(request, at)
    elif status in (404, 410):
        PushDevice.objects.filter(pk=request.device, endpoint=request.endpoint).delete()
        _log("a push device is gone", "push_gone", request, status)
    elif outcome.is_private:
        _change(request, state=Post.State.GIVEN_UP, error="private address")
        _log("a push host has a private address", "push_private_address", request, status)
    elif status in (0, 429) or status >= 500:
        moment = policy.retry_at(request.tries, at, request.expires, outcome.retry_after_s, chance)
        error = (outcome.error or f"HTTP {status}")[:MAX_ERROR_CHARS]
        if moment is not None:
            _change(request, due=moment, error=error)
        elif _change(request, state=Post.State.GIVEN_UP, error=error):
            _log("a push was given up after several tries", "push_given_up", request, status)
    else:
        _change(request, state=Post.State.GIVEN_UP, error=f"HTTP {status}")
        _log("a push service refuses a push", "push_refused", request, status)


def _note_sent(request: PushRequest, at: int) -> None:
    for index, (post, tries) in enumerate(request.posts):
        rows = Post.objects.waiting().filter(pk=post, tries=tries)
        if index == 0:
            rows.update(state=Post.State.SENT, sent=at, error="")
        else:
            rows.update(state=Post.State.WITHDRAWN, error=policy.Drop.COUNTED.value)
    PushDevice.objects.filter(pk=request.device).update(last_success=at)


def _change(request: PushRequest, **columns: object) -> int:
    """Change the posts of a request that no other process has claimed; return how many."""
    return sum(
        Post.objects.waiting().filter(pk=post, tries=tries).update(**columns)
        for post, tries in request.posts
    )


def release(requests: Iterable[PushRequest], at: int) -> None:
    """Make claimed posts due again at once, because this process ends before they were sent."""
    with transaction.atomic():
        for request in requests:
            _change(request, due=at)


def _log(message: str, event: str, request: PushRequest, status: int) -> None:
    log.warning(
        message,
        extra={"event": event, "user": request.user, "status": status, "origin": request.host},
    )


def next_due() -> int | None:
    """Return when the next push is due; None if none waits."""
    rows = Post.objects.waiting().filter(channel=Channel.PUSH).order_by("due")
    return rows.values_list("due", flat=True).first()
