"""Preferences of a user: channels by kind, quiet hours and the time of the digest.

Moments are milliseconds since the epoch; hours and minutes are those of the user's time zone.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from notices.models import Kind, Preferences

BELL, PUSH, MAIL = "bell", "push", "mail"
CHANNELS = (BELL, PUSH, MAIL)
ALL = frozenset(CHANNELS)
DEFAULTS: Mapping[Kind, frozenset[str]] = {
    Kind.TURN: ALL,
    Kind.HALF: ALL,
    Kind.LAST: ALL,
    Kind.ENDED: frozenset({BELL, PUSH}),
    Kind.OFFER: frozenset({BELL, PUSH}),
    Kind.CHALLENGE: ALL,
    Kind.JOINED: frozenset({BELL, PUSH}),
    Kind.PLAYS: frozenset({BELL}),
    Kind.HOLIDAY: frozenset({BELL}),
    Kind.MODERATION: frozenset({BELL, MAIL}),
}
# Zones of administration and of old systems, which nobody looks for in a list.
UNLISTED_ZONES = ("Etc/", "SystemV/", "US/", "posix/", "right/")


def of(user_id: int) -> Preferences:
    """Return the preferences of a user: the row, or an unsaved one with the defaults."""
    return Preferences.objects.filter(user=user_id).first() or Preferences(user_id=user_id)


def channels_of(prefs: Preferences, kind: str) -> frozenset[str]:
    """Return the channels by which a user wants to be told of a kind."""
    chosen = prefs.channels.get(kind)
    return DEFAULTS[Kind(kind)] if chosen is None else frozenset(chosen) & ALL


@cache
def zone_names() -> frozenset[str]:
    """Return the names of all time zones of this machine, UTC among them."""
    return frozenset(available_timezones()) | {"UTC"}


@cache
def listed_zones() -> tuple[str, ...]:
    """Return the time zones that the page lists: UTC, then those of regions by name."""
    regional = (name for name in zone_names() if "/" in name)
    return ("UTC", *sorted(name for name in regional if not name.startswith(UNLISTED_ZONES)))


def zone_of(prefs: Preferences) -> tzinfo:
    """Return the user's time zone; UTC if this machine doesn't know it."""
    return ZoneInfo(prefs.time_zone) if prefs.time_zone in zone_names() else UTC


def quiet_until(prefs: Preferences, at_ms: int) -> int | None:
    """Return the end of the quiet hours that a moment lies in; None outside of them.

    They may cross midnight. Where a clock is set back, an hour that comes twice is quiet both
    times; where it is set forward, a border in the missing hour moves behind it.
    """
    begin, end = prefs.quiet_from, prefs.quiet_until
    if begin is None or end is None or begin == end:
        return None
    zone = zone_of(prefs)
    today = _local_day(zone, at_ms)
    for day in (today - timedelta(days=1), today):
        last = day if begin < end else day + timedelta(days=1)
        start_ms, end_ms = _moment(zone, day, begin, fold=0), _moment(zone, last, end, fold=1)
        if start_ms <= at_ms < end_ms:
            return end_ms
    return None


def next_digest(prefs: Preferences, at_ms: int) -> int:
    """Return the first moment after `at_ms` at which a digest is due: the user's hour of a day."""
    zone = zone_of(prefs)
    day = _local_day(zone, at_ms) - timedelta(days=1)
    while (moment := _moment(zone, day, 60 * prefs.digest_hour, fold=0)) <= at_ms:
        day += timedelta(days=1)
    return moment


def _local_day(zone: tzinfo, at_ms: int) -> date:
    return datetime.fromtimestamp(at_ms / 1000, zone).date()


def _moment(zone: tzinfo, day: date, minute: int, fold: int) -> int:
    """Return the moment of a minute of a local day; `fold` chooses where that comes twice.

    A minute that a clock skips becomes the one as far behind the gap (PEP 495 with fold 0).
    """
    hours, minutes = divmod(minute, 60)
    local = datetime.combine(day, time(hours, minutes), zone)
    if fold and _is_twice(local):
        local = local.replace(fold=1)
    return round(local.timestamp() * 1000)


def _is_twice(local: datetime) -> bool:
    """Return whether a local time comes twice: its second occurrence is the later one."""
    return local.replace(fold=1).timestamp() > local.timestamp()
