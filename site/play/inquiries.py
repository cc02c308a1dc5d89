"""What a judge has to know besides the game, read from the database just before the judgement.

So judges stay pure. A game that changes meanwhile makes the swap fail, and all is asked anew.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from games.core import OTHER
from play import live as games
from play import seen
from play.commands import Claim, Takeback
from play.judge import back_to
from play.live import Live


def before_the_go(live: Live, command: Takeback) -> Takeback:
    """An accepted takeback with the game as it was before the go that is taken back."""
    offer = live.offers.get("takeback")
    number = back_to(live, offer.by) if offer else None
    if command.do != "accept" or number is None:
        return command
    return replace(command, past=games.rewound(live, number))


def absence(live: Live, command: Claim) -> Claim:
    """A claim with the moment since which no page of the other seat was open."""
    role = live.role_of(command.user)
    if command.way == "quiet" or role is None:
        return command
    last = seen.read([live.id])[live.id][OTHER[role]]
    return replace(command, gone_since=seen.gone_since(last, live.started))


INQUIRIES: Mapping[type, Callable[[Live, Any], Any]] = {Takeback: before_the_go, Claim: absence}
