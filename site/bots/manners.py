"""How a computer player deals with offers and with hopeless or quiet games: pure decisions."""

from typing import Literal

from games.core import OTHER, Role
from games.players.manners import gives_up
from play.endings import may_claim
from play.live import Live

NOT_BETTER = 0.0  # value at and below which a draw is welcome: 0 is also a sure draw
SETTLED = 10  # goes before which no draw is agreed
Answer = Literal["accept", "decline"]
End = Literal["resign", "claim"]


def answer_to_draw(live: Live, role: Role, value: float | None) -> Answer:
    """A draw is accepted by who is not better; in Blotto by who is behind. `value`: its latest."""
    if live.rules.kind == "split":
        totals = live.rules.view(live.state, role)["totals"]
        return "accept" if totals[role] < totals[OTHER[role]] else "decline"
    is_settled = live.rules.goes(live.state) >= SETTLED
    is_welcome = value is not None and value <= NOT_BETTER
    return "accept" if is_settled and is_welcome else "decline"


def ending(live: Live, may_resign: bool, value: float, before: float | None) -> End | None:
    """How to end the game rather than to play on (None), with a value now and at the go before
    (None: there was none). Blotto is never given up: its points count."""
    if may_claim(live) and value <= 0:
        return "claim"
    if not may_resign or live.rules.kind == "split":
        return None
    return "resign" if gives_up(value, before) else None
