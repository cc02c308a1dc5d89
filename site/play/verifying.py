"""Whether what the database has of a game is what its ledger leads to.

The ledger is played again by `games.audit`, which knows nothing of how the site keeps or counts
anything; here every column is compared with what comes out.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from django.db import DatabaseError
from msgspec.structs import asdict

from games.audit.book import Book, Turned
from games.audit.lines import chain_faults
from games.audit.record import audited
from games.catalogue import UnknownRules, rules_of
from games.core import ROLES, BadAction, IllegalAction, Role
from games.ledger import commitment, text_of
from play import entries
from play.change import as_json
from play.clocks import Times
from play.live import Offer, Offered, Proof
from play.models import Entry, Game, Sealed, Seat, Turn, result_for

TRIES = 5  # how often a game is read again because it was played on meanwhile


class Withdrawn(Exception):
    """The rule set of a game is no longer there; its hashes are right."""


@dataclass(frozen=True, slots=True)
class Rows:
    """All that the database has of one game, at one rev."""

    game: Game
    seats: Sequence[Seat]
    turns: Sequence[Turn]
    sealed: Sequence[Sealed]
    entries: Sequence[Entry]


def rows_of(slug: str) -> Rows | None:
    """Reads a game; None if there is none. Raises DatabaseError if it does not keep still."""
    for _ in range(TRIES):
        game = Game.objects.filter(slug=slug).first()
        if game is None:
            return None
        rows = Rows(
            game,
            list(Seat.objects.filter(game=game).select_related("user").order_by("role")),
            list(Turn.objects.filter(game=game).order_by("id")),
            list(Sealed.objects.filter(game=game).order_by("role")),
            list(Entry.objects.filter(game=game).order_by("rev")),
        )
        if Game.objects.filter(pk=game.pk, rev=game.rev).exists():
            return rows
    raise DatabaseError(f"game {slug} changes too fast to be read")


def faults_of(rows: Rows) -> list[str]:
    """Everything that is wrong with a game; nothing, if it is right. Raises Withdrawn."""
    game = rows.game
    try:
        written = entries.written(game.slug, rows.entries)
    except ValueError:
        return ["an entry is not JSON"]
    pairs = [(entry.text, entry.hash) for entry in written]
    try:
        rules = rules_of(game.rules)
    except UnknownRules:
        if faults := [*chain_faults(pairs), *_other_rules(rows)]:
            return faults
        raise Withdrawn(f"the rule set {game.rules} is no longer there") from None
    audit = audited(game.slug, rules, pairs, asdict(game.clock), _known(rows.turns))
    faults = [*audit.faults, *_ill_written(rows.entries), *_seats(rows)]
    if audit.book and not audit.faults:
        faults += [*_game(rows, audit.book), *_turns(rows, audit.book), *_sealed(rows, audit.book)]
    return faults


def _other_rules(rows: Rows) -> Iterator[str]:
    """Whether the ledger calls the rules otherwise, if it is not too old to say."""
    opening = json.loads(rows.entries[0].body) if rows.entries else {}
    if opening.get("rules", rows.game.rules) != rows.game.rules:
        yield f"the rules are {rows.game.rules!r}, and the ledger says {opening['rules']!r}"


def _known(turns: Sequence[Turn]) -> Any:
    """What turn `number` was when the entry of a rev was written."""

    def known(number: int, rev: int) -> Mapping[str, str] | None:
        same = [turn for turn in turns if turn.number == number]
        stood = [turn for turn in same if turn.undone is None or turn.undone > rev]
        return _read(stood[0].joint, dict[str, str]) if stood else None

    return known


def _ill_written(rows: Sequence[Entry]) -> Iterator[str]:
    for row in rows:
        for text in (row.clock, row.body):
            if text_of(json.loads(text)) != text:
                yield f"rev {row.rev}: the row is not written as rows are"


def _seats(rows: Rows) -> Iterator[str]:
    if sorted(seat.role for seat in rows.seats) != sorted(ROLES):
        yield f"the seats are {[seat.role for seat in rows.seats]}"
    if len({seat.user_id for seat in rows.seats}) != len(rows.seats):
        yield "one user holds both seats"
    if rows.game.has_bot != any(seat.user.is_bot for seat in rows.seats):
        yield "has_bot is not what the seats say"
    for seat in rows.seats:
        yield from _told(rows, seat)


def _told(rows: Rows, seat: Seat) -> Iterator[str]:
    """What a seat says of its game, and has to."""
    game, others = rows.game, [other.user_id for other in rows.seats if other.pk != seat.pk]
    is_over = game.ended is not None
    right = {
        "against_id": others[0] if others else None,
        "rules": game.rules,
        "result": result_for(seat.role, game.winner, game.reason) if is_over else None,
        "is_shown": game.is_public and (game.watch or is_over),
    }
    for column, value in right.items():
        if getattr(seat, column) != value:
            yield f"{column} of {seat.role} is {getattr(seat, column)!r}, and has to be {value!r}"


def _game(rows: Rows, book: Book) -> Iterator[str]:
    """The columns of the game, each with what the ledger leads to."""
    game, times, end = rows.game, book.times, book.result or {}
    clock = {"kind": times.kind, "initial": times.initial, "increment": times.increment}
    right = {
        "rev": len(rows.entries) - 1,
        "head": rows.entries[-1].hash,
        "turn": len(book.turns),
        "position": book.rules.write(book.state),
        "deadline": times.deadline,
        "takebacks": book.takebacks,
        "winner": end.get("winner") or "",
        "reason": end.get("reason", ""),
        "goals": as_json(end["goals"]) if end else "",
        "created": rows.entries[0].received_at,
        "changed": rows.entries[-1].received_at,
        "ended": book.ended,
    }
    for column, value in right.items():
        if getattr(game, column) != value:
            yield f"{column} is {getattr(game, column)!r}, and has to be {value!r}"
    if asdict(game.clock) != clock:
        yield f"the clock is {asdict(game.clock)}, and has to be {clock}"
    shown = Times(times.left, times.since, times.running, times.lag)
    if _read(game.times, Times) != shown:
        yield f"times is {game.times!r}, and has to be {as_json(shown)!r}"
    offers = {what: Offer(**offer) for what, offer in book.offers.items()}
    if _read(game.offers, dict[Offered, Offer]) != offers:
        yield f"offers is {game.offers!r}, and has to be {as_json(offers)!r}"


def _turns(rows: Rows, book: Book) -> Iterator[str]:
    """The turns that stand, and those that were taken back."""
    kept = sorted((turn.undone or 0, turn.number, *_columns(turn)) for turn in rows.turns)
    right = sorted(
        (rev, turn.number, *_right(turn))
        for rev, turn in [*((0, turn) for turn in book.turns), *book.undone]
    )
    if len(kept) != len(right):
        yield f"there are {len(kept)} turns, and there have to be {len(right)}"
    for turn, other in zip(kept, right, strict=False):
        if turn != other:
            yield f"turn {turn[1]} is {turn!r}, and has to be {other!r}"


def _columns(turn: Turn) -> tuple[object, ...]:
    return turn.joint, turn.at, turn.spent, turn.seals


def _right(turn: Turned) -> tuple[object, ...]:
    proofs = {role: Proof(**seal) for role, seal in turn.seals.items()}
    return as_json(turn.joint), turn.at, as_json(turn.spent), as_json(proofs)


def _sealed(rows: Rows, book: Book) -> Iterator[str]:
    """What waits for the other role: it has to open what was committed to."""
    number = len(book.turns)
    kept = [(seal.role, seal.number, seal.at, seal.spent) for seal in rows.sealed]
    right = [(role, number, seal.at, seal.spent) for role, seal in book.waiting.items()]
    if kept != right:
        yield f"there waits {kept}, and there has to wait {right}"
        return
    for row in rows.sealed:
        role: Role = "white" if row.role == "white" else "black"
        made = commitment(book.game, number, role, row.action, row.salt)
        if book.waiting[role].commitment not in (None, made):  # the action itself is not told
            yield f"the seal of {role} does not open what was committed to"
        try:
            book.rules.check(book.state, role, book.rules.parse(row.action))
        except (BadAction, IllegalAction):
            yield f"the rules do not allow what {role} has sealed"


def _read(text: str, kind: Any) -> Any:
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.ValidationError, msgspec.DecodeError):
        return None
