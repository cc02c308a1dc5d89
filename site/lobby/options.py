"""What a host chooses: the rules, the clock, who plays white, who may find the lobby."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

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
SAY_BOUNDS: Mapping[str, str] = {
    "fischer": "A clock has 10 seconds to 180 minutes, and 0 to 180 seconds for each go.",
    "limit": "A go has 5 seconds to 60 minutes.",
    "days": "A go has 1 to 14 days.",
    "none": "A game without a clock has no times.",
}
SPELLING = re.compile(r"(fischer|limit|days|none)(?::([0-9]{1,5}))?(?::([0-9]{1,3}))?")
UNIT: Mapping[str, int] = {"fischer": SECOND, "limit": SECOND, "days": DAY, "none": 1}


@dataclass(frozen=True, slots=True)
class Options:
    """The choices of a lobby, checked."""

    rules: str  # key in the catalogue
    clock: Clock
    side: Side
    public: bool

    @property
    def digest(self) -> str:
        """A short text that differs for other choices: forms say by it what they showed."""
        said = f"{self.rules} {spelled(self.clock)} {self.side} {self.public}"
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
        raise ValueError("That is not a clock.")
    kind, initial, increment = match[1], int(match[2] or 0), int(match[3] or 0)
    clock = Clock(kind, initial * UNIT[kind], increment * SECOND)  # type: ignore[arg-type]
    return bounded(clock)


def bounded(clock: Clock) -> Clock:
    """The clock itself; ValueError with a sentence if its times are out of bounds."""
    least, most, least_more, most_more = BOUNDS[clock.kind]
    if not (least <= clock.initial <= most and least_more <= clock.increment <= most_more):
        raise ValueError(SAY_BOUNDS[clock.kind])
    return clock


def clock_label(key: str, clock: Clock) -> str:
    """The clock in the words of a game: what is a go elsewhere is a round in Blotto."""
    return clock.label("round" if RULES[key].kind == "split" else "go")
