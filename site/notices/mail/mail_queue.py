"""Queue of mails in the table of posts: withdraw, defer, claim, and note the outcome.

All posts of one mail are claimed together, by moving their `due` to the same end of the claim. That
moment is the mail's mark: later tries find the same posts by it, those withdrawn meanwhile among
them, and so compute the same Message-ID. A post with tries belongs to such a mail for good.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Min, QuerySet

from accounts.models import User
from notices.mail.message import Recipient, own_addresses
from notices.mail.schedule import MailPlan, backoff_ms, matters, newest_by_subject, plan_mail
from notices.models import Channel, Post, Preferences
from play.domain.clocks import MINUTE_MS

CLAIM_MS = 3 * MINUTE_MS
MAX_ERROR_CHARS = 100
MAX_SCANNED = 600  # posts that a round reads
State = Post.State


@dataclass(frozen=True, slots=True)
class QueuedMail:
    """A claimed mail: its receiver, its posts, and those of them that it shows."""

    to: Recipient
    posts: tuple[Post, ...]
    shown: tuple[Post, ...]
    first_post: int  # key of the oldest post, also if that was withdrawn: names the mail
    mark: int  # the end of the claim: `due` of its posts
    tries: int

    @property
    def rows(self) -> QuerySet[Post]:
        """The rows of the mail that are still claimed by this try."""
        keys = [post.pk for post in self.posts]
        return Post.objects.filter(
            pk__in=keys, state=State.WAITING, due=self.mark, tries=self.tries
        )


@dataclass(slots=True)
class _Batch:
    """Changes of a round, written in one transaction."""

    withdraw: dict[str, list[int]]  # by the reason
    defer: dict[int, list[int]]  # by the time
    mails: list[tuple[Recipient, list[Post]]]
    digests: list[int]  # users


def waiting_mails() -> QuerySet[Post]:
    """Return the posts by mail that are to be sent."""
    return Post.objects.waiting().filter(channel=Channel.MAIL)


def withdraw_all() -> int:
    """Withdraw all waiting mails, because the site sends none; return how many there were."""
    return waiting_mails().update(state=State.WITHDRAWN, error="mail is off")


def claim_due(at: int, most: int) -> list[QueuedMail]:
    """Claim at most `most` mails that are due at `at`; return them.

    Nothing is claimed if another process was faster with one of the posts; the next round looks
    again.
    """
    due = waiting_mails().filter(due__lte=at).select_related("notice").order_by("due", "pk")
    posts = list(due[:MAX_SCANNED])
    if not posts:
        return []
    users = list(dict.fromkeys(post.notice.user_id for post in posts))
    users = users[:most]
    own = list(due.filter(notice__user__in=users))  # with those behind the end of the first list
    batch = _plan(own, users, at)
    mails = _number_mails(batch, at + CLAIM_MS)
    expected = {post.pk: post.tries for post in own}
    with transaction.atomic():
        held = waiting_mails().filter(pk__in=expected, due__lte=at).select_for_update()
        if dict(held.order_by("pk").values_list("pk", "tries")) != expected:
            return []
        _write(batch, mails, at)
    return mails


def note_sent(mail: QueuedMail, at: int) -> None:
    """Note that a mail was accepted by the mail server."""
    mail.rows.update(state=State.SENT, sent=at, error="")


def note_given_up(mail: QueuedMail, error: str) -> None:
    """Note that a mail will never be sent."""
    mail.rows.update(state=State.GIVEN_UP, error=error[:MAX_ERROR_CHARS])


def note_failed(mail: QueuedMail, at: int, error: str) -> None:
    """Note a failure that may pass: the mail is due again later, those of its posts that expire
    before are given up."""
    again = at + backoff_ms(mail.tries)
    mail.rows.filter(expires__lte=again).update(state=State.GIVEN_UP, error=error[:MAX_ERROR_CHARS])
    # Those that are not waiting any more move as well: the oldest one names the mail.
    keys = [post.pk for post in mail.posts] + [mail.first_post]
    rows = Post.objects.filter(pk__in=keys, due=mail.mark, tries=mail.tries)
    rows.update(due=again, error=error[:MAX_ERROR_CHARS])


def release(mails: Iterable[QueuedMail], at: int) -> None:
    """Note that claimed mails were not tried: they are due again after the first wait."""
    for mail in mails:
        keys = [post.pk for post in mail.posts] + [mail.first_post]
        rows = Post.objects.filter(pk__in=keys, due=mail.mark, tries=mail.tries)
        rows.update(due=at + backoff_ms(1))


def _plan(posts: Sequence[Post], users: Sequence[int], at: int) -> _Batch:
    """Return the changes for the due posts of some users."""
    batch = _Batch({}, {}, [], [])
    people = {user.pk: user for user in User.objects.filter(pk__in=users)}
    rows = EmailAddress.objects.filter(user__in=users, verified=True).order_by("primary", "-pk")
    addresses = {row.user_id: row.email for row in rows}  # the last one: primary, then oldest
    known = {row.user_id: row for row in Preferences.objects.filter(user__in=users)}
    own = own_addresses()
    for user_id in users:
        mine = [post for post in posts if post.notice.user_id == user_id]
        prefs = known.get(user_id) or Preferences(user_id=user_id)
        to = Recipient(people[user_id].username, addresses.get(user_id, ""), prefs)
        reason = _refusal(people[user_id], to, own)
        if reason:
            batch.withdraw.setdefault(reason, []).extend(post.pk for post in mine)
            continue
        _add_fresh(batch, to, plan_mail(prefs, (p for p in mine if not p.tries), at))
        _add_tried(batch, to, [post for post in mine if post.tries], at)
    return batch


def _refusal(user: User, to: Recipient, own: frozenset[str]) -> str:
    """Return why a user is sent no mail; empty if they may be."""
    reasons = (
        (not user.is_active or not user.is_account, "no active account"),
        (not to.address, "no confirmed address"),
        (to.address.lower() in own, "own address of the site"),
        (to.prefs.mail == Preferences.MailMode.OFF, "turned off"),
        (to.prefs.mail_bounced is not None, "address refused a mail"),
    )
    return next((reason for holds, reason in reasons if holds), "")


def _add_fresh(batch: _Batch, to: Recipient, plan: MailPlan) -> None:
    """Add the posts of a user that no mail was tried for yet."""
    batch.withdraw.setdefault("", []).extend(post.pk for post in plan.withdraw)
    for until, posts in plan.defer.items():
        batch.defer.setdefault(until, []).extend(post.pk for post in posts)
    if plan.send:
        batch.mails.append((to, plan.send))
        if plan.is_digest:
            batch.digests.append(to.prefs.user_id)


def _add_tried(batch: _Batch, to: Recipient, posts: Sequence[Post], at: int) -> None:
    """Add the mails of a user that were tried before, each with its notices that still matter."""
    groups: dict[int, list[Post]] = {}
    for post in posts:
        if matters(to.prefs, post, at):
            groups.setdefault(post.due, []).append(post)
        else:
            batch.withdraw.setdefault("", []).append(post.pk)
    batch.mails.extend((to, group) for group in groups.values())


def _number_mails(batch: _Batch, end: int) -> list[QueuedMail]:
    """Return the mails of a batch, marked by `end`; several of one user by moments after it."""
    counts: Counter[int] = Counter()
    mails = []
    for to, posts in batch.mails:
        mails.append(_queued(to, posts, end + counts[to.prefs.user_id]))
        counts[to.prefs.user_id] += 1
    return mails


def _write(batch: _Batch, mails: Sequence[QueuedMail], at: int) -> None:
    """Write the changes, in few statements: on SQLite everybody waits meanwhile."""
    for until, keys in batch.defer.items():
        Post.objects.filter(pk__in=keys).update(due=until)
    claims: dict[tuple[int, int], list[int]] = {}
    for mail in mails:
        keys = [post.pk for post in mail.posts] + [mail.first_post]
        claims.setdefault((mail.mark, mail.tries), []).extend(keys)
    for (mark, tries), keys in claims.items():
        Post.objects.filter(pk__in=keys).update(due=mark, tries=tries)
    for reason, keys in batch.withdraw.items():
        if keys:
            Post.objects.filter(pk__in=keys).update(state=State.WITHDRAWN, error=reason)
    if batch.digests:
        rows = [Preferences(user_id=user_id) for user_id in batch.digests]
        Preferences.objects.bulk_create(rows, ignore_conflicts=True)
        Preferences.objects.filter(user__in=batch.digests).update(last_digest=at)


def _queued(to: Recipient, posts: Sequence[Post], mark: int) -> QueuedMail:
    """Return a mail that is about to be claimed; `mark` differs from that of others of its user."""
    first = min(post.pk for post in posts)
    if posts[0].tries:
        group = Post.objects.filter(
            channel=Channel.MAIL,
            notice__user=to.prefs.user_id,
            due=posts[0].due,
            tries=posts[0].tries,
        )
        first = group.aggregate(first=Min("pk"))["first"]
    shown = tuple(newest_by_subject(posts))
    tries = posts[0].tries + 1
    return QueuedMail(to, tuple(posts), shown, first, mark, tries)
