"""Options of a lobby: rules, clock, sides, visibility, spectators, rated, counted."""

import hashlib
from dataclasses import dataclass
from typing import Literal

from play.domain.clocks import Clock
from play.time_controls import clock_value

Side = Literal["white", "black", "lot"]  # the role of seat one; "lot": drawn at the start
SIDES: tuple[Side, ...] = ("white", "black", "lot")
RATED_TERMS = "log-public"  # a new word whenever joining a rated game confirms something else


@dataclass(frozen=True, slots=True)
class Options:
    """The validated options of a lobby."""

    rules: str  # key in the catalogue
    clock: Clock
    side: Side
    public: bool
    watch: bool = True  # whether spectators are allowed while the game runs
    rated: bool = False  # whether the game changes both players' ratings
    counted: bool = (
        True  # whether own squares are counted, in a game where that may be (`counting`)
    )

    @property
    def digest(self) -> str:
        """A short hash of the options; forms send it to say which options they showed."""
        shown: tuple[object, ...] = (
            self.rules,
            clock_value(self.clock),
            self.side,
            self.public,
            self.watch,
            self.rated,
            self.counted,
        )
        # Joining a rated game also confirms: the game and its log are public from its end.
        shown += (RATED_TERMS,) if self.rated else ()
        text = " ".join(map(str, shown))
        return hashlib.sha256(text.encode()).hexdigest()[:12]
