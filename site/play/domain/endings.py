"""Ends of a game: by the rules, the clock, the players, or inactivity."""

from msgspec.structs import replace

from accounts.refusals import Refused
from games.core import OTHER, Role
from play.domain import clocks
from play.domain.abandonment import IDLE_LIMIT_MS
from play.domain.change import Change, make_change, require_seat, require_time
from play.domain.commands import Abort, Claim, Envelope, Flag, Idle, Resign, Shown
from play.domain.counts import find_limit
from play.domain.game_refusals import Reason
from play.domain.game_state import NO_SHOW, Ending, GameState
from play.domain.holidays import pause_for_holidays

# Of games of `amazons` in which squares are not counted:
MAX_QUIET_TURNS = 50  # without an arrow, until a draw may be claimed
MAX_TURNS = 400  # after which the game is a draw


def resign(game: GameState, envelope: Envelope[Resign]) -> Change:
    """Return the change in which the other role wins, whatever the position."""
    role = require_seat(game, envelope)
    after = replace(game, ending=end_by_agreement(game, OTHER[role], "resigned"))
    return make_change(game, after, envelope, role, envelope.command.kind)


def abort(game: GameState, envelope: Envelope[Abort]) -> Change:
    """Return the change that aborts the game without a result."""
    role = require_seat(game, envelope)
    if not may_abort(game):
        raise Refused(Reason.TOO_LATE_TO_ABORT)
    after = replace(game, ending=_end_void(game, "aborted"))
    return make_change(game, after, envelope, role, envelope.command.kind)


def claim(game: GameState, envelope: Envelope[Claim]) -> Change:
    """Return the change that ends a game by a claim.

    Either role may claim a draw after too many turns without an arrow. A role that waits for an
    absent role may claim a win or a draw.
    """
    command, role = envelope.command, require_seat(game, envelope)
    if command.way == "quiet":
        if not may_claim(game):
            raise Refused(Reason.NO_CLAIM)
        ending = end_by_agreement(game, None, "no_arrows")
    else:
        require_time(game, envelope.received_at)
        since = envelope.gone_since
        start = None if since is None else claimable_from(game, role, since)
        if start is None or envelope.received_at < start:
            raise Refused(Reason.NOT_GONE)
        ending = end_by_agreement(game, role if command.way == "victory" else None, "abandoned")
    return make_change(game, replace(game, ending=ending), envelope, role, command.kind)


def flag(game: GameState, command: Flag) -> Change:
    """Return the change that the clocks cause: the end of the game, or its pending start.

    The role with the earlier deadline loses; equal deadlines are a draw. If it was an allowance of
    a first turn, the game is aborted. A holiday of a fallen role's user stops its clock instead.
    """
    if game.ending:
        raise Refused(Reason.OVER)
    if game.times.begin_by is not None:
        return _begin_unshown(game, command)
    fallen = clocks.flagged_roles(game.clock, game.times, command.received_at)
    if not fallen:
        raise Refused(Reason.NO_CLAIM, say="Nobody’s time is up.")
    if change := pause_for_holidays(game, command, command.holidays):
        return change
    if fallen & game.times.first_turn.keys():
        after = replace(game, ending=_end_void(game, NO_SHOW))
        body = {"absent": sorted(after.absent)}
        return make_change(game, after, command, None, "flag", body)
    if len(fallen) == 2:
        ending = end_by_agreement(game, None, "both_flagged")
    else:
        (loser,) = fallen
        ending = end_by_agreement(game, OTHER[loser], "time")
    return make_change(game, replace(game, ending=ending), command, None, "flag")


def show(game: GameState, envelope: Envelope[Shown]) -> Change:
    """Return the change by the first page that a seat has shown in a simultaneous game.

    The last of these begins the game. Raise `Refused` if the game has begun, or if the seat has
    said so before.
    """
    role = require_seat(game, envelope)
    times = game.times
    if times.begin_by is None or role in times.shown:
        raise Refused(Reason.STALE_STEP)
    shown = times.shown | {role}
    if times.first_turn.keys() <= shown:
        times = clocks.begin_clocks(times, game.waiting, envelope.received_at)
        return make_change(game, replace(game, times=times), envelope, role, "begin")
    after = replace(game, times=replace(times, shown=shown))
    return make_change(game, after, envelope, role, envelope.command.kind)


