"""Decide what a command changes in a game: pure, without database, clock or randomness.

Each decider takes a game and a command in its envelope, or a check by the server, and returns the
change or raises `Refused`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from play.domain import clocks
from play.domain.actions import decide_act
from play.domain.change import Change, make_change
from play.domain.claims import claim_decided
from play.domain.commands import (
    Abort,
    Act,
    Claim,
    ClaimDecided,
    CountNow,
    Credit,
    Draw,
    Envelope,
    Flag,
    Holiday,
    Idle,
    PlayedAhead,
    Resign,
    ServerCommand,
    Shown,
    Takeback,
)
from play.domain.counts import count_now
from play.domain.endings import abort, claim, flag, idle, resign, show
from play.domain.game_state import GameState
from play.domain.holidays import holiday
from play.domain.offers import draw, takeback
from play.domain.refusals import Reason, Refused


def credit(game: GameState, command: Credit) -> Change:
    """Return the change that credits the time in which no server ran.

    A server ran when this game last changed, so time that was credited before is not credited
    again.
    """
    down_since = max(command.down_since, game.changed)
    times = clocks.credit_downtime(game.times, down_since, command.received_at)
    gift = times.since - game.times.since
    if game.ending or game.clock.kind == "none" or gift <= 0:
        raise Refused(Reason.OVER, say="No clock of this game ran.")
    return make_change(game, replace(game, times=times), command, None, "credit", {"ms": gift})


DECIDERS: Mapping[type, Callable[[GameState, Any], Change]] = {
    Act: decide_act,
    PlayedAhead: decide_act,
    Resign: resign,
    Draw: draw,
    Takeback: takeback,
    Abort: abort,
    Claim: claim,
    CountNow: count_now,
    ClaimDecided: claim_decided,
    Shown: show,
    Flag: flag,
    Holiday: holiday,
    Idle: idle,
    Credit: credit,
}


def decide(game: GameState, command: Envelope[Any] | ServerCommand) -> Change:
    """Return the change that a command makes. Raise `Refused` if it makes none."""
    asked = command.command if isinstance(command, Envelope) else command
    return DECIDERS[type(asked)](game, command)


def clamp_received_at(
    game: GameState, command: Envelope[Any] | ServerCommand
) -> Envelope[Any] | ServerCommand:
    """Return the command, received no sooner than the game's last change.

    A command that had to wait comes after time that was credited meanwhile, and is not charged for
    it.
    """
    if isinstance(command, Envelope) and command.received_at < game.changed:
        return replace(command, received_at=game.changed)
    return command
