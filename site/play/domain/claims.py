"""Claims that a game is decided: a role ends it at its turn by a proof that it wins.

The server looks for the witness (`games.decided.find`, in a thread, see `storage.preload`), so that
every page can claim; here the witness is checked, and the ledger keeps it. A claim that proves
nothing is an entry of the ledger too, and each role has three of those in a game: else claims would
be an oracle that tells after each turn whether the game is won.
"""

from msgspec.structs import replace

from accounts.refusals import Refused
from games.core import Role
from games.decided import (
    MAX_CLAIMS,
    Flaw,
    Unproved,
    as_json,
    can_be_proved,
    check,
    is_mid_turn,
)
from play.domain.change import Change, make_change, require_seat, require_time
from play.domain.commands import ClaimDecided, Envelope
from play.domain.endings import end_by_agreement
from play.domain.game_refusals import Reason
from play.domain.game_state import GameState

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
    body = {"witness": as_json(witness)}
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
