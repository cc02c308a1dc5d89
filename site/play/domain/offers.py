"""Offers to the other role: a draw, or a takeback of the latest turn."""

from collections.abc import Mapping

from msgspec.structs import replace

from accounts.refusals import Refused
from games.core import Role
from play.domain import clocks
from play.domain.change import Change, make_change, require_seat, require_time
from play.domain.commands import Draw, Envelope, Takeback
from play.domain.endings import end_by_agreement
from play.domain.game_refusals import Reason
from play.domain.game_state import GameState, Offer, Offered

MAX_TAKEBACKS = 100  # per game: undone steps stay in the ledger, which is read whole
MAX_OFFERS = 3  # of one kind by a role in one position


def draw(game: GameState, envelope: Envelope[Draw]) -> Change:
    """Return the change by a draw command.

    An offer stands until it is answered or withdrawn, or the other role acts.
    """
    command, role = envelope.command, require_seat(game, envelope)
    if command.do == "offer":
        return _make_offer(game, envelope, "draw", role)
    _need_offer(game, command, "draw", role)
    after = replace(game, offers=_withdraw(game.offers, "draw"))
    if command.do == "accept":
        require_time(game, envelope.received_at)
        after = replace(after, ending=end_by_agreement(game, None, "agreed"))
    return make_change(game, after, envelope, role, command.kind)


def takeback(game: GameState, envelope: Envelope[Takeback]) -> Change:
    """Return the change by a takeback command.

    When the other role accepts, the sender's latest turn and everything after it are undone.
    """
    command, role = envelope.command, require_seat(game, envelope)
    if command.do == "offer":
        if "takeback" not in game.offers and back_to(game, role) is None:
            raise Refused(Reason.NO_TAKEBACK)
        return _make_offer(game, envelope, "takeback", role)
    offer = _need_offer(game, command, "takeback", role)
    if command.do == "accept":
        return _take_back(game, envelope, role, offer)
    after = replace(game, offers=_withdraw(game.offers, "takeback"))
    return make_change(game, after, envelope, role, command.kind)


def back_to(game: GameState, role: Role) -> int | None:
    """Return the number of the step to which a takeback of `role` leads; None if there is none.

    Revealed actions cannot be hidden again, so steps of simultaneous games are never taken back.
    """
    if game.ending or game.rules.is_simultaneous or game.takebacks >= MAX_TAKEBACKS:
        return None
    return game.begun.get(role)


def _withdraw(offers: Mapping[Offered, Offer], what: Offered) -> Mapping[Offered, Offer]:
    """Return the offers that still stand when one has been answered or withdrawn."""
    return {other: offer for other, offer in offers.items() if other != what}


def _make_offer(
    game: GameState, envelope: Envelope[Draw] | Envelope[Takeback], what: Offered, role: Role
) -> Change:
    if what in game.offers:
        raise Refused(Reason.OFFER_STANDS)
    if envelope.asked >= MAX_OFFERS:
        raise Refused(Reason.SLOW_DOWN)
    offer = Offer(role, game.rev + 1, envelope.received_at)
    after = replace(game, offers={**game.offers, what: offer})
    return make_change(game, after, envelope, role, envelope.command.kind)


def _need_offer(game: GameState, command: Draw | Takeback, what: Offered, role: Role) -> Offer:
    """Return the standing offer that the other role answers, or its own role withdraws.

    Raise `Refused` if there is none, or if the command names an earlier one.
    """
    offer = game.offers.get(what)
    if offer is None or (offer.by == role) != (command.do == "withdraw"):
        raise Refused(Reason.NO_OFFER)
    if command.rev not in (None, offer.rev):
        raise Refused(Reason.NO_OFFER)  # the command was meant for an earlier offer
    return offer


def _take_back(game: GameState, envelope: Envelope[Takeback], role: Role, offer: Offer) -> Change:
    require_time(game, envelope.received_at)
    past, number = envelope.past, back_to(game, offer.by)
    if past is None or number is None or past.step != number:
        raise ValueError("the envelope of an accepted takeback lacks the game before it")
    body: dict[str, object] = {"to": number}
    returned: dict[Role, int] = {}
    if envelope.undone:
        at = envelope.received_at
        returned = clocks.returned_increments(game.clock, game.times, envelope.undone, at)
        body["returned"] = returned
    times = clocks.rewind_clocks(
        game.clock, game.times, past.control, envelope.received_at, returned
    )
    after = replace(past, times=times, takebacks=game.takebacks + 1, offers={})
    return make_change(game, after, envelope, role, envelope.command.kind, body, undone=number)
