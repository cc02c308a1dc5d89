"""Decide the notices of a game from its current state: pure.

The same game gives the same notices however often it is examined, so that a crash in between
neither loses nor duplicates one.
"""

from collections.abc import Iterable, Sequence

from games.core import OTHER, ROLES, Role
from notices.derive.game_view import GameView, News, SeatView, same_turn, turn_serial
from notices.models import TURN_KINDS, Kind, Notice
from notices.records import Batch, Draft, Move
from play.domain.clocks import MINUTE_MS, RUNNING_KINDS
from play.domain.holidays import HOLIDAY_MS
from play.models import FRESH_MS, result_for

MIN_WARNED_TURN_MS = 120 * MINUTE_MS  # shorter turns have no warnings
WARNINGS = ((Kind.HALF, 0.5), (Kind.LAST, 0.9))  # with the part of the turn that has gone
MIN_GAP_MS = 15 * MINUTE_MS  # between two notices of a turn
REWARN_MS = 60 * MINUTE_MS  # a deadline postponed by this much gets another warning
OWN_HOLIDAY = "holiday"  # subject of notices of a user's own holidays
ARRIVAL_MS = 5_000  # in which the page of a running game opens


def derive(game: GameView, news: News, open_notices: Sequence[Notice], at: int) -> Batch:
    """Return the changes of notices by news about a game, as of `at` (epoch ms)."""
    batch = Batch()
    for role in ROLES:
        seat = game.seats[role]
        own = [notice for notice in open_notices if notice.user_id == seat.user]
        if not news.is_open:
            if role in (news.sealed_by or ()):
                _close_turns(batch, game, role, own)
            continue
        _close_turns(batch, game, role, own)
        _add_offers(batch, game, role, own)
        if not seat.is_told:
            continue
        _add_holidays(batch, game, role, news)
        if game.ended is not None:
            _add_end(batch, game, role, news)
        elif role in waiting_roles(game):
            _add_turn(batch, game, role, own, at)
    if game.ended is not None:
        plays = [notice.pk for notice in open_notices if notice.kind == Kind.PLAYS]
        batch.closing += plays
    return batch


def waiting_roles(game: GameView) -> frozenset[Role]:
    """Return the roles that still have to act in the open step."""
    return frozenset() if game.ended is not None else game.control - game.sealed


def looks_again_at(game: GameView, news: News, at: int) -> int | None:
    """Return when to look at a running game again, since a page may still open; else None.

    In a simultaneous game that depends on both seats, sealed or not: else the moment of a notice
    would tell whether the opponent has sealed.
    """
    if game.clock.kind not in RUNNING_KINDS or not news.is_open:
        return None
    again = game.moment + ARRIVAL_MS
    is_awaited = any(
        game.seats[role].is_told and not _is_open(game.seats[role], at)
        for role in (ROLES if game.is_simultaneous else waiting_roles(game))
    )
    return again if is_awaited and at < again else None


def own_deadline(game: GameView, role: Role) -> int | None:
    """Return when the clock of a role is spent, holidays counted; None if it does not run."""
    times = game.times
    if game.clock.kind == "none" or times.begin_by is not None or role not in times.running:
        return None
    return times.deadline_of(role)


def _close_turns(batch: Batch, game: GameView, role: Role, own: Iterable[Notice]) -> None:
    """Close the notices of turns that have been made or taken back, or were cut short."""
    serial = turn_serial(game.takebacks, game.turns)
    is_waiting = role in waiting_roles(game)
    batch.closing += [
        notice.pk
        for notice in own
        if notice.kind in TURN_KINDS and not (is_waiting and same_turn(notice.serial, serial))
    ]


def _add_offers(batch: Batch, game: GameView, role: Role, own: Iterable[Notice]) -> None:
    """Record the offers of the other role that stand, and close those that do not."""
    seat, other = game.seats[role], OTHER[role]
    standing = {
        offer.rev: (what, offer) for what, offer in game.offers.items() if offer.by == other
    }
    batch.closing += [
        notice.pk for notice in own if notice.kind == Kind.OFFER and notice.serial not in standing
    ]
    if game.ended is not None or not seat.is_told:
        return
    for rev, (what, offer) in standing.items():
        data = {"rules": game.key, "opponent": game.seats[other].name, "what": what}
        is_read = _is_visible(seat, offer.at)
        batch.drafts.append(
            Draft(seat.user, Kind.OFFER, game.slug, rev, data, offer.at, offer.at, is_read=is_read)
        )


