"""How a game ends: by the rules, by the clock, by those who play it, or because nobody does."""

from msgspec.structs import replace

from games.core import OTHER, Role
from play import clocks
from play.change import Change, changed, need_time, seated
from play.commands import Abort, Claim, Flag, Idle, Resign
from play.live import Ending, Live
from play.refusals import Reason, Refused

QUIET_LIMIT = 50  # goes in a row without an arrow after which either side may claim a draw
IDLE = 7 * clocks.DAY  # ms without a change after which a game without a clock ends
GO_LIMIT = 400  # goes after which a game of `amazons` is a draw


def resign(live: Live, command: Resign) -> Change:
    """The other role wins, whatever the position."""
    role = seated(live, command)
    after = replace(live, ending=decided(live, OTHER[role], "resigned"))
    return changed(live, after, command, role, command.kind)


def abort(live: Live, command: Abort) -> Change:
    """Breaks the game off, for nobody's gain or loss."""
    role = seated(live, command)
    if not may_abort(live):
        raise Refused(Reason.TOO_LATE_TO_ABORT)
    after = replace(live, ending=_void(live, "aborted"))
    return changed(live, after, command, role, command.kind)


def claim(live: Live, command: Claim) -> Change:
    """Either side may end a game in which arrows are left out for too long; and whoever waits for
    a role that is gone may win or call it a draw."""
    role = seated(live, command)
    if command.way == "quiet":
        if not may_claim(live):
            raise Refused(Reason.NO_CLAIM)
        ending = decided(live, None, "no_arrows")
    else:
        need_time(live, command.received_at)
        since = command.gone_since
        start = None if since is None else claimable_from(live, role, since)
        if start is None or command.received_at < start:
            raise Refused(Reason.NOT_GONE)
        ending = decided(live, role if command.way == "victory" else None, "abandoned")
    return changed(live, replace(live, ending=ending), command, role, command.kind)


def flag(live: Live, command: Flag) -> Change:
    """The role that passed its time first loses; both in the same millisecond: a draw."""
    if live.ending:
        raise Refused(Reason.OVER)
    fallen = clocks.flagged(live.clock, live.times, command.received_at)
    if not fallen:
        raise Refused(Reason.NO_CLAIM, say="Nobody's time is up.")
    if len(fallen) == 2:
        ending = decided(live, None, "both_flagged")
    else:
        (loser,) = fallen
        ending = decided(live, OTHER[loser], "time")
    return changed(live, replace(live, ending=ending), command, None, "flag")


def idle(live: Live, command: Idle) -> Change:
    """A game without a clock ends by itself when nothing has happened in it for a week."""
    if live.ending:
        raise Refused(Reason.OVER)
    if live.clock.kind != "none" or command.received_at - live.changed < IDLE:
        raise Refused(Reason.NO_CLAIM, say="This game is not idle.")
    return changed(live, replace(live, ending=_void(live, "idle")), command, None, "idle")


def may_claim(live: Live) -> bool:
    """Whether the rule of 50 goes without an arrow can be claimed now."""
    return live.ending is None and live.rules.key == "amazons" and live.quiet >= QUIET_LIMIT


def may_abort(live: Live) -> bool:
    """Whether the game can still be broken off: not both roles have completed a go."""
    return live.ending is None and live.completed != frozenset(live.rules.roles)


def claimable_from(live: Live, role: Role, gone_since: int) -> int | None:
    """When a role may end the game because the other, who is to decide, has been gone since
    `gone_since` (epoch ms); None if it may not, however long that lasts. Who was away while it was
    not up to them has taken nobody's time: patience begins with their go at the earliest. Computer
    players are never gone, and never impatient."""
    other = OTHER[role]
    patience = clocks.patience(live.clock)
    if patience is None or other not in live.waiting:
        return None
    if live.people[other].bot or live.people[role].bot:
        return None
    return max(gone_since, live.times.since) + patience


def by_the_rules(live: Live) -> Ending | None:
    """The end by the rules, or by the site's bound on a game whose arrows are left out."""
    outcome = None if live.control else live.rules.outcome(live.state)
    if outcome is None:
        if live.rules.key == "amazons" and live.rules.goes(live.state) >= GO_LIMIT:
            return decided(live, None, "too_long")
        return None
    white, black = outcome.goals["white"], outcome.goals["black"]
    return Ending(outcome.winner, {"white": white, "black": black}, outcome.reason)


def decided(live: Live, winner: Role | None, reason: str) -> Ending:
    """An end that the rules know nothing of; points that were reached stay shown."""
    if live.rules.kind == "split":
        goals = live.rules.view(live.state, None)["totals"]
    elif winner is None:
        goals = {"white": 50, "black": 50}
    else:
        goals = {winner: 100, OTHER[winner]: 0}
    return Ending(winner, goals, reason)


def _void(live: Live, reason: str) -> Ending:
    """An end that counts for nobody."""
    drawn = decided(live, None, reason)
    return drawn if live.rules.kind == "split" else replace(drawn, goals={"white": 0, "black": 0})
