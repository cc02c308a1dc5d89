"""Load the data that a decision needs besides the game, just before the decision.

This keeps deciders pure. If the game changes meanwhile, the compare-and-swap fails and everything
is loaded again.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from django.db.models import Max
from msgspec.structs import replace

from games.core import OTHER, Role
from games.decided import find
from play.domain.clocks import EARNING_KINDS, UndoneTurns
from play.domain.commands import Claim, ClaimDecided, Draw, Envelope, Flag, Holiday, Takeback
from play.domain.endings import may_claim_decided
from play.domain.game_state import GameState
from play.domain.offers import back_to
from play.models import Entry
from play.storage import last_seen, load
from play.storage.holiday_rows import begin_for_flag, read_for_game


def count_draw_offers(game: GameState, envelope: Envelope[Draw]) -> Envelope[Draw]:
    """Return a draw offer with the number of those the role has made in this position."""
    if envelope.command.do != "offer":
        return envelope
    return replace(envelope, asked=_count_offers(game, envelope))


def load_takeback(game: GameState, envelope: Envelope[Takeback]) -> Envelope[Takeback]:
    """Return a takeback command with the data for its decision.

    An accepted one gets the game before the turn that is taken back; a new request gets the number
    of requests that the role has made in this position.
    """
    command = envelope.command
    if command.do == "offer":
        return replace(envelope, asked=_count_offers(game, envelope))
    offer = game.offers.get("takeback")
    number = back_to(game, offer.by) if offer else None
    if command.do != "accept" or number is None:
        return envelope
    return replace(envelope, past=load.rewind_to(game, number), undone=_read_undone(game, number))


def _read_undone(game: GameState, number: int) -> UndoneTurns | None:
    """Return the times of the steps from a number on.

    Return None where turns earn nothing, and if an older process wrote one of the steps.
    """
    if game.clock.kind not in EARNING_KINDS:
        return None
    earned = Counter[Role]()
    for step in load.steps_of(game.id, game.rev, number, game.step):
        if step.earned is None:
            return None
        earned.update(dict.fromkeys(load.SPENT.decode(step.spent), step.earned))
    kinds = ("open", "act", "takeback-accept")
    entries = Entry.objects.filter(game=game.id, kind__in=kinds, rev__lte=game.rev)
    for text, clock in entries.order_by("-rev").values_list("body", "clock"):
        body = msgspec.json.decode(text)
        if number == body.get("to", body.get("step", 0) + len(body.get("actions", ()))):
            return UndoneTurns(load.SPENT.decode(clock), earned)
    raise ValueError(f"no entry of game {game.id} leads to step {number}")


def load_absence(game: GameState, envelope: Envelope[Claim]) -> Envelope[Claim]:
    """Return a claim with the time since which no page of the other seat was open."""
    role = game.role_of(envelope.user)
    if envelope.command.way == "quiet" or role is None:
        return envelope
    last = last_seen.read_last_seen([game.id])[game.id][OTHER[role]]
    return replace(envelope, gone_since=last_seen.gone_since(last, game.started))


def find_witness(game: GameState, envelope: Envelope[ClaimDecided]) -> Envelope[ClaimDecided]:
    """Return a claim with the witness for it, if one is found: it costs too much for the loop."""
    role = game.role_of(envelope.user)
    if role is None or game.ending or not may_claim_decided(game, role):
        return envelope
    witness = find(game.rules, game.state, role, is_counted=game.is_counted)
    return replace(envelope, witness=witness)


def _count_offers(game: GameState, envelope: Envelope[Draw] | Envelope[Takeback]) -> int:
    entries = Entry.objects.filter(game=game.id)
    since = entries.filter(kind__in=("act", "takeback-accept")).aggregate(rev=Max("rev"))["rev"]
    role, kind = game.role_of(envelope.user), envelope.command.kind
    asked = entries.filter(role=role, kind=kind, rev__gt=since or 0)
    return asked.count()


Preloader = Callable[[GameState, Any], Any]
PRELOADERS: Mapping[type, Preloader] = {
    Draw: count_draw_offers,
    Claim: load_absence,
    Flag: begin_for_flag,
    Holiday: read_for_game,
}
# These replay the game or search for a proof, so nothing else may wait for them.
SLOW_PRELOADERS: Mapping[type, Preloader] = {
    Takeback: load_takeback,
    ClaimDecided: find_witness,
}
