"""Make posts of notices that are due: a push for each device, and a mail."""

from collections.abc import Iterable, Sequence

from django.conf import settings
from django.db import transaction

from accounts.models import User
from notices import records
from notices.delivery import policy
from notices.mail.schedule import mail_delay_ms
from notices.models import Channel, Kind, Notice, Post, Preferences, PushDevice
from notices.preferences import preferences
from notices.push import devices
from play.domain.clocks import DAY_MS

BATCH_NOTICES = 200
EARLY_HORIZON_MS = DAY_MS  # quiet hours last less than a day


def plan(at: int, is_push_on: bool) -> int:
    """Make the posts of notices that are due at `at`; return how many notices were examined.

    Each has its posts made in the transaction that marks it as planned, so a process that dies
    makes none twice and misses none.
    """
    due = Notice.objects.filter(is_planned=False, due__lte=at).order_by("due")
    return _plan(list(due.values_list("pk", flat=True)[:BATCH_NOTICES]), at, is_push_on)


def plan_early(at: int, is_push_on: bool) -> int:
    """Plan last warnings that would fall into quiet hours and cannot wait for their end.

    They are posted before these begin. Examines all warnings of the next day for users with quiet
    hours, so it is called about once a minute.
    """
    quiet = Preferences.objects.filter(quiet_from__isnull=False, quiet_until__isnull=False)
    rows = Notice.objects.filter(
        is_planned=False,
        kind=Kind.LAST,
        closed=None,
        expires__isnull=False,
        due__gt=at,
        due__lte=at + EARLY_HORIZON_MS,
        user__in=quiet.values("user"),
    )
    prefs = {row.user_id: row for row in quiet}
    early = []
    for notice in rows.iterator():
        hours = _quiet_hours(prefs.get(notice.user_id) or Preferences())
        moment = policy.early_moment(notice.due, notice.expires or 0, hours)
        # Later than its quarter of an hour it still comes before the quiet hours, or not early.
        if moment is not None and moment <= at < moment + policy.EARLY_MS:
            early.append(notice.pk)
    return sum(
        _plan(early[first : first + BATCH_NOTICES], at, is_push_on)
        for first in range(0, len(early), BATCH_NOTICES)
    )


def _plan(keys: Sequence[int], at: int, is_push_on: bool) -> int:
    if not keys:
        return 0
    with transaction.atomic():
        rows = Notice.objects.select_for_update().filter(pk__in=keys, is_planned=False)
        notices = list(rows.order_by("pk"))
        posts = list(_posts(notices, at, is_push_on))
        Post.objects.bulk_create(posts, ignore_conflicts=True)
        Notice.objects.filter(pk__in=[each.pk for each in notices]).update(is_planned=True)
        users = {each.user_id for each in notices}
        # A warning shows in the bell from now on, though its inbox has not changed.
        transaction.on_commit(lambda: records.hint(users))
    return len(notices)


def _posts(notices: Iterable[Notice], at: int, is_push_on: bool) -> Iterable[Post]:
    """Yield the posts of notices that still matter."""
    told = [each for each in notices if each.closed is None and each.read is None]
    users = User.objects.in_bulk({each.user_id for each in told})
    prefs = {row.user_id: row for row in Preferences.objects.filter(user__in=users)}
    own_devices: dict[int, list[PushDevice]] = {}
    if is_push_on:
        rows = devices.with_session(PushDevice.objects.filter(user__in=users))
        for device in rows.order_by("pk"):  # posts get their keys in this order
            own_devices.setdefault(device.user_id, []).append(device)
    for notice in told:
        user = users[notice.user_id]
        expires = policy.expiry(notice.kind, notice.due, notice.expires)
        if not user.is_active or user.is_bot or expires <= at:
            continue
        own = prefs.get(user.pk) or Preferences(user=user)
        channels = preferences.channels_of(own, notice.kind)
        if Channel.PUSH in channels:
            moment = policy.push_moment(
                notice.kind, min(notice.due, at), expires, _quiet_hours(own)
            )
            for device in own_devices.get(user.pk, ()):
                yield Post(
                    notice=notice,
                    channel=Channel.PUSH,
                    device=device,
                    due=moment,
                    expires=expires,
                )
        if Channel.MAIL in channels and _may_mail(own) and user.email:
            due = notice.due + mail_delay_ms(notice)
            yield Post(notice=notice, channel=Channel.MAIL, due=due, expires=expires)


def _may_mail(prefs: Preferences) -> bool:
    """Return whether mails are sent to a user; the address is checked when one is due."""
    is_wanted = prefs.mail != Preferences.MailMode.OFF and prefs.mail_bounced is None
    return settings.SENDS_MAIL and is_wanted


def _quiet_hours(prefs: Preferences) -> policy.QuietUntil:
    return lambda at: preferences.quiet_until(prefs, at)
