"""Folds a ledger from its first entry to its last, as far as it can be followed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from games.audit import ends
from games.audit.acts import act
from games.audit.book import Book, Known, take_back
from games.audit.ends import Result
from games.audit.lines import Broken, Line
from games.audit.times import started
from games.core import OTHER, Rules

NO_LAG = "lag is credited for what costs no time"
Reader = Callable[[Book, Line], Result | None]


def opened(game: str, rules: Rules[Any], line: Line, clock: object, known: Known) -> Book:
    """The book after the first entry; `clock` is the game's option as somebody else keeps it, for
    entries that are too old to say. Raises Broken."""
    if line.kind != "open" or line.role is not None or line.id is not None:
        raise Broken("rev 0: the ledger does not begin with the opening of the game")
    state = rules.start()
    times = started(clock if line.is_old else line.body.get("clock"), rules.control(state), line)
    book = Book(game, rules, times, known, state)
    if line.lag:
        book.complain(line, NO_LAG)
    if not line.is_old and line.body.get("rules") != rules.key:
        book.complain(line, f"the game is opened as {line.body.get('rules')!r}")
    _compare_clock(book, line)
    return book


def read(book: Book, lines: Sequence[Line]) -> None:
    """Reads further entries into the book. Raises Broken where it cannot go on."""
    for line in lines:
        try:
            _read(book, line)
        except Broken as broken:
            raise Broken(f"rev {line.rev}: {broken}") from None


def _read(book: Book, line: Line) -> None:
    if book.ended is not None:
        raise Broken(f"{line.kind} after the end")
    if line.kind not in READERS:
        raise Broken(f"nobody knows what {line.kind!r} is")
    if line.kind in BY_NOBODY and (line.role or line.id):
        book.complain(line, f"{line.kind} is the server's own, and has a role or an id")
    if line.lag and line.kind != "act":
        book.complain(line, NO_LAG)
    book.result = READERS[line.kind](book, line)
    if book.result is not None:
        book.times.stand_still(line.at)
        book.offers, book.ended = {}, line.at
    _compare_clock(book, line)
    if not line.is_old and line.body.get("result") != book.result:
        book.complain(line, f"the result is {line.body.get('result')}, and has to be {book.result}")


def _compare_clock(book: Book, line: Line) -> None:
    shown = book.times.shown(line.at)
    if not line.is_old and line.clock != shown:
        book.complain(line, f"the clocks show {dict(line.clock)}, and have to show {shown}")


def _resign(book: Book, line: Line) -> Result:
    return ends.settled(book.rules, book.state, OTHER[book.role_of(line)], "resigned")


def _abort(book: Book, line: Line) -> Result:
    book.role_of(line)
    if not book.may_abort:
        book.complain(line, "the game is broken off after both have completed a go")
    return ends.void(book.rules, book.state, "aborted")


def _claim(book: Book, line: Line) -> Result:
    book.role_of(line)
    if not book.may_claim:
        book.complain(line, "a draw is claimed that could not be claimed")
    return ends.settled(book.rules, book.state, None, "no_arrows")


def _claim_because_gone(book: Book, line: Line, is_draw: bool) -> Result:
    role = book.role_of(line)
    return ends.settled(book.rules, book.state, None if is_draw else role, "abandoned")


def _flag(book: Book, line: Line) -> Result:
    limit, fallen = book.times.deadline, book.times.first_to_fall
    if limit is None or line.at <= limit:
        raise Broken("a flag falls before its time")
    if len(fallen) == 2:
        return ends.settled(book.rules, book.state, None, "both_flagged")
    return ends.settled(book.rules, book.state, OTHER[fallen[0]], "time")


def _idle(book: Book, line: Line) -> Result:
    if book.times.kind != "none":
        book.complain(line, "a game with a clock is called idle")
    return ends.void(book.rules, book.state, "idle")


def _credit(book: Book, line: Line) -> None:
    ms = line.body.get("ms")
    book.times.give_back(ms if type(ms) is int else 0, line.at)


def _offer(book: Book, line: Line, what: str) -> None:
    role = book.role_of(line)
    if what in book.offers:
        raise Broken("an offer is made while it stands")
    book.offers[what] = {"by": role, "rev": line.rev, "at": line.at}


def _answer(book: Book, line: Line, what: str, is_own: bool) -> None:
    role, offer = book.role_of(line), book.offers.pop(what, None)
    if offer is None or (offer["by"] == role) != is_own:
        raise Broken("an offer is answered or withdrawn that does not stand")


def _agree(book: Book, line: Line) -> Result:
    _answer(book, line, "draw", is_own=False)
    return ends.settled(book.rules, book.state, None, "agreed")


def _take_back(book: Book, line: Line) -> None:
    _answer(book, line, "takeback", is_own=False)
    number = book.begun(OTHER["white" if line.role == "white" else "black"])
    if number is None or line.body.get("to") != number or book.rules.kind == "split":
        raise Broken(f"it leads to turn {line.body.get('to')}, and can only lead to {number}")
    take_back(book, number, line.rev)
    book.times.go_back(book.rules.control(book.state), line.at)


BY_NOBODY = {"flag", "idle", "credit"}
READERS: Mapping[str, Reader] = {
    "act": act,
    "resign": _resign,
    "abort": _abort,
    "claim": _claim,
    "claim-victory": partial(_claim_because_gone, is_draw=False),
    "claim-draw": partial(_claim_because_gone, is_draw=True),
    "flag": _flag,
    "idle": _idle,
    "credit": _credit,
    "draw-offer": partial(_offer, what="draw"),
    "draw-accept": _agree,
    "draw-decline": partial(_answer, what="draw", is_own=False),
    "draw-withdraw": partial(_answer, what="draw", is_own=True),
    "takeback-offer": partial(_offer, what="takeback"),
    "takeback-accept": _take_back,
    "takeback-decline": partial(_answer, what="takeback", is_own=False),
    "takeback-withdraw": partial(_answer, what="takeback", is_own=True),
}
