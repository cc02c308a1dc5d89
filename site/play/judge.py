"""What a command makes of a game: pure decisions, no database, no clock and no dice of their own.

Each judge takes a game and a command and returns the change, or raises `Refused`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from play import clocks
from play.acting import act
from play.change import Change, changed
from play.commands import Abort, Act, Claim, Credit, Draw, Flag, Idle, Resign, Takeback
from play.endings import abort, claim, flag, idle, resign
from play.live import Live
from play.offers import draw, takeback
from play.refusals import Reason, Refused


def credit(live: Live, command: Credit) -> Change:
    """Gives back the time that ran while no server was there.

    One was there when this game last changed; so what was given back already is not given again.
    """
    down_since = max(command.down_since, live.changed)
    times = clocks.credited(live.times, down_since, command.received_at)
    gift = times.since - live.times.since
    if live.ending or live.clock.kind == "none" or gift <= 0:
        raise Refused(Reason.OVER, say="No clock of this game ran.")
    return changed(live, replace(live, times=times), command, None, "credit", {"ms": gift})


JUDGES: Mapping[type, Callable[[Live, Any], Change]] = {
    Act: act,
    Resign: resign,
    Draw: draw,
    Takeback: takeback,
    Abort: abort,
    Claim: claim,
    Flag: flag,
    Idle: idle,
    Credit: credit,
}


def judge(live: Live, command: Any) -> Change:
    """The change that a command makes; raises `Refused`."""
    return JUDGES[type(command)](live, command)
