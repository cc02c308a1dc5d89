"""Ends of Amazons with the free arrow by a count of own squares.

The rules leave the arrow optional, so they alone end no game of which one role owns a safe square.
In a game opened with that option the site counts: when a player asks for it once the sides are
parted, after ten turns in a row without an arrow, and after 400 turns. The last two may come while
the sides still meet. Then only squares that no amazon of the other role can ever reach are counted,
and the rest count for neither role: the count is a proof, which anybody can check on the board, not
an estimate of the further play.
"""

from msgspec.structs import replace

from accounts.refusals import Refused
from games.core import OTHER
from games.counting import TerritoryCount, as_json, count_territory, limit_reason
from play.domain.change import Change, make_change, require_seat, require_time
from play.domain.commands import CountNow, Envelope
from play.domain.game_refusals import Reason
from play.domain.game_state import Ending, GameState

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
    return {"count": as_json(count_territory(game.rules, game.state))}  # type: ignore[arg-type]


def _end_counted(counted: TerritoryCount, reason: str) -> Ending:
    winner = counted.winner
    if winner is None:
        return Ending(None, {"white": 50, "black": 50}, reason)
    return Ending(winner, {winner: 100, OTHER[winner]: 0}, reason)
