"""Time controls on offer: presets by game, bounds, form values and labels of clocks."""

import re
from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.catalogue import RULES
from play.domain.clocks import DAY_MS, HOUR_MS, SECOND_MS, Clock

NO_CLOCK = Clock("none")
MINUTE = 60 * SECOND_MS


def fischer_clock(minutes: float, seconds: int) -> Clock:
    """Return a clock with an increment for each turn; the initial time is in whole seconds."""
    return Clock("fischer", round(minutes * 60) * SECOND_MS, seconds * SECOND_MS)


def limit_clock(seconds: int) -> Clock:
    """Return a clock that gives the same time for each turn."""
    return Clock("limit", seconds * SECOND_MS)


def days_clock(count: int) -> Clock:
    """Return a clock for correspondence games."""
    return Clock("days", count * DAY_MS)


def bank_clock(days: int, hours: int) -> Clock:
    """Return a clock for correspondence games that earns hours with each turn, up to its days."""
    return Clock("bank", days * DAY_MS, hours * HOUR_MS)


BANKS = (bank_clock(2, 12), bank_clock(4, 24))

# The first clock of each rule set is preselected.
PRESETS: Mapping[str, tuple[Clock, ...]] = {
    "amazons-10x10": (
        fischer_clock(5, 3),
        fischer_clock(10, 5),
        fischer_clock(15, 10),
        days_clock(1),
        *BANKS,
        NO_CLOCK,
    ),
    "amazons-8x8": (
        fischer_clock(3, 2),
        fischer_clock(5, 3),
        fischer_clock(10, 5),
        days_clock(1),
        *BANKS,
        NO_CLOCK,
    ),
    "amazons": (
        fischer_clock(10, 5),
        fischer_clock(15, 10),
        fischer_clock(30, 20),
        days_clock(1),
        *BANKS,
        NO_CLOCK,
    ),
    "blotto": (
        limit_clock(30),
        limit_clock(60),
        limit_clock(180),
        days_clock(1),
        *BANKS,
        NO_CLOCK,
    ),
    "pincer": (
        fischer_clock(3, 2),
        fischer_clock(5, 3),
        fischer_clock(10, 5),
        days_clock(1),
        *BANKS,
        NO_CLOCK,
    ),
}

# Minimum and maximum of `initial` and of `increment` by kind of clock, in ms.
BOUNDS: Mapping[str, tuple[int, int, int, int]] = {
    "fischer": (10 * SECOND_MS, 180 * MINUTE, 0, 180 * SECOND_MS),
    "limit": (5 * SECOND_MS, 60 * MINUTE, 0, 0),
    "days": (DAY_MS, 14 * DAY_MS, 0, 0),
    "bank": (DAY_MS, 14 * DAY_MS, HOUR_MS, 72 * HOUR_MS),  # and no more than `initial` is earned
    "none": (0, 0, 0, 0),
}
SAY_BOUNDS: Mapping[str, str | Promise] = {
    "fischer": gettext_lazy(
        "Choose 10 seconds to 180 minutes, and 0 to 180 seconds for each turn."
    ),
    "limit": gettext_lazy("Choose 5 seconds to 60 minutes for each turn."),
    "days": gettext_lazy("Choose 1 to 14 days for each turn."),
    "bank": gettext_lazy(
        "Choose 1 to 14 days at the start, and 1 to 72 hours for each turn, "
        "but no more than at the start."
    ),
    "none": gettext_lazy("A game without a clock has no times to choose."),
}
SPELLING = re.compile(r"(fischer|limit|days|bank|none)(?::([0-9]{1,5}))?(?::([0-9]{1,3}))?")
UNIT: Mapping[str, int] = {
    "fischer": SECOND_MS,
    "limit": SECOND_MS,
    "days": DAY_MS,
    "bank": DAY_MS,
    "none": 1,
}
INCREMENT_UNIT: Mapping[str, int] = {"bank": HOUR_MS}  # else a second
RUNNING = ("fischer", "limit")  # kinds of clock for which both players have to be present


