"""What a host chooses: rules, clock, who plays white, who may find the lobby, who may watch."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.catalogue import RULES
from play.clocks import DAY, SECOND, Clock

Side = Literal["white", "black", "lot"]  # the role of seat one; "lot": drawn at the start
SIDES: tuple[Side, ...] = ("white", "black", "lot")

NO_CLOCK = Clock("none")
MINUTE = 60 * SECOND


def fischer(minutes: float, seconds: int) -> Clock:
    """A clock with an increment for each go; its start is rounded to a whole second."""
    return Clock("fischer", round(minutes * 60) * SECOND, seconds * SECOND)


def limit(seconds: int) -> Clock:
    """A clock that gives the same time for each go."""
    return Clock("limit", seconds * SECOND)


def days(count: int) -> Clock:
    """A clock for games by correspondence."""
    return Clock("days", count * DAY)


# The first clock of a game is the one that is chosen beforehand.
PRESETS: Mapping[str, tuple[Clock, ...]] = {
    "amazons-10x10": (fischer(5, 3), fischer(10, 5), fischer(15, 10), days(1), NO_CLOCK),
    "amazons-8x8": (fischer(3, 2), fischer(5, 3), fischer(10, 5), days(1), NO_CLOCK),
    "amazons": (fischer(10, 5), fischer(15, 10), fischer(30, 20), days(1), NO_CLOCK),
    "blotto": (limit(30), limit(60), limit(180), days(1), NO_CLOCK),
    "pincer": (fischer(3, 2), fischer(5, 3), fischer(10, 5), days(1), NO_CLOCK),
}

# Least and most of `initial` and `increment`, by kind of clock, in ms.
BOUNDS: Mapping[str, tuple[int, int, int, int]] = {
    "fischer": (10 * SECOND, 180 * MINUTE, 0, 180 * SECOND),
    "limit": (5 * SECOND, 60 * MINUTE, 0, 0),
    "days": (DAY, 14 * DAY, 0, 0),
    "none": (0, 0, 0, 0),
}
SAY_BOUNDS: Mapping[str, str | Promise] = {
    "fischer": gettext_lazy(
        "A clock has 10 seconds to 180 minutes, and 0 to 180 seconds for each go."
    ),
    "limit": gettext_lazy("A go has 5 seconds to 60 minutes."),
    "days": gettext_lazy("A go has 1 to 14 days."),
    "none": gettext_lazy("A game without a clock has no times."),
}
SPELLING = re.compile(r"(fischer|limit|days|none)(?::([0-9]{1,5}))?(?::([0-9]{1,3}))?")
UNIT: Mapping[str, int] = {"fischer": SECOND, "limit": SECOND, "days": DAY, "none": 1}
RUNNING = ("fischer", "limit")  # kinds of clock for which both have to be there


@dataclass(frozen=True, slots=True)
class Options:
    """The choices of a lobby, checked."""

    rules: str  # key in the catalogue
    clock: Clock
    side: Side
    public: bool
    watch: bool = True  # whether spectators may look on while the game runs

    @property
    def digest(self) -> str:
        """A short text that differs for other choices: forms say by it what they showed."""
        said = f"{self.rules} {spelled(self.clock)} {self.side} {self.public} {self.watch}"
        return hashlib.sha256(said.encode()).hexdigest()[:12]


def spelled(clock: Clock) -> str:
    """The form value of a clock: `fischer:300:3`, `limit:30`, `days:1`, `none`."""
    unit = UNIT[clock.kind]
    numbers = {"fischer": (clock.initial // unit, clock.increment // unit), "none": ()}
    parts = numbers.get(clock.kind, (clock.initial // unit,))
    return ":".join([clock.kind, *map(str, parts)])


def clock_of(text: str) -> Clock:
    """The clock that a form value spells; ValueError with a sentence if it is none."""
    match = SPELLING.fullmatch(text)
    if match is None:
        raise ValueError(_("That is not a clock."))
    kind, initial, increment = match[1], int(match[2] or 0), int(match[3] or 0)
    clock = Clock(kind, initial * UNIT[kind], increment * SECOND)  # type: ignore[arg-type]
    return bounded(clock)


def bounded(clock: Clock) -> Clock:
    """The clock itself; ValueError with a sentence if its times are out of bounds."""
    least, most, least_more, most_more = BOUNDS[clock.kind]
    if not (least <= clock.initial <= most and least_more <= clock.increment <= most_more):
        raise ValueError(str(SAY_BOUNDS[clock.kind]))
    return clock


def clock_label(key: str, clock: Clock) -> str:
    """The clock in the words of a game: what is a go elsewhere is a round in Blotto.

    In the reader's language; in English it reads as `Clock.label` does.
    """
    if clock.kind == "none":
        return _("no clock")
    if clock.kind == "fischer":
        return clock.label()
    count, unit = _measured(clock)
    say = ROUNDS if RULES[key].kind == "split" else GOES
    return say[unit](count) % {"count": count}


def time_label(clock: Clock) -> str:
    """A clock without the words for what it is given: `5 + 3`, `30 s`, `1 day`, `No clock`."""
    if clock.kind == "none":
        return _("No clock")
    if clock.kind == "fischer":
        return clock.label()
    count, unit = _measured(clock)
    return TIMES[unit](count) % {"count": count}


def _measured(clock: Clock) -> tuple[int, str]:
    """The time of a go as a number and its unit."""
    if clock.kind == "days":
        return clock.initial // DAY, "days"
    seconds = clock.initial // SECOND
    return (seconds // 60, "minutes") if seconds % 60 == 0 else (seconds, "seconds")


GOES = {
    "days": lambda n: ngettext("%(count)s day a go", "%(count)s days a go", n),
    "minutes": lambda n: ngettext("%(count)s min a go", "%(count)s min a go", n),
    "seconds": lambda n: ngettext("%(count)s s a go", "%(count)s s a go", n),
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