def _add_holidays(batch: Batch, game: GameView, role: Role, news: News) -> None:
    """Record the holidays that have stopped a clock of the game: once to their user, whichever of
    the user's games has them, and once a game to the opponent."""
    user = game.seats[role].user
    for resting, until in news.holidays.items():
        start = until - HOLIDAY_MS
        data = {"until": until, "game": game.slug}
        subject = OWN_HOLIDAY
        if resting != role:
            subject = game.slug
            data |= {"rules": game.key, "opponent": game.seats[resting].name}
        batch.drafts.append(Draft(user, Kind.HOLIDAY, subject, start, data, start, start, until))


def _add_end(batch: Batch, game: GameView, role: Role, news: News) -> None:
    """Record the end of a game, unless this role made it at its page or saw it."""
    assert game.ended is not None
    seat = game.seats[role]
    is_seen = _is_visible(seat, game.ended)
    has_made = news.last_role == role and _is_open(seat, game.ended)
    if has_made or (is_seen and game.clock.kind in RUNNING_KINDS):
        return
    data = {
        "rules": game.key,
        "opponent": game.seats[OTHER[role]].name,
        "result": result_for(role, game.winner, game.reason),
        "reason": game.reason,
    }
    end = game.ended
    draft = Draft(seat.user, Kind.ENDED, game.slug, 0, data, end, end, is_read=is_seen)
    batch.drafts.append(draft)


def _add_turn(batch: Batch, game: GameView, role: Role, own: Sequence[Notice], at: int) -> None:
    """Record that it is a role's turn, with its warnings, or move them with their deadline."""
    seat = game.seats[role]
    if game.clock.kind in RUNNING_KINDS and (_is_open(seat, at) or at < game.moment + ARRIVAL_MS):
        return
    serial = turn_serial(game.takebacks, game.turns)
    deadline, start = own_deadline(game, role), min(game.moment, at)
    data = {
        "rules": game.key,
        "opponent": game.seats[OTHER[role]].name,
        "deadline": deadline,
        "is_first": game.turns < (1 if game.is_simultaneous else len(ROLES)),
    }
    current = [notice for notice in own if same_turn(notice.serial, serial)]
    is_told = any(notice.kind == Kind.TURN for notice in current)
    if not is_told:
        is_read = _is_visible(seat, start)
        draft = Draft(
            seat.user, Kind.TURN, game.slug, serial, data, start, start, deadline, is_read
        )
        batch.drafts.append(draft)
    if deadline is None:
        return
    # Excludes the time of a stopped clock: otherwise the last tenth of a turn could begin before a
    # holiday.
    left = game.times.remaining_at(role, game.moment)
    length = game.clock.initial if game.clock.kind == "days" else left
    for notice in current:
        if notice.expires is not None and notice.expires != deadline:
            batch.moves.append(_moved(notice, deadline, at))
    if length < MIN_WARNED_TURN_MS:
        return
    for kind, part in WARNINGS:
        due = deadline - round(length * (1 - part))
        known = [notice for notice in current if notice.kind == kind]
        number = _warning_number(known, deadline, due, at)
        if number is None or (kind == Kind.HALF and due < at + (0 if is_told else MIN_GAP_MS)):
            continue
        draft = Draft(seat.user, kind, game.slug, serial + number, data, due, due, deadline)
        batch.drafts.append(draft)


def _warning_number(known: Sequence[Notice], deadline: int, due: int, at: int) -> int | None:
    """Return the number of a warning to record in its turn; None if there is one already.

    A warning that was due before the deadline was postponed (a holiday, a long outage) is repeated.
    """
    if not known:
        return 0
    last = max(known, key=lambda notice: notice.serial)
    is_stale = last.due <= at and due > at
    if not is_stale or deadline - (last.expires or deadline) < REWARN_MS:
        return None
    return (last.serial & 0xFF) + 1


def _moved(notice: Notice, deadline: int, at: int) -> Move:
    """Return an open notice with another deadline; one that is not due yet moves along."""
    later = notice.due + deadline - (notice.expires or deadline)
    due = notice.due if notice.due <= at else later
    return Move(notice.pk, due, deadline, {**notice.data, "deadline": deadline})


def _is_open(seat: SeatView, at: int) -> bool:
    """Return whether a page of a seat was open in the last 15 s."""
    return seat.seen > at - FRESH_MS


def _is_visible(seat: SeatView, at: int) -> bool:
    """Return whether a page of a seat was visible at `at`, or is now."""
    return seat.visible > at - FRESH_MS
