"""Reads games from the database: as they are, and as they were.

A record is replayed by the rules; a value that a process has is only caught up with what is new.
Many games are read as one is: with one query a table.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from accounts.redaction import shorten_key
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

# Of each game the turns in its span that stood at its rev.
TURNS = """
WITH span(game, rev, first, past) AS (VALUES {})
SELECT turn.* FROM span JOIN play_turn AS turn ON turn.game_id = span.game
WHERE turn.number >= span.first AND turn.number < span.past
AND (turn.undone IS NULL OR turn.undone > span.rev) ORDER BY turn.game_id, turn.number, turn.id
"""
log = logging.getLogger("quiver.play")


class Span(NamedTuple):
    """Turns of a game as they stood at a rev: from number `first` to before `end`."""

    game: int
    rev: int
    first: int
    end: int


class Unreadable(Exception):
    """What the database has of a game cannot be read; the log says why."""


def fetch(slug: str) -> Live | None:
    """Reads a game by its slug and replays its record; None if there is no such game."""
    row = Game.objects.filter(slug=slug).first()
    if row is None:
        return None
    rules = rules_of(row.rules)
    start = rules.start()
    new = Live(
        id=row.pk,
        slug=row.slug,
        rules=rules,
        clock=row.clock,
        people=_people([row.pk])[row.pk],
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
        state=start,
        control=rules.control(start),
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
    return _known(_read([(new, row)])[row.pk])


def refresh(live: Live) -> Live | None:
    """The same game at the rev that the database has now; the same object if that is its own, and
    None if the game has been erased."""
    return _known(refresh_many([live])[0])


def refresh_many(lives: Sequence[Live]) -> list[Live | Unreadable | None]:
    """What `refresh` answers for each of some games; one that cannot be read harms no other."""
    rows = Game.objects.in_bulk([live.id for live in lives])
    newer = [live for live in lives if live.id in rows and rows[live.id].rev != live.rev]
    people = _people([live.id for live in newer])
    fresh = _read([(replace(each, people=people[each.id]), rows[each.id]) for each in newer])
    return [fresh.get(live.id, live if live.id in rows else None) for live in lives]


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
    return _turns([Span(game, rev, first, end)])[game]


def _turns(spans: Sequence[Span]) -> Mapping[int, list[Turn]]:
    """The turns of some games by game."""
    stood: dict[tuple[int, int], Turn] = {}
    asked = [span for span in spans if span.first < span.end]
    if asked:
        marks = ", ".join("(%s, %s, %s, %s)" for _ in asked)
        values = [number for span in asked for number in span]
        for turn in Turn.objects.raw(TURNS.format(marks), values):
            stood.setdefault((turn.game_id, turn.number), turn)
    turns = defaultdict(list)
    for (game, _), turn in stood.items():
        turns[game].append(turn)
    return turns


def _people(games: Sequence[int]) -> Mapping[int, Mapping[Role, Person]]:
    """Who holds the seats of some games, under the names that they have now."""
    people: defaultdict[int, dict[Role, Person]] = defaultdict(dict)
    seats = Seat.objects.filter(game__in=games) if games else Seat.objects.none()
    names = ("username", "is_guest", "is_bot", "level")
    about = [f"user__{name}" for name in names]
    for game, role, *person in seats.values_list("game_id", "role", "user_id", *about):
        people[game][role] = Person(*person)
    return people


def _seals(games: Sequence[Game]) -> Mapping[int, list[Sealed]]:
    """What is sealed for the open turns of some games."""
    numbers, seals = {row.pk: row.turn for row in games}, defaultdict(list)
    for seal in Sealed.objects.filter(game__in=numbers) if numbers else ():
        if seal.number == numbers[seal.game_id]:
            seals[seal.game_id].append(seal)
    return seals


def _read(games: Sequence[tuple[Live, Game]]) -> dict[int, Live | Unreadable]:
    """Games as their rows say, by id.

    Turns are read up to a row's number only: what was committed since has a rev of its own.
    Seals, which wait only where roles decide together, come and go with every commit; so there all
    is read again until no other process has committed in between: a rev is never shown in two ways.
    """
    if not games:
        return {}
    held = [live if live.takebacks == row.takebacks else unplayed(live) for live, row in games]
    rows = [row for _, row in games]
    turns = _turns([Span(r.pk, r.rev, h.turn, r.turn) for h, r in zip(held, rows, strict=True)])
    together = [row for live, row in games if live.rules.kind == "split"]
    seals = _seals(together)
    moved = _moved([row for row in together if not row.ended])
    read = _read([(live, moved[row.pk]) for live, row in games if row.pk in moved])
    for live, row in zip(held, rows, strict=True):
        if row.pk not in moved:
            read[row.pk] = _caught_up_or_not(live, row, turns[row.pk], seals[row.pk])
    return read


def _moved(rows: Sequence[Game]) -> dict[int, Game]:
    """Those games that have another rev by now, as they are now."""
    if not rows:
        return {}
    now = Game.objects.in_bulk([row.pk for row in rows])
    return {row.pk: now[row.pk] for row in rows if row.pk in now and now[row.pk].rev != row.rev}


def _known(read: Live | Unreadable | None) -> Live | None:
    """What was read of one game. Raises `Unreadable`."""
    if isinstance(read, Unreadable):
        raise read
    return read


def _caught_up_or_not(
    live: Live, row: Game, turns: Iterable[Turn], seals: Iterable[Sealed]
) -> Live | Unreadable:
    try:
        return _caught_up(live, row, turns, seals)
    except Exception as error:
        log.exception("game %s cannot be read", shorten_key(row.slug))
        return Unreadable(row.slug, error)


def _caught_up(live: Live, row: Game, turns: Iterable[Turn], seals: Iterable[Sealed]) -> Live:
    """The game as its row says, with the turns that this value lacked played in order."""
    for turn in turns:
        live = _replayed(live, turn)
    if live.turn != row.turn:
        raise Unreadable(f"{live.turn} of {row.turn} turns are there")  # it is just being erased
    waiting = {seal.role: _seal(live, seal) for seal in seals}
    return replace(
        live,
        rev=row.rev,
        head=row.head,
        changed=row.changed,
        ended=row.ended,
        takebacks=row.takebacks,
        times=msgspec.json.decode(row.times, type=Times),
        sealed=waiting,
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
