"""What one role offers the other: a draw, or to take the latest go back."""

from collections.abc import Mapping

from msgspec.structs import replace

from games.core import Role
from play import clocks
from play.change import Change, changed, need_time, seated
from play.commands import Draw, Takeback
from play.endings import decided
from play.live import Live, Offer, Offered
from play.refusals import Reason, Refused

MOST_TAKEBACKS = 100  # of one game: what is taken back stays in the ledger, which is read whole
MOST_ASKED = 3  # offers of one kind that a role may make before somebody plays on


def draw(live: Live, command: Draw) -> Change:
    """An offer stands until it is answered, taken back, or a role acts."""
    role = seated(live, command)
    if command.do == "offer":
        return _offered(live, command, "draw", role)
    _need_offer(live, command, "draw", role)
    after = replace(live, offers=_without(live.offers, "draw"))
    if command.do == "accept":
        need_time(live, command.received_at)
        after = replace(after, ending=decided(live, None, "agreed"))
    return changed(live, after, command, role, command.kind)


def takeback(live: Live, command: Takeback) -> Change:
    """Whoever asks gets his latest go back when the other agrees, and all that came after it."""
    role = seated(live, command)
    if command.do == "offer":
        if "takeback" not in live.offers and back_to(live, role) is None:
            raise Refused(Reason.NO_TAKEBACK)
        return _offered(live, command, "takeback", role)
    offer = _need_offer(live, command, "takeback", role)
    if command.do == "accept":
        return _taken_back(live, command, role, offer)
    after = replace(live, offers=_without(live.offers, "takeback"))
    return changed(live, after, command, role, command.kind)


def back_to(live: Live, role: Role) -> int | None:
    """The number of the turn to which a role's takeback leads; None if there is nothing of it to
    take back. What was revealed cannot be unseen, so secret rounds stay."""
    if live.ending or live.rules.kind == "split" or live.takebacks >= MOST_TAKEBACKS:
        return None
    return live.begun.get(role)


def _without(offers: Mapping[Offered, Offer], what: Offered) -> Mapping[Offered, Offer]:
    """The offers that still stand when one has been answered or withdrawn."""
    return {other: offer for other, offer in offers.items() if other != what}


def _offered(live: Live, command: Draw | Takeback, what: Offered, role: Role) -> Change:
    if what in live.offers:
        raise Refused(Reason.OFFER_STANDS)
    if command.asked >= MOST_ASKED:
        raise Refused(Reason.SLOW_DOWN)
    offer = Offer(role, live.rev + 1, command.received_at)
    after = replace(live, offers={**live.offers, what: offer})
    return changed(live, after, command, role, command.kind)


def _need_offer(live: Live, command: Draw | Takeback, what: Offered, role: Role) -> Offer:
    """The offer that is answered by the other role, or withdrawn by its own."""
    offer = live.offers.get(what)
    if offer is None or (offer.by == role) != (command.do == "withdraw"):
        raise Refused(Reason.NO_OFFER)
    if command.rev not in (None, offer.rev):
        raise Refused(Reason.NO_OFFER)  # that was meant for an earlier one
    return offer


def _taken_back(live: Live, command: Takeback, role: Role, offer: Offer) -> Change:
    need_time(live, command.received_at)
    past, number = command.past, back_to(live, offer.by)
    if past is None or number is None or past.turn != number:
        raise ValueError("a takeback is judged with the game as it was")
    times = clocks.rewound(live.clock, live.times, past.control, command.received_at)
    after = replace(past, times=times, takebacks=live.takebacks + 1, offers={})
    body = {"to": number}
    return changed(live, after, command, role, command.kind, body, undone=number)
