"""Fold of a ledger: apply its entries in order until the end or a fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from games.audit import results
from games.audit.action_entries import act
from games.audit.claims import claim_decided, read_claims, refuse_claim
from games.audit.clock_times import EARNING_KINDS, start_times
from games.audit.counts import count, read_option
from games.audit.entries import Broken, ParsedEntry
from games.audit.game_record import GameRecord, take_back
from games.audit.results import Result
from games.core import OTHER, ROLES, Role, Rules
from games.ledger import CLAIMS_FORMAT_VERSION, COUNTED_FORMAT_VERSION, LEDGER_FORMAT_VERSION

FORMATS = (LEDGER_FORMAT_VERSION, COUNTED_FORMAT_VERSION, CLAIMS_FORMAT_VERSION)
NO_LAG = "lag is credited to an entry that takes no time"
Reader = Callable[[GameRecord, ParsedEntry], Result | None]


def open_record(game: str, rules: Rules[Any], entry: ParsedEntry) -> GameRecord:
    """Return the record after the first entry. Raises Broken."""
    if entry.kind != "open" or entry.role is not None or entry.id is not None:
        raise Broken("rev 0: the ledger does not begin with the opening of the game")
    state = rules.start()
    if entry.body.get("format") not in FORMATS:
        raise Broken(
            f"rev 0: the format of the ledger is {entry.body.get('format')!r}, not one of {FORMATS}"
        )
    times = start_times(rules.control(state), entry, is_simultaneous=rules.is_simultaneous)
    record = GameRecord(game, rules, times, state)
    if entry.lag:
        record.complain(entry, NO_LAG)
    if entry.body.get("rules") != rules.key:
        record.complain(entry, f"the game is opened as {entry.body.get('rules')!r}")
    if "rated" in entry.body:
        record.is_rated = entry.body["rated"] is True
        if not record.is_rated:
            record.complain(entry, "it says something else than that the game is rated")
    _check_given(record, entry)
    read_option(record, entry)
    read_claims(record, entry)
    _follow_clock(record, entry)
    return record


def _check_given(record: GameRecord, entry: ParsedEntry) -> None:
    """Complain if the number of given turns is invalid, or if a rated game has given turns."""
    given = entry.body.get("given", 1)
    if type(given) is not int or given < 1:
        record.complain(entry, f"{given!r} turns are said to be given")
    if "given" in entry.body and record.is_rated:
        record.complain(entry, "turns are given in a rated game")


def read(record: GameRecord, entries: Sequence[ParsedEntry]) -> None:
    """Apply further entries to the record. Raises Broken where it cannot continue."""
    for entry in entries:
        try:
            _read(record, entry)
        except Broken as broken:
            raise Broken(f"rev {entry.rev}: {broken}") from None


def _read(record: GameRecord, entry: ParsedEntry) -> None:
    if record.ended is not None:
        raise Broken(f"{entry.kind} after the end")
    if entry.kind not in READERS:
        raise Broken(f"unknown kind of entry {entry.kind!r}")
    if entry.kind in SERVER_KINDS and (entry.role or entry.id):
        record.complain(entry, f"{entry.kind} is an entry of the server, but has a role or an id")
    if entry.lag and entry.kind != "act":
        record.complain(entry, NO_LAG)
    record.result = READERS[entry.kind](record, entry)
    if "count" in entry.body and not is_counted(record.result):
        record.complain(entry, "it has a count, but does not end the game by one")
    if record.result is not None:
        record.times.stop_both(entry.at)
        record.offers, record.ended = {}, entry.at
    _follow_clock(record, entry)
    if entry.body.get("result") != record.result:
        record.complain(
            entry, f"the result is {entry.body.get('result')}, but must be {record.result}"
        )


def is_counted(result: Result | None) -> bool:
    """Return whether a result is that of a count of own squares."""
    return result is not None and result["reason"].startswith("counted")


def _follow_clock(record: GameRecord, entry: ParsedEntry) -> None:
    expected = record.times.clock_at(entry.at)
    if entry.kind in ("open", "act", "takeback-accept"):
        record.left = expected
    if entry.clock != expected:
        record.complain(entry, f"the clocks show {dict(entry.clock)}, but must show {expected}")


def _resign(record: GameRecord, entry: ParsedEntry) -> Result:
    return results.agreed_result(
        record.rules, record.state, OTHER[record.role_of(entry)], "resigned"
    )


def _abort(record: GameRecord, entry: ParsedEntry) -> Result:
    record.role_of(entry)
    if not record.may_abort:
        record.complain(entry, "the game is aborted after both roles have completed a turn")
    return results.void(record.rules, record.state, "aborted")


def _claim(record: GameRecord, entry: ParsedEntry) -> Result:
    record.role_of(entry)
    if not record.may_claim:
        record.complain(entry, "a draw is claimed without a right to it")
    return results.agreed_result(record.rules, record.state, None, "no_arrows")


def _claim_because_gone(record: GameRecord, entry: ParsedEntry, is_draw: bool) -> Result:
    role = record.role_of(entry)
    if OTHER[role] in record.times.first_turn:
        record.complain(entry, "the end is claimed during the first turn of the other role")
    return results.agreed_result(record.rules, record.state, None if is_draw else role, "abandoned")


def _flag(record: GameRecord, entry: ParsedEntry) -> Result:
    limit, fallen = record.times.flag_deadline, record.times.first_to_fall
    if limit is None or entry.at <= limit:
        raise Broken("a flag falls before its time")
    if record.times.first_turn.keys() & set(fallen):
        record.absent = record.rules.control(record.state) - record.waiting.keys()
        if entry.body.get("absent") != sorted(record.absent):
            record.complain(entry, f"the absent roles must be {sorted(record.absent)}")
        return results.void(record.rules, record.state, "no_show")
    if len(fallen) == 2:
        return results.agreed_result(record.rules, record.state, None, "both_flagged")
    return results.agreed_result(record.rules, record.state, OTHER[fallen[0]], "time")


def _show(record: GameRecord, entry: ParsedEntry) -> None:
    role, times = record.role_of(entry), record.times
    if times.begin_by is None or role in times.shown:
        raise Broken("a page is shown to a game that does not wait for it")
    times.shown |= {role}
    if times.first_turn.keys() <= times.shown:
        record.complain(entry, "the game does not begin although all pages are shown")


def _begin(record: GameRecord, entry: ParsedEntry) -> None:
    """Start the clocks: by the last page that is shown, or by the server after the wait."""
    times = record.times
    if times.begin_by is None:
        raise Broken("a game begins that has begun")
    if entry.role is None:
        if entry.id is not None:
            record.complain(entry, "the begin is an entry of the server, but has an id")
        if entry.at < times.begin_by:
            raise Broken("the server begins the game before its time")
    else:
        role = record.role_of(entry)
        if role in times.shown or not times.first_turn.keys() <= times.shown | {role}:
            raise Broken("the game begins although not all pages are shown")
    times.begin(record.rules.control(record.state) - record.waiting.keys(), entry.at)


def _idle(record: GameRecord, entry: ParsedEntry) -> Result:
    if entry.body.get("gone") is True:
        if record.times.kind in ("fischer", "limit"):
            record.complain(entry, "a game with a running clock is ended because nobody returns")
        return results.void(record.rules, record.state, "aborted")
    if record.times.kind != "none":
        record.complain(entry, "a game with a clock is ended as idle")
    return results.void(record.rules, record.state, "idle")


def _credit(record: GameRecord, entry: ParsedEntry) -> None:
    ms = entry.body.get("ms")
    record.times.credit_downtime(ms if type(ms) is int else 0, entry.at)


def _holiday(record: GameRecord, entry: ParsedEntry) -> None:
    """Stop the clock of a role for the holidays that its user has taken."""
    role = next((role for role in ROLES if role == entry.body.get("role")), None)
    starts = entry.body.get("starts")
    if role is None or not isinstance(starts, list):
        raise Broken("the holidays of the entry are invalid")
    until = record.times.rest(role, starts, entry.at)
    if entry.body.get("until") != until:
        record.complain(entry, f"the holiday must end at {until}")


def _offer(record: GameRecord, entry: ParsedEntry, what: str) -> None:
    role = record.role_of(entry)
    if what in record.offers:
        raise Broken("an offer is made while the same offer is open")
    record.offers[what] = {"by": role, "rev": entry.rev, "at": entry.at}


def _answer(record: GameRecord, entry: ParsedEntry, what: str, is_own: bool) -> None:
    role, offer = record.role_of(entry), record.offers.pop(what, None)
    if offer is None or (offer["by"] == role) != is_own:
        raise Broken("an offer is answered or withdrawn that is not open")


def _agree(record: GameRecord, entry: ParsedEntry) -> Result:
    _answer(record, entry, "draw", is_own=False)
    return results.agreed_result(record.rules, record.state, None, "agreed")


def _take_back(record: GameRecord, entry: ParsedEntry) -> None:
    _answer(record, entry, "takeback", is_own=False)
    number = record.turn_start(OTHER["white" if entry.role == "white" else "black"])
    if number is None or entry.body.get("to") != number or record.rules.is_simultaneous:
        raise Broken(f"it leads to step {entry.body.get('to')}, but must lead to step {number}")
    returned = _returned_increments(record, entry, number)
    take_back(record, number, entry.rev)
    record.times.restart_after_takeback(record.rules.control(record.state), entry.at, returned)


def _returned_increments(record: GameRecord, entry: ParsedEntry, number: int) -> Mapping[str, int]:
    """Return the milliseconds that go from each clock with the steps from a number on.

    Older entries do not name them: then nothing went.
    """
    if "returned" not in entry.body:
        return {}
    undone, earned = record.steps[number:], Counter[Role]()
    for step in undone:
        earned.update(dict.fromkeys(step.joint, step.earned))
    returned = None
    if record.times.kind in EARNING_KINDS:
        returned = record.times.increments_to_return(earned, undone[0].left, entry.at)
    if entry.body["returned"] != returned:
        record.complain(
            entry, f"the increments returned are {entry.body['returned']}, but must be {returned}"
        )
    return returned or {}


SERVER_KINDS = {"flag", "idle", "credit", "holiday"}
READERS: Mapping[str, Reader] = {
    "act": act,
    "resign": _resign,
    "abort": _abort,
    "claim": _claim,
    "claim-victory": partial(_claim_because_gone, is_draw=False),
    "count": count,
    "claim-decided": claim_decided,
    "claim-refused": refuse_claim,
    "claim-draw": partial(_claim_because_gone, is_draw=True),
    "flag": _flag,
    "shown": _show,
    "begin": _begin,
    "idle": _idle,
    "credit": _credit,
    "holiday": _holiday,
    "draw-offer": partial(_offer, what="draw"),
    "draw-accept": _agree,
    "draw-decline": partial(_answer, what="draw", is_own=False),
    "draw-withdraw": partial(_answer, what="draw", is_own=True),
    "takeback-offer": partial(_offer, what="takeback"),
    "takeback-accept": _take_back,
    "takeback-decline": partial(_answer, what="takeback", is_own=False),
    "takeback-withdraw": partial(_answer, what="takeback", is_own=True),
}
