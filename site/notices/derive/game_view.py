"""Games as notices see them: rows of changed games and their seats, loaded for many at once.

A view reveals nothing about a sealed action to the other role: deadlines are per role, and `moment`
is when the open step began, not when the game last changed.
"""

import logging
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import msgspec

from games.catalogue import rules_of
from games.core import ROLES, Role
from notices.models import Kind, Notice
from notices.records import may_be_told
from play.domain.clocks import Clock, Times
from play.domain.game_state import Offer, Offered
from play.models import Entry, Game, Sealed, Seat
from telemetry.redaction import shorten_key

TURN_SHIFT, TAKEBACK_SHIFT = 8, 32  # bits of a serial, see `turn_serial`
GAME_KINDS = (Kind.TURN, Kind.HALF, Kind.LAST, Kind.OFFER, Kind.PLAYS)  # they end with a game
log = logging.getLogger("quiver.notices")


@dataclass(frozen=True, slots=True)
class SeatView:
    """The holder of a seat."""

    user: int
    name: str
    is_told: bool  # can read a notice, see `records.may_be_told`
    is_bot: bool
    is_account: bool
    seen: int  # when a page of the seat was last open, epoch ms
    visible: int  # when such a page was last visible


@dataclass(frozen=True, slots=True)
class GameView:
    """A game at its current rev, without its position."""

    slug: str
    key: str  # of the rules
    clock: Clock
    times: Times
    moment: int  # when the open step began
    created: int
    turns: int  # completed, of those that stand
    takebacks: int
    is_simultaneous: bool
    control: frozenset[Role]
    sealed: frozenset[Role]
    offers: Mapping[Offered, Offer]
    ended: int | None
    winner: str
    reason: str
    is_watchable: bool  # anyone may find and watch it while it runs
    lobby: str
    seats: Mapping[Role, SeatView]


@dataclass
class News:
    """The facts about a game that its new entries hold."""

    opened: bool = False  # the opening is among them
    is_open: bool = False  # something changed that both players know of
    sealed_by: set[Role] | None = None  # roles that have sealed; never revealed to others
    last_role: str | None = None  # role of the newest entry; None: the server
    holidays: dict[Role, int] = field(default_factory=dict)  # ends of those that stopped a clock


def turn_serial(takebacks: int, turns: int) -> int:
    """Return the serial of the notices of a turn; it grows, also after a takeback.

    The low bits are zero: they number the warnings of a turn whose deadline was postponed.
    """
    return (takebacks << TAKEBACK_SHIFT) | (turns << TURN_SHIFT)


def same_turn(one: int, other: int) -> bool:
    """Return whether two serials belong to the same turn."""
    return one >> TURN_SHIFT == other >> TURN_SHIFT


def is_secret(entry: Entry) -> bool:
    """Return whether an entry is a sealed action that still waited when it was written."""
    if entry.kind != "act":
        return False
    body = msgspec.json.decode(entry.body)
    return "commitment" in body and "reveal" not in body


def note_entry(news: News, entry: Entry) -> None:
    """Add an entry's facts to the news about its game."""
    if is_secret(entry):
        news.sealed_by = (news.sealed_by or set()) | {entry.role}  # type: ignore[arg-type]
        return
    news.opened |= entry.kind == "open"
    if entry.kind == "holiday":
        body = msgspec.json.decode(entry.body)
        news.holidays[body["role"]] = body["until"]
    news.is_open = True
    news.last_role = entry.role


def load_views(ids: Collection[int]) -> dict[int, GameView]:
    """Load some games, with as many queries as for one; unreadable ones are left out."""
    rows = {row.pk: row for row in Game.objects.filter(pk__in=ids)}
    if not rows:
        return {}
    seats = _load_seats(rows)
    sealed: dict[int, set[Role]] = defaultdict(set)
    for game, number, role in Sealed.objects.filter(game__in=rows).values_list(
        "game", "number", "role"
    ):
        if number == rows[game].step:
            sealed[game].add(role)  # type: ignore[arg-type]
    views = {}
    for pk, row in rows.items():
        try:
            views[pk] = _view(row, seats[pk], frozenset(sealed[pk]))
        except Exception:
            log.exception(
                "game %s cannot be read; nobody is told of it",
                shorten_key(row.slug),
                extra={"event": "notices_game_unreadable"},
            )
    return views


def load_open(views: Collection[GameView]) -> dict[str, list[Notice]]:
    """Return the open notices about some games, by slug."""
    found = defaultdict(list)
    slugs = [view.slug for view in views]
    for notice in Notice.objects.filter(kind__in=GAME_KINDS, subject__in=slugs, closed=None):
        found[notice.subject].append(notice)
    return found


def _load_seats(games: Mapping[int, Game]) -> dict[int, dict[Role, SeatView]]:
    rows = list(Seat.objects.filter(game__in=games).select_related("user").order_by("pk"))
    told = may_be_told({seat.user_id for seat in rows if not seat.user.is_bot})
    seats: dict[int, dict[Role, SeatView]] = defaultdict(dict)
    for seat in rows:
        seats[seat.game_id][seat.role] = SeatView(  # type: ignore[index]
            seat.user_id,
            seat.user.username,
            seat.user_id in told,
            seat.user.is_bot,
            seat.user.is_account and seat.user.is_active,
            seat.seen,
            seat.visible,
        )
    return seats


def _view(row: Game, seats: Mapping[Role, SeatView], sealed: frozenset[Role]) -> GameView:
    if seats.keys() != set(ROLES):
        raise ValueError("a game has two seats")
    rules = rules_of(row.rules)
    state = rules.read(row.position)
    times = msgspec.json.decode(row.times, type=Times)
    return GameView(
        slug=row.slug,
        key=row.rules,
        clock=row.clock,
        times=times,
        moment=times.since,
        created=row.created,
        turns=rules.turns(state),
        takebacks=row.takebacks,
        is_simultaneous=rules.is_simultaneous,
        control=frozenset(rules.control(state)),
        sealed=sealed,
        offers=msgspec.json.decode(row.offers, type=dict[Offered, Offer]),
        ended=row.ended,
        winner=row.winner,
        reason=row.reason,
        is_watchable=row.is_public and row.watch,
        lobby=row.lobby,
        seats=seats,
    )
