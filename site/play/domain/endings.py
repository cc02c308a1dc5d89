"""Ends of a game: by the rules, the clock, the players, a count, a claim, or inactivity.

Count: with the free arrow, the rules of Amazons alone end no game of which one role owns a safe
square. In a game opened with that option the site counts own squares: when a player asks for it
once the sides are parted, after ten turns in a row without an arrow, and after 400 turns. The last
two may come while the sides still meet. Then only squares that no amazon of the other role can ever
reach are counted: the count is a proof, not an estimate of the further play.

Claim: a role ends a decided game at its turn by a proof that it wins. The server looks for the
witness (`games.decided.find`, in a thread, see `storage.preload`), so that every page can claim;
here it is checked, and the ledger keeps it. A claim that proves nothing is an entry of the ledger
too, and each role has three of those in a game: else claims would be an oracle that tells after
each turn whether the game is won.
"""

from msgspec.structs import replace

from accounts.refusals import Refused
from games.core import OTHER, Role
from games.counting import TerritoryCount, count_territory, limit_reason
from games.counting import as_json as count_json
from games.decided import (
    MAX_CLAIMS,
    Flaw,
    Unproved,
    can_be_proved,
    check,
    is_mid_turn,
)
from games.decided import as_json as witness_json
from play.domain import clocks
from play.domain.abandonment import IDLE_LIMIT_MS
from play.domain.change import Change, make_change, require_seat, require_time
from play.domain.commands import (
    Abort,
    Claim,
    ClaimDecided,
    CountNow,
    Envelope,
    Flag,
    Idle,
    Resign,
    Shown,
)
from play.domain.game_refusals import Reason
from play.domain.game_state import NO_SHOW, Ending, GameState
from play.domain.holidays import pause_for_holidays

COUNTED = frozenset({"counted", "counted_quiet", "counted_long"})  # reasons of an end by a count


def count_now(game: GameState, envelope: Envelope[CountNow]) -> Change:
    """Return the change in which a player ends a parted game by the count, whoever is to move."""
    role = require_seat(game, envelope)
    counted = count_of(game)
    if counted is None:
        raise Refused(Reason.NOT_COUNTED)
    if not counted.is_parted:
        raise Refused(Reason.NOT_PARTED)
    require_time(game, envelope.received_at)
    after = replace(game, ending=_end_counted(counted, "counted"))
    return make_change(game, after, envelope, role, envelope.command.kind, count_body(after))


def count_of(game: GameState) -> TerritoryCount | None:
    """Return the count of the position; None in a game in which squares are not counted."""
    return count_territory(game.rules, game.state) if game.is_counted else None  # type: ignore[arg-type]


def may_count(game: GameState) -> bool:
    """Return whether a player may end the game by a count now."""
    counted = None if game.ending else count_of(game)
    return counted is not None and counted.is_parted


def find_limit(game: GameState) -> Ending | None:
    """Return the end of a counted game that has lasted too long; None while it goes on."""
    reason = limit_reason(game.quiet, game.rules.turns(game.state))
    counted = count_of(game) if reason else None
    return _end_counted(counted, reason) if reason and counted else None


def count_body(game: GameState) -> dict[str, object]:
    """Return the fields of the count for the ledger entry of an end; empty for other ends."""
    if game.ending is None or game.ending.reason not in COUNTED:
        return {}
    return {"count": count_json(count_territory(game.rules, game.state))}  # type: ignore[arg-type]


def _end_counted(counted: TerritoryCount, reason: str) -> Ending:
    winner = counted.winner
    if winner is None:
        return Ending(None, {"white": 50, "black": 50}, reason)
    return Ending(winner, {winner: 100, OTHER[winner]: 0}, reason)


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


DECIDED = "decided"  # reason of an end by a proof


def claim_decided(game: GameState, envelope: Envelope[ClaimDecided]) -> Change:
    """Return the change that ends the game by the proof, or logs that there was none."""
    role = require_seat(game, envelope)
    if game.claims is None:
        raise Refused(Reason.NOT_CLAIMABLE)
    if envelope.command.step != game.step:
        raise Refused(Reason.STALE_STEP)
    if (reason := _find_obstacle(game, role)) is not None:
        raise Refused(reason)
    require_time(game, envelope.received_at)
    witness = envelope.witness
    try:
        if witness is None:
            raise Unproved(Flaw.NOT_ENOUGH)
        check(game.rules, game.state, role, witness, is_counted=game.is_counted)
    except Unproved:
        number = game.claims.get(role, 0) + 1
        after = replace(game, claims={**game.claims, role: number})
        return make_change(game, after, envelope, role, "claim-refused", {"number": number})
    after = replace(game, ending=end_by_agreement(game, role, DECIDED))
    body = {"witness": witness_json(witness)}
    return make_change(game, after, envelope, role, envelope.command.kind, body)


def may_claim_decided(game: GameState, role: Role) -> bool:
    """Return whether a role may claim now that it wins; that needs no proof."""
    return game.claims is not None and not game.ending and _find_obstacle(game, role) is None


def is_worth_claiming(game: GameState, role: Role) -> bool:
    """Return whether a role may claim now, and open counts do not rule a proof out (15 µs)."""
    return may_claim_decided(game, role) and can_be_proved(game.rules, game.state, role)


def _find_obstacle(game: GameState, role: Role) -> Reason | None:
    """Return why a role may not claim now in a game with claims; None if it may."""
    if role not in game.control:
        return Reason.NOT_IN_CONTROL
    if is_mid_turn(game.rules, game.state):
        return Reason.MID_TURN
    if role not in game.waiting:
        return Reason.ALREADY_SEALED
    if (game.claims or {}).get(role, 0) >= MAX_CLAIMS:
        return Reason.NO_CLAIMS_LEFT
    return None
