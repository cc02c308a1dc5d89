"""Views of notifications: the page, the rows of the bell, and read marks."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from notices import records
from notices.inbox.inbox import MAX_BELL_ROWS, MAX_PAGE_ROWS, ShownNotice, newest_of, unread_of
from notices.preferences.preferences import of, zone_of
from play.domain.clocks import DAY_MS, MINUTE_MS, now

MAX_IDS = 100  # read marks in one request


@dataclass(slots=True)
class Day:
    """The notices of one day of the user's time zone."""

    heading: str
    notices: list[dict[str, object]] = field(default_factory=list)


@require_safe
@never_cache
@gzip_page
def notifications(request: HttpRequest) -> HttpResponse:
    """Show all notices of the user by day; visitors without a session are asked to sign in."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    user: User = request.user
    at, prefs = now(), of(user.pk)
    shown = newest_of(user.pk, at, MAX_PAGE_ROWS)
    zone = zone_of(prefs)
    days: list[Day] = []
    for notice in shown:
        moment = datetime.fromtimestamp(notice.at / 1000, zone)
        heading = _day(moment.date(), datetime.fromtimestamp(at / 1000, zone).date())
        if not days or days[-1].heading != heading:
            days.append(Day(heading))
        time = date_format(moment, "H:i")
        days[-1].notices.append({**row_of(notice, at), "time": time, "iso": moment.isoformat()})
    context = {
        "days": days,
        "has_unread": any(notice.is_unread for notice in shown),
        "mail_bounced": prefs.mail_bounced,
        "kept_days": records.KEPT_MS // DAY_MS,
    }
    return render(request, "notices/notifications.html", context)


@require_safe
@never_cache
def newest(request: HttpRequest) -> HttpResponse:
    """Return the rows of the bell's sheet as JSON; it changes nothing."""
    if not request.user.is_authenticated:
        return JsonResponse({"rows": []}, status=403)
    at = now()
    shown = newest_of(request.user.pk, at, MAX_BELL_ROWS)
    return JsonResponse({"rows": [row_of(notice, at) for notice in shown]})


@require_POST
@never_cache
def mark_read(request: HttpRequest) -> HttpResponse:
    """Mark notices as read: those with an `id`, those about a `subject`, or `all`.

    Foreign and unknown ids change nothing. Scripts get JSON, forms the page.
    """
    if not request.user.is_authenticated:
        return JsonResponse({"error": "signed out"}, status=403)
    user, at = int(request.user.pk), now()
    try:
        ids = _wanted_ids(request, user, at)
    except ValueError:
        return JsonResponse({"error": "ids are numbers"}, status=400)
    if ids is None or ids:
        records.mark_read(user, ids, at)
    if request.accepts("text/html"):
        return redirect("notifications")
    return JsonResponse({"unread": len(unread_of(user, at))})


def _wanted_ids(request: HttpRequest, user: int, at: int) -> list[int] | None:
    """Return the ids that a request names; None for all. Raise ValueError for bad ones."""
    if "all" in request.POST:
        return None
    if subject := request.POST.get("subject"):
        return [notice.pk for notice in unread_of(user, at) if notice.subject == subject]
    return _numbers(request.POST.getlist("id")[:MAX_IDS])


def _numbers(texts: Iterable[str]) -> list[int]:
    ids = []
    for text in texts:
        if not text.isascii() or not text.isdigit() or len(text) > 18:
            raise ValueError(text)
        ids.append(int(text))
    return ids


def row_of(notice: ShownNotice, at: int) -> dict[str, object]:
    """Return a row as texts."""
    text = notice.text
    return {
        "id": notice.id,
        "kind": notice.kind,
        "title": text.title,
        "body": text.body,
        "url": text.url,
        "button": text.button,
        "ago": time_ago(notice.at, at),
        "is_unread": notice.is_unread,
    }


def time_ago(then: int, at: int) -> str:
    """Return how long ago a moment was, rounded down; a date after a week."""
    minutes = max(0, at - then) // MINUTE_MS
    if minutes < 1:
        return _("just now")
    if minutes < 60:
        return ngettext("%(count)s min ago", "%(count)s min ago", minutes) % {"count": minutes}
    hours = minutes // 60
    if hours < 24:
        return ngettext("%(count)s hour ago", "%(count)s hours ago", hours) % {"count": hours}
    days = hours // 24
    if days < 7:
        return ngettext("%(count)s day ago", "%(count)s days ago", days) % {"count": days}
    return date_format(datetime.fromtimestamp(then / 1000, UTC), "j F")


def _day(day: date, today: date) -> str:
    if day == today:
        return _("Today")
    if day == today - timedelta(days=1):
        return _("Yesterday")
    return date_format(day, "l, j F")