def clock_value(clock: Clock) -> str:
    """Return the form value of a clock: `fischer:300:3`, `days:1`, `bank:4:24`, `none`."""
    initial = clock.initial // UNIT[clock.kind]
    both = (initial, clock.increment // INCREMENT_UNIT.get(clock.kind, SECOND_MS))
    numbers = {"fischer": both, "bank": both, "none": ()}
    parts = numbers.get(clock.kind, (initial,))
    return ":".join([clock.kind, *map(str, parts)])


def clock_of(text: str) -> Clock:
    """Parse the form value of a clock. Raise ValueError with a sentence if it is invalid."""
    match = SPELLING.fullmatch(text)
    if match is None:
        raise ValueError(_("Choose one of the clocks on this page."))
    kind, initial, increment = match[1], int(match[2] or 0), int(match[3] or 0)
    unit = INCREMENT_UNIT.get(kind, SECOND_MS)
    clock = Clock(kind, initial * UNIT[kind], increment * unit)  # type: ignore[arg-type]
    return check_clock(clock)


def check_clock(clock: Clock) -> Clock:
    """Return the clock unchanged. Raise ValueError with a sentence if a time is out of bounds."""
    low, high, low_increment, high_increment = BOUNDS[clock.kind]
    if clock.kind == "bank":
        high_increment = min(high_increment, clock.initial)  # more could not be kept
    if not (low <= clock.initial <= high and low_increment <= clock.increment <= high_increment):
        raise ValueError(str(SAY_BOUNDS[clock.kind]))
    return clock


def clock_label(key: str, clock: Clock) -> str:
    """Return the clock's label in a game's words: a turn is called a round in Blotto.

    In the reader's language; in English it equals `Clock.label`.
    """
    if clock.kind == "none":
        return _("no clock")
    if clock.kind == "fischer":
        return clock.label()
    if clock.kind == "bank":
        return _bank_label(clock)
    count, unit = _time_and_unit(clock)
    say = ROUNDS if RULES[key].is_simultaneous else TURNS
    return say[unit](count) % {"count": count}


def long_clock_label(key: str, clock: Clock) -> str:
    """Return the clock's label with units, for people who are new here: `5 min + 3 s`."""
    if clock.kind != "fischer":
        return clock_label(key, clock)
    minutes, seconds = divmod(clock.initial // SECOND_MS, 60)
    increment = clock.increment // SECOND_MS
    if minutes == 0:
        start = _("%(seconds)s s") % {"seconds": seconds}
    elif seconds == 0:
        start = _("%(minutes)s min") % {"minutes": minutes}
    else:
        start = _("%(minutes)s min %(seconds)s s") % {"minutes": minutes, "seconds": seconds}
    return _("%(start)s + %(seconds)s s") % {"start": start, "seconds": increment}


def time_label(clock: Clock) -> str:
    """Return the clock's time alone: `5 + 3`, `30 s`, `1 day`, `4 days + 24 h`, `No clock`."""
    if clock.kind == "none":
        return _("No clock")
    if clock.kind == "fischer":
        return clock.label()
    if clock.kind == "bank":
        return _bank_label(clock)
    count, unit = _time_and_unit(clock)
    return TIMES[unit](count) % {"count": count}


def _bank_label(clock: Clock) -> str:
    """Return the label of a bank: `4 days + 24 h`."""
    days, hours = clock.initial // DAY_MS, clock.increment // HOUR_MS
    label = ngettext("%(days)s day + %(hours)s h", "%(days)s days + %(hours)s h", days)
    return label % {"days": days, "hours": hours}


def _time_and_unit(clock: Clock) -> tuple[int, str]:
    """Return the time of a turn as a number and its unit."""
    if clock.kind == "days":
        return clock.initial // DAY_MS, "days"
    seconds = clock.initial // SECOND_MS
    return (seconds // 60, "minutes") if seconds % 60 == 0 else (seconds, "seconds")


TURNS = {
    "days": lambda n: ngettext("%(count)s day a turn", "%(count)s days a turn", n),
    "minutes": lambda n: ngettext("%(count)s min a turn", "%(count)s min a turn", n),
    "seconds": lambda n: ngettext("%(count)s s a turn", "%(count)s s a turn", n),
}
ROUNDS = {
    "days": lambda n: ngettext("%(count)s day a round", "%(count)s days a round", n),
    "minutes": lambda n: ngettext("%(count)s min a round", "%(count)s min a round", n),
    "seconds": lambda n: ngettext("%(count)s s a round", "%(count)s s a round", n),
}
TIMES = {
    "days": lambda n: ngettext("%(count)s day", "%(count)s days", n),
    "minutes": lambda n: ngettext("%(count)s min", "%(count)s min", n),
    "seconds": lambda n: ngettext("%(count)s s", "%(count)s s", n),
}
