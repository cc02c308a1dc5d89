"""Verify that the stored rows of a game match its ledger.

`games.audit` replays the ledger without the site's code; here every column is compared with its
result.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from django.db import DatabaseError
from msgspec.structs import asdict

from games.audit.entries import chain_faults
from games.audit.game_record import GameRecord, PlayedStep
from games.audit.record import audit_ledger
from games.catalogue import UnknownRules, rules_of
from games.core import NOBODY, ROLES, BadAction, IllegalAction, Role
from games.ledger import commitment, text_of
from play.domain.change import as_json
from play.domain.clocks import Pause, Times
from play.domain.game_state import Offer, Offered, Proof
from play.models import Entry, Game, Sealed, Seat, Step, seat_result
from play.storage import ledger_entries

NO_HOLIDAYS, NO_LAG_BUDGET = ',"holidays":{}', ',"lag_budget":{}'
MAX_READS = 5  # reads of a game that changes meanwhile


class Withdrawn(Exception):
    """The rule set of a game no longer exists; the hashes of its ledger are right."""


@dataclass(frozen=True, slots=True)
class Rows:
    """All rows of one game, at one rev."""

    game: Game
    seats: Sequence[Seat]
    steps: Sequence[Step]
    sealed: Sequence[Sealed]
    entries: Sequence[Entry]


def rows_of(slug: str) -> Rows | None:
    """Read the rows of a game; None if there is none.

    Raise DatabaseError if the game changes too often.
    """
    for _ in range(MAX_READS):
        game = Game.objects.filter(slug=slug).first()
        if game is None:
            return None
        rows = Rows(
            game,
            list(Seat.objects.filter(game=game).select_related("user").order_by("role")),
            list(Step.objects.filter(game=game).order_by("id")),
            list(Sealed.objects.filter(game=game).order_by("role")),
            list(Entry.objects.filter(game=game).order_by("rev")),
        )
        if Game.objects.filter(pk=game.pk, rev=game.rev).exists():
            return rows
    raise DatabaseError(f"game {slug} changes too often to be read")


def faults_of(rows: Rows) -> list[str]:
    """Return all faults of a game; an empty list if it is right. Raise Withdrawn."""
    return audit_rows(rows)[0]


def audit_rows(rows: Rows) -> tuple[list[str], GameRecord | None]:
    """Return all faults of a game, and the record that its ledger yields. Raise Withdrawn.

    Without a fault there is a record.
    """
    game = rows.game
    try:
        written = ledger_entries.entries_of(game.slug, rows.entries)
    except ValueError:
        return ["an entry is not JSON"], None
    pairs = [(entry.text, entry.hash) for entry in written]
    try:
        rules = rules_of(game.rules)
    except UnknownRules:
        if faults := [*chain_faults(pairs), *_check_rules(rows)]:
            return faults, None
        raise Withdrawn(f"the rule set {game.rules} no longer exists") from None
    audit = audit_ledger(game.slug, rules, pairs)
    absent = audit.record.absent if audit.record else NOBODY
    faults = [*audit.faults, *_check_entries(rows.entries), *_check_seats(rows, absent)]
    if audit.record and not audit.faults:
        faults += [
            *_check_game(rows, audit.record),
            *_check_steps(rows, audit.record),
            *_check_seal(rows, audit.record),
        ]
    return faults, audit.record


def _check_rules(rows: Rows) -> Iterator[str]:
    """Compare the rules of the row with those of the opening entry."""
    opening = json.loads(rows.entries[0].body) if rows.entries else {}
    if opening.get("rules", rows.game.rules) != rows.game.rules:
        yield f"the rules are {rows.game.rules!r}, expected {opening['rules']!r}"


def _check_entries(rows: Sequence[Entry]) -> Iterator[str]:
    for row in rows:
        for text in (row.clock, row.body):
            if text_of(json.loads(text)) != text:
                yield f"rev {row.rev}: the JSON of the row is not canonical"


def _check_seats(rows: Rows, absent: frozenset[Role]) -> Iterator[str]:
    if sorted(seat.role for seat in rows.seats) != sorted(ROLES):
        yield f"the seats are {[seat.role for seat in rows.seats]}"
    if len({seat.user_id for seat in rows.seats}) != len(rows.seats):
        yield "one user holds both seats"
    if rows.game.has_bot != any(seat.user.is_bot for seat in rows.seats):
        yield "has_bot does not match the seats"
    for seat in rows.seats:
        yield from _check_seat(rows, seat, seat.role in absent)


def _check_seat(rows: Rows, seat: Seat, is_absent: bool) -> Iterator[str]:
    """Compare the columns of a seat with the game and the other seat."""
    game, others = rows.game, [other.user_id for other in rows.seats if other.pk != seat.pk]
    is_over = game.ended is not None
    right = {
        "against_id": others[0] if others else None,
        "rules": game.rules,
        "result": seat_result(seat.role, game.winner, game.reason, is_absent) if is_over else None,
        "is_shown": game.is_public and (game.watch or is_over),
    }
    for column, value in right.items():
        if getattr(seat, column) != value:
            yield f"{column} of {seat.role} is {getattr(seat, column)!r}, expected {value!r}"


def _check_game(rows: Rows, record: GameRecord) -> Iterator[str]:
    """Compare the columns of the game with the result of the ledger."""
    game, times, end = rows.game, record.times, record.result or {}
    clock = {"kind": times.kind, "initial": times.initial, "increment": times.increment}
    right = {
        "rev": len(rows.entries) - 1,
        "head": rows.entries[-1].hash,
        "step": len(record.steps),
        "position": record.rules.write(record.state),
        "deadline": times.deadline,
        "takebacks": record.takebacks,
        "winner": end.get("winner") or "",
        "reason": end.get("reason", ""),
        "goals": as_json(end["goals"]) if end else "",
        "created": rows.entries[0].received_at,
        "changed": rows.entries[-1].received_at,
        "ended": record.ended,
        "is_rated": record.is_rated,
        "is_counted": record.is_counted,
        "claims": None if record.claims is None else as_json(record.claims),
    }
    for column, value in right.items():
        if getattr(game, column) != value:
            yield f"{column} is {getattr(game, column)!r}, expected {value!r}"
    if asdict(game.clock) != clock:
        yield f"the clock is {asdict(game.clock)}, expected {clock}"
    expected = Times(
        left=times.left,
        since=times.since,
        running=times.running,
        lag=times.lag,
        first_turn=times.first_turn,
        begin_by=times.begin_by,
        shown=times.shown,
        reveal_pause=times.reveal_pause,
        holidays={role: Pause(*pause) for role, pause in times.holidays.items()},
        lag_budget=times.lag_budget,
    )
    right_times = [as_json(expected)]
    # Rows written before there were budgets, or holidays, lack the fields.
    right_times += [each.replace(NO_LAG_BUDGET, "") for each in right_times]
    right_times += [each.replace(NO_HOLIDAYS, "") for each in right_times]
    if game.times not in right_times:
        yield f"times is {game.times!r}, expected {as_json(expected)!r}"
    offers = {what: Offer(**offer) for what, offer in record.offers.items()}
    if _read(game.offers, dict[Offered, Offer]) != offers:
        yield f"offers is {game.offers!r}, expected {as_json(offers)!r}"


def _check_steps(rows: Rows, record: GameRecord) -> Iterator[str]:
    """Compare the standing steps and those taken back."""
    kept = sorted((step.undone or 0, step.number, *_row_columns(step)) for step in rows.steps)
    right = sorted(
        (rev, step.number, *_expected_columns(step))
        for rev, step in [*((0, step) for step in record.steps), *record.undone]
    )
    if len(kept) != len(right):
        yield f"there are {len(kept)} steps, expected {len(right)}"
    for step, other in zip(kept, right, strict=False):
        # Rows of older processes lack what was earned.
        if step != other and (step[-1] is not None or step[:-1] != other[:-1]):
            yield f"step {step[1]} is {step!r}, expected {other!r}"


def _row_columns(step: Step) -> tuple[object, ...]:
    return step.joint, step.at, step.spent, step.seals, step.is_ahead, step.earned


def _expected_columns(step: PlayedStep) -> tuple[object, ...]:
    proofs = {role: Proof(**seal) for role, seal in step.seals.items()}
    spent = as_json(step.spent)
    return as_json(step.joint), step.at, spent, as_json(proofs), step.is_ahead, step.earned


def _check_seal(rows: Rows, record: GameRecord) -> Iterator[str]:
    """Compare the waiting seals; each has to open its commitment."""
    number = len(record.steps)
    kept = [(seal.role, seal.number, seal.at, seal.spent) for seal in rows.sealed]
    right = [(role, number, seal.at, seal.spent) for role, seal in record.waiting.items()]
    if kept != right:
        yield f"the waiting seals are {kept}, expected {right}"
        return
    for row in rows.sealed:
        role: Role = "white" if row.role == "white" else "black"
        made = commitment(record.game, number, role, row.action, row.salt)
        if record.waiting[role].commitment != made:  # the action itself is not printed
            yield f"the seal of {role} does not open its commitment"
        try:
            record.rules.check(record.state, role, record.rules.parse(row.action))
        except (BadAction, IllegalAction):
            yield f"the rules do not allow what {role} has sealed"


def _read(text: str, kind: Any) -> Any:
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.ValidationError, msgspec.DecodeError):
        return None
