"""The data of a game's picture, all of it visible to every spectator."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from typing import Any

from games.catalogue import rules_of
from games.core import Role
from games.effects import Place, Slide
from play.domain.game_state import Ending, GameState, ReplayedStep, ResolvedStep

CARD_VERSION = 5  # increase when the drawing changes, so that browsers reload


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
    slides: tuple[tuple[str, str], ...]  # of the last turn: from, to
    flights: tuple[tuple[str, str], ...]  # of its arrow: from, to
    clock: str
    turns: int
    ratings: tuple[str, str] = ("", "")  # of white and of black; empty: none is shown

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
        """The ETag of the picture."""
        return f'"{sha256(f"{CARD_VERSION} {self!r}".encode()).hexdigest()[:24]}"'


def facts_of(game: GameState) -> Facts:
    """Return the data that is drawn.

    A sealed action is not part of a state, so it is never drawn.
    """
    return _facts(game, game.state, game.last, game.ending)


def turns_of(done: Iterable[ReplayedStep]) -> list[Sequence[ReplayedStep]]:
    """Return the resolved steps turn by turn, as the pages number them: the first turn is 1."""
    together = groupby(done, lambda each: (each.seen.turn, each.seen.role))
    return [tuple(steps) for _, steps in together]


def facts_after(game: GameState, turns: Sequence[Sequence[ReplayedStep]], turn: int) -> Facts:
    """Return the data of the position after `turn` turns: the newest if there are no more turns."""
    if turn >= len(turns):
        return facts_of(game)
    steps = turns[turn - 1] if turn else ()
    state = steps[-1].state if steps else game.rules.start()
    return _facts(game, state, [each.seen for each in steps], None)


def _facts(
    game: GameState, state: Any, last: Iterable[ResolvedStep], ending: Ending | None
) -> Facts:
    effects = [effect for seen in last for effect in seen.effects]
    goals = ending.goals if ending else {}
    return Facts(
        key=game.rules.key,
        state=state,
        white=game.people["white"].name,
        black=game.people["black"].name,
        winner=ending.winner if ending else None,
        reason=ending.reason if ending else "",
        goals=(goals.get("white", 0), goals.get("black", 0)),
        slides=tuple((each.start, each.end) for each in effects if isinstance(each, Slide)),
        flights=tuple((each.start, each.at) for each in effects if isinstance(each, Place)),
        clock=game.clock.label("round" if game.rules.is_simultaneous else "turn"),
        turns=game.rules.turns(state),
    )
