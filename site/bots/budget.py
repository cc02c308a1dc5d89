"""How long a computer player thinks: pure arithmetic, in seconds and milliseconds.

What counts in play is the level's nodes; time only bounds them, so that no flag falls.
"""

from collections.abc import Mapping

from games.core import Role
from games.players.core import Level
from play.live import Live

FOLLOW = 600  # ms that people have to see what was played before the answer comes
RESERVE = 700  # ms of the clock that are never thought away
GOES_AHEAD = 25  # goes for which what is left of a clock has to last
ROUNDS_AHEAD = 3  # the same where each go has its own limit: for the way there and back
ACTIONS_A_GO: Mapping[str, int] = {"amazons-10x10": 2, "amazons-8x8": 2, "pincer": 2}  # else one


def earliest(live: Live, role: Role) -> int:
    """The moment (epoch ms) before which a role does not answer what was just played."""
    if live.clock.kind == "none":
        return live.times.since + FOLLOW
    spare = live.times.left[role] - RESERVE
    return live.times.since + max(0, min(FOLLOW, spare // 4))


def seconds(level: Level, live: Live, role: Role, at: int) -> float:
    """The longest thought for one action of a role that decides at `at` (epoch ms)."""
    clock = live.clock
    if clock.kind == "none":
        return level.seconds
    left = live.times.left_at(role, at)
    ahead = GOES_AHEAD if clock.kind == "fischer" else ROUNDS_AHEAD
    share = (left / ahead + 0.8 * clock.increment) / ACTIONS_A_GO.get(live.rules.key, 1)
    return max(0.0, min(level.seconds, share / 1000, (left - RESERVE) / 1000))


def in_a_hurry(live: Live, role: Role) -> float:
    """The moment (epoch ms) at which the worker has to turn to a role, if it has not before."""
    if live.clock.kind == "none":
        return float("inf")
    return live.times.since + live.times.left[role] - 2 * RESERVE
