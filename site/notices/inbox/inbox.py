"""The notices that a user sees: unread ones for the bell, all of them for the page."""

import logging
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from notices.inbox.texts import NoticeText, notice_text
from notices.models import Kind, Notice, Preferences
from notices.preferences import preferences
from notices.preferences.preferences import BELL
from watch.listed_games import readable_rows

MAX_BELL_ROWS = 12
MAX_PAGE_ROWS = 500  # of the page; `records` deletes what is older than 60 days
MAX_COUNTED = 100  # unread ones that are read to count them
log = logging.getLogger("quiver.notices")


@dataclass(frozen=True, slots=True)
class ShownNotice:
    """A notice with its text."""

    id: int
    kind: str
    at: int  # ms since the epoch, from when on it is shown
    is_unread: bool
    text: NoticeText


def bell_kinds(prefs: Preferences) -> list[str]:
    """Return the kinds that a user wants to see in the bell."""
    return [kind.value for kind in Kind if BELL in preferences.channels_of(prefs, kind)]


def unread_of(user: int, at: int) -> list[Notice]:
    """Return the newest unread notices of a user that the bell counts, at most `MAX_COUNTED`.

    It takes one query if there is none, two otherwise.
    """
    rows = Notice.objects.of(user).shown(at).unread().order_by("-due")
    unread = list(rows.only("kind", "subject", "user_id")[:MAX_COUNTED])
    if not unread:
        return []
    kinds = set(bell_kinds(preferences.of(user)))
    return [notice for notice in unread if notice.kind in kinds]


def count_unread(users: Collection[int], at: int) -> Mapping[int, int]:
    """Return how many notices `unread_of` returns for each of some users; 0 if missing.

    It takes one query if there is none, two otherwise.
    """
    rows = Notice.objects.filter(user__in=users).shown(at).unread().order_by("-due")
    unread: dict[int, list[str]] = defaultdict(list)
    for user, kind in rows.values_list("user", "kind"):
        if len(unread[user]) < MAX_COUNTED:
            unread[user].append(kind)
    if not unread:
        return {}
    chosen = {prefs.user_id: prefs for prefs in Preferences.objects.filter(user__in=unread)}
    counts: Counter[int] = Counter()
    for user, kinds in unread.items():
        shown = set(bell_kinds(chosen.get(user) or Preferences(user_id=user)))
        counts[user] = sum(kind in shown for kind in kinds)
    return counts


def newest_of(user: int, at: int, limit: int) -> list[ShownNotice]:
    """Return the newest notices of a user in the active language, at most `limit`."""
    rows = Notice.objects.of(user).shown(at).filter(kind__in=bell_kinds(preferences.of(user)))
    found = rows.order_by("-due", "-pk")[:limit]
    return list(readable_rows(found, lambda notice: _shown(notice, at), log))


def _shown(notice: Notice, at: int) -> ShownNotice:
    is_unread = notice.read is None and notice.closed is None
    return ShownNotice(notice.pk, notice.kind, notice.due, is_unread, notice_text(notice, at))
