"""What a judge has to know besides the game, read from the database just before the judgement.

So judges stay pure. A game that changes meanwhile makes the swap fail, and all is asked anew.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Max
from msgspec.structs import replace

from games.core import OTHER
from play import reading, seen
from play.commands import Claim, Draw, Takeback
from play.live import Live
from play.models import Entry
from play.offers import back_to


def asked_before(live: Live, command: Draw) -> Draw:
    """A draw offer with the number of those that the role has made in this position."""
    return replace(command, asked=_asked(live, command)) if command.do == "offer" else command


def before_the_go(live: Live, command: Takeback) -> Takeback:
    """An accepted takeback with the game as it was before the go that is taken back; one that is
    asked for with the number of times that the role has done so in this position."""
    if command.do == "offer":
        return replace(command, asked=_asked(live, command))
    offer = live.offers.get("takeback")
    number = back_to(live, offer.by) if offer else None
    if command.do != "accept" or number is None:
        return command
    return replace(command, past=reading.rewound(live, number))


def absence(live: Live, command: Claim) -> Claim:
    """A claim with the moment since which no page of the other seat was open."""
    role = live.role_of(command.user)
    if command.way == "quiet" or role is None:
        return command
    last = seen.read([live.id])[live.id][OTHER[role]]
    return replace(command, gone_since=seen.gone_since(last, live.started))


def _asked(live: Live, command: Draw | Takeback) -> int:
    entries = Entry.objects.filter(game=live.id)
    since = entries.filter(kind__in=("act", "takeback-accept")).aggregate(rev=Max("rev"))["rev"]
    asked = entries.filter(role=live.role_of(command.user), kind=command.kind, rev__gt=since or 0)
    return asked.count()


INQUIRIES: Mapping[type, Callable[[Live, Any], Any]] = {
    Draw: asked_before,
    Takeback: before_the_go,
    Claim: absence,
}