def _begin_unshown(game: GameState, command: Flag) -> Change:
    """Return the change that begins a game whose pages were not all shown in time."""
    at, begin_by = command.received_at, game.times.begin_by
    if begin_by is None or at < begin_by:
        raise Refused(Reason.NO_CLAIM, say="The wait for the players is not over.")
    times = clocks.begin_clocks(game.times, game.waiting, at)
    return make_change(game, replace(game, times=times), command, None, "begin")


def idle(game: GameState, command: Idle) -> Change:
    """Return the change that ends a slow game without a result.

    A game without a clock ends after a week without a change; a game with any slow clock once none
    of its people can come back, which the caller has found out.
    """
    if game.ending:
        raise Refused(Reason.OVER)
    if command.are_gone:
        if game.clock.kind in clocks.RUNNING_KINDS or command.rev != game.rev:
            raise Refused(Reason.NO_CLAIM, say="The people of this game are not gone.")
        after = replace(game, ending=_end_void(game, "aborted"))
        return make_change(game, after, command, None, "idle", {"gone": True})
    if game.clock.kind != "none" or command.received_at - game.changed < IDLE_LIMIT_MS:
        raise Refused(Reason.NO_CLAIM, say="This game is not idle.")
    return make_change(game, replace(game, ending=_end_void(game, "idle")), command, None, "idle")


def may_claim(game: GameState) -> bool:
    """Return whether the rule of 50 turns without an arrow can be claimed now."""
    has_claims = game.rules.key == "amazons" and not game.is_counted
    return game.ending is None and has_claims and game.quiet >= MAX_QUIET_TURNS


def may_abort(game: GameState) -> bool:
    """Return whether the game can still be aborted: not both roles have completed a turn."""
    return game.ending is None and game.completed != frozenset(game.rules.roles)


def claimable_from(game: GameState, role: Role, gone_since: int) -> int | None:
    """Return when `role` may end the game because the other role is absent (epoch ms).

    The other role has to be in control and absent since `gone_since`. The wait begins with its turn
    at the earliest, since absence before that costs nobody time. Return None if the role may never
    claim; games with computer players have no such claim, and none is made for a first turn.
    """
    other = OTHER[role]
    patience = clocks.absence_limit(game.clock)
    if patience is None or other not in game.waiting or other in game.times.first_turn:
        return None
    if game.people[other].bot or game.people[role].bot:
        return None
    return max(gone_since, game.times.since) + patience


def find_ending(game: GameState) -> Ending | None:
    """Return the end by the rules, or by the site's limits for games of `amazons`."""
    outcome = None if game.control else game.rules.outcome(game.state)
    if outcome is None:
        if game.is_counted:
            return find_limit(game)
        if game.rules.key == "amazons" and game.rules.turns(game.state) >= MAX_TURNS:
            return end_by_agreement(game, None, "too_long")
        return None
    white, black = outcome.goals["white"], outcome.goals["black"]
    return Ending(outcome.winner, {"white": white, "black": black}, outcome.reason)


def end_by_agreement(game: GameState, winner: Role | None, reason: str) -> Ending:
    """Return an end that the rules do not decide; points that the rules count are kept."""
    if game.rules.counts_points:
        goals = game.rules.view(game.state, None)["totals"]
    elif winner is None:
        goals = {"white": 50, "black": 50}
    else:
        goals = {winner: 100, OTHER[winner]: 0}
    return Ending(winner, goals, reason)


def _end_void(game: GameState, reason: str) -> Ending:
    """Return an end without a result."""
    drawn = end_by_agreement(game, None, reason)
    return drawn if game.rules.counts_points else replace(drawn, goals={"white": 0, "black": 0})
