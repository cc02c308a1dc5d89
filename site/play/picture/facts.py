"""What a picture of a game is made from: everything here is seen by every spectator."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from games.catalogue import rules_of
from games.core import Role
from games.effects import Place, Slide
from play.live import Live

VERSION = 2  # grows when the drawing changes, so that browsers ask anew


@dataclass(frozen=True, slots=True)
class Facts:
    """A game at one moment, hashable: the same facts make the same picture."""

    key: str
    state: Any
    white: str  # names
    black: str
    winner: Role | None
    reason: str  # "" while the game runs
    goals: tuple[int, int]  # of white and of black
    slides: tuple[tuple[str, str], ...]  # of the last go: from, to
    flights: tuple[tuple[str, str], ...]  # of its arrow: from, to
    clock: str
    goes: int

    @property
    def view(self) -> Mapping[str, Any]:
        """The position as a spectator sees it."""
        return rules_of(self.key).view(self.state, None)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.reason != ""

    @property
    def tag(self) -> str:
        """Tells pictures apart, as an ETag."""
        return f'"{sha256(f"{VERSION} {self!r}".encode()).hexdigest()[:24]}"'


def facts_of(live: Live) -> Facts:
    """What of a game is drawn. A seal is in no state, so it is in no picture."""
    ending = live.ending
    effects = [effect for seen in live.last for effect in seen.effects]
    goals = ending.goals if ending else {}
    return Facts(
        key=live.rules.key,
        state=live.state,
        white=live.people["white"].name,
        black=live.people["black"].name,
        winner=ending.winner if ending else None,
        reason=ending.reason if ending else "",
        goals=(goals.get("white", 0), goals.get("black", 0)),
        slides=tuple((each.start, each.end) for each in effects if isinstance(each, Slide)),
        flights=tuple((each.start, each.at) for each in effects if isinstance(each, Place)),
        clock=live.clock.label("round" if live.rules.kind == "split" else "go"),
        goes=live.rules.goes(live.state),
    )
