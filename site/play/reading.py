"""Reads games from the database: as they are, and as they were.

A record is replayed by the rules; a value that a process has is only caught up with what is new.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from games.catalogue import rules_of
from games.core import Action, Role, Rules, assemble
from play.clocks import Times
from play.live import (
    Done,
    Ending,
    Live,
    Offer,
    Offered,
    Person,
    Proof,
    Seal,
    Seen,
    played,
    sealed,
    unplayed,
)
from play.models import Game, Sealed, Seat, Turn


def fetch(slug: str) -> Live | None:
    """Reads a game by its slug and replays its record; None if there is no such game."""
    row = Game.objects.filter(slug=slug).first()
    if row is None:
        return None
    rules = rules_of(row.rules)
    new = Live(
        id=row.pk,
        slug=row.slug,
        rules=rules,
        clock=row.clock,
        people=_people(row),
        public=row.is_public,
        watch=row.watch,
        lobby=row.lobby,
        started=row.created,
        rev=-1,
        head="",
        changed=row.created,
        ended=None,
        takebacks=0,
        turn=0,
        state=rules.start(),
        times=Times({}, 0, frozenset()),
        sealed={},
        offers={},
        ending=None,
        quiet=0,
        placed=False,
        last=(),
        begun={},
        completed=frozenset(),
    )
    return _read(new, row)


def refresh(live: Live) -> Live | None:
    """The same game at the rev that the database has now; the same object if that is its own, and
    None if the game has been erased."""
    row = Game.objects.filter(pk=live.id).first()
    if row is None:
        return None
    if row.rev == live.rev:
        return live
    return _read(replace(live, people=_people(row)), row)


def record(live: Live) -> tuple[Seen, ...]:
    """All turns of a game up to this value's, for the move list; replayed from the start."""
    return tuple(done.seen for done in replayed(live))


def replayed(live: Live) -> list[Done]:
    """All turns of a game up to this value's, each with the state after it."""
    now, done = unplayed(live), []
    for turn in turns_of(live.id, live.rev, 0, live.turn):
        now = _replayed(now, turn)
        spent = msgspec.json.decode(turn.spent, type=dict[Role, int])
        done.append(Done(now.last[-1], now.state, turn.at, spent))
    return done


def rewound(live: Live, number: int) -> Live:
    """The game as it was before turn `number`, replayed from the start; clocks and rev stay."""
    now = unplayed(live)
    for turn in turns_of(live.id, live.rev, 0, number):
        now = _replayed(now, turn)
    return now


def turns_of(game: int, rev: int, first: int, end: int) -> list[Turn]:
    """The turns from number `first` to before `end` that stood at a rev, in order.

    What has been taken back or played anew since then does not matter.
    """
    rows = Turn.objects.filter(game=game, number__gte=first, number__lt=end)
    stood: dict[int, Turn] = {}
    for turn in rows.exclude(undone__lte=rev).order_by("number", "id"):
        stood.setdefault(turn.number, turn)
    return list(stood.values())


def _people(row: Game) -> Mapping[Role, Person]:
    """Who holds the seats, under the names that they have now."""
    seats = Seat.objects.filter(game=row).select_related("user")
    return {
        seat.role: Person(  # type: ignore[misc]
            seat.user_id,
            seat.user.username,
            seat.user.is_guest,
            seat.user.is_bot,
            seat.user.level,
        )
        for seat in seats
    }


def _read(live: Live, row: Game) -> Live:
    """Turns are read up to the row's number only: what was committed since has a rev of its own.

    Seals come and go with every commit, so where there may be some, all is read again until no
    other process has committed in between: a rev is never shown in two ways.
    """
    if live.takebacks != row.takebacks:
        live = unplayed(live)
    turns = turns_of(row.pk, row.rev, live.turn, row.turn)
    seals = list(Sealed.objects.filter(game=row, number=row.turn))
    if live.rules.kind == "split" and row.ended is None:
        fresh = Game.objects.get(pk=row.pk)
        if fresh.rev != row.rev:
            return _read(live, fresh)
    return _caught_up(live, row, turns, seals)


def _caught_up(live: Live, row: Game, turns: Iterable[Turn], seals: Iterable[Sealed]) -> Live:
    """The game as its row says, with the turns that this value lacked played in order."""
    for turn in turns:
        live = _replayed(live, turn)
    waiting = {seal.role: _seal(live, seal) for seal in seals}
    return replace(
        live,
        rev=row.rev,
        head=row.head,
        changed=row.changed,
        ended=row.ended,
        takebacks=row.takebacks,
        times=msgspec.json.decode(row.times, type=Times),
        sealed=waiting,  # type: ignore[arg-type]
        offers=msgspec.json.decode(row.offers, type=dict[Offered, Offer]),
        ending=_ending(row),
    )


def _replayed(live: Live, turn: Turn) -> Live:
    """The game after one more recorded turn."""
    proofs = msgspec.json.decode(turn.seals, type=dict[Role, Proof])
    return played(live, _joint(live.rules, live.state, turn.joint), proofs)


def _seal(live: Live, row: Sealed) -> Seal:
    role: Role = row.role  # type: ignore[assignment]
    return sealed(live, role, live.rules.parse(row.action), row.spent, row.salt)


def _joint(rules: Rules[Any], state: Any, text: str) -> Mapping[Role, Action]:
    acts = msgspec.json.decode(text, type=dict[str, str])
    return assemble(rules, state, {role: rules.parse(act) for role, act in acts.items()})  # type: ignore[misc]


def _ending(row: Game) -> Ending | None:
    if row.ended is None:
        return None
    goals = msgspec.json.decode(row.goals, type=dict[str, int])
    return Ending(row.winner or None, goals, row.reason)  # type: ignore[arg-type]
