"""State of a person's placement in a pool, and the next game of it."""

import json
from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import User
from games.catalogue import RULES
from games.rating.placement import MAX_GAMES, next_level
from games.rating.pools import POOLS, Pool, Speed
from play.domain.clocks import RUNNING_KINDS, now
from play.models import VOID, Game, Seat
from ratings.models import FurtherEntry, Generation
from ratings.placing.models import COUNTED, Placement, PlacementGame
from ratings.rules.entry_log import newest_anchors

SIDES: Final = ("white", "black")  # of the person, by turns
KINDS = FurtherEntry.Kind


@dataclass(frozen=True, slots=True)
class NextGame:
    """The game that a placement asks for."""

    level: int
    role: str  # of the person


@dataclass(frozen=True, slots=True)
class SearchState:
    """A person's placement in a pool. `running` is the slug of a game that is being played."""

    is_offered: bool  # the person may begin or go on
    games: tuple[PlacementGame, ...] = ()  # those that count, oldest first
    running: str | None = None
    next: NextGame | None = None  # None while a game runs, and after the last
    is_finishing: bool = False  # the entry follows in a moment
    was_restarted: bool = False  # the ratings of the levels changed during the one before

    @property
    def number(self) -> int:
        """The number of the next game."""
        return len(self.games) + 1

    @property
    def may_finish(self) -> bool:
        """Whether a game counts, so that the placement can be ended."""
        return bool(self.games) and self.running is None and not self.is_finishing


NOT_OFFERED: Final = SearchState(False)


def has_placement(pool: Pool) -> bool:
    """Return whether newcomers can be placed in a pool: live games on a board."""
    rules = RULES.get(pool.rules)
    return pool.speed == Speed.LIVE and rules is not None and not rules.is_simultaneous


def is_placement_game(game: int) -> bool:
    """Return whether a game belongs to a placement."""
    return PlacementGame.objects.filter(game=game).exists()


def current_anchors(rules: str) -> FurtherEntry | None:
    """Return the newest ratings of a game's levels in the log."""
    generation = Generation.objects.filter(is_current=True).first()
    return newest_anchors(generation.last_seq).get(rules) if generation else None


def ratings_of(anchors: FurtherEntry) -> list[int]:
    """Return the ratings of eight levels in thousandths, from their entry."""
    found: list[int] = json.loads(anchors.content)["ratings"]
    return found


def is_newcomer(user: User, pool: Pool) -> bool:
    """Return whether a user with an account has neither played nor been placed in a pool."""
    if not (user.is_account and user.is_active):
        return False
    entries = FurtherEntry.objects.filter(
        kind=KINDS.PLACEMENT, rules=pool.rules, speed=pool.speed.value, person__user=user.pk
    )
    return not entries.exists() and first_rated_start(user.pk, pool) is None


def offered_pools(user: User) -> list[Pool]:
    """Return the pools in which a user may be placed, in the order of `POOLS`; one query."""
    if not (user.is_account and user.is_active):
        return []
    placed = FurtherEntry.objects.filter(
        kind=KINDS.PLACEMENT, person__user=user.pk, rules=OuterRef("rules")
    )
    played = _rated_seats(user.pk).filter(rules=OuterRef("rules"))
    anchors = FurtherEntry.objects.filter(~Exists(placed), ~Exists(played), kind=KINDS.ANCHORS)
    rules = set(anchors.values_list("rules", flat=True))
    return [pool for pool in POOLS if has_placement(pool) and pool.rules in rules]


def _rated_seats(user: int) -> QuerySet[Seat]:
    """Return a user's seats in rated live games that were not aborted."""
    seats = Seat.objects.filter(user=user, game__is_rated=True, game__clock_kind__in=RUNNING_KINDS)
    return seats.exclude(game__reason__in=VOID)


def first_rated_start(user: int, pool: Pool) -> int | None:
    """Return when a user's first rated game in a live pool began (epoch ms); None without one.

    Aborted games do not count.
    """
    seats = _rated_seats(user).filter(rules=pool.rules)
    return seats.order_by("game__created").values_list("game__created", flat=True).first()


def search_state(user: User, pool: Pool) -> SearchState:
    """Return a user's placement in a pool; takes a few queries and writes nothing."""
    if not has_placement(pool) or not is_newcomer(user, pool):
        return NOT_OFFERED
    anchors = current_anchors(pool.rules)
    if anchors is None:
        return NOT_OFFERED
    placement = Placement.objects.open_of(user.pk, pool).first()
    if placement is None or placement.anchors_id != anchors.pk:
        return SearchState(
            True,
            next=_next((), anchors),
            was_restarted=placement is not None or _was_restarted(user, pool),
        )
    return _state_of(placement, anchors)


def _was_restarted(user: User, pool: Pool) -> bool:
    """Return whether the user's newest placement ended because levels got new ratings."""
    newest = Placement.objects.filter(user=user, rules=pool.rules, speed=pool.speed.value)
    last = newest.order_by("-pk").values_list("why_void", flat=True).first()
    return last == Placement.WhyVoid.ANCHORS


def _state_of(placement: Placement, anchors: FurtherEntry) -> SearchState:
    games = list(placement.games.select_related("game").order_by("pk"))
    counted = tuple(game for game in games if game.result in COUNTED)
    pending = [game for game in games if game.result == PlacementGame.Result.PENDING]
    running = next((game.game.slug for game in pending if game.game.ended is None), None)
    is_judged = not pending  # else a worker is about to
    following = _next(counted, anchors) if is_judged and not placement.is_finishing else None
    is_finishing = placement.is_finishing or len(counted) == MAX_GAMES
    return SearchState(True, counted, running, following, is_finishing)


def _next(counted: tuple[PlacementGame, ...], anchors: FurtherEntry) -> NextGame | None:
    level = next_level([game.folded for game in counted], ratings_of(anchors))
    return None if level is None else NextGame(level, SIDES[len(counted) % 2])


def begin_or_go_on(user: User, pool: Pool) -> Placement | None:
    """Return the user's open placement, a new one if levels got new ratings; None if none may be.

    Call it in a transaction that holds the lock of the user's row: of two tabs, the second finds
    the placement that the first has begun.
    """
    if not has_placement(pool) or not is_newcomer(user, pool):
        return None
    anchors = current_anchors(pool.rules)
    if anchors is None:
        return None
    placement = Placement.objects.open_of(user.pk, pool).select_for_update().first()
    if placement is not None and placement.anchors_id != anchors.pk:
        placement.state, placement.why_void = Placement.State.VOID, Placement.WhyVoid.ANCHORS
        placement.save(update_fields=["state", "why_void"])
        placement = None
    return placement or Placement.objects.create(
        user=user, rules=pool.rules, speed=pool.speed.value, anchors=anchors, started=now()
    )


def pending_game(placement: Placement) -> Game | None:
    """Return the placement's game that is played or waits for a worker to judge it."""
    pending = placement.games.filter(result=PlacementGame.Result.PENDING)
    found = pending.select_related("game").order_by("-pk").first()
    return found.game if found else None


def next_game(placement: Placement) -> NextGame | None:
    """Return the game that an open placement asks for; None if it is at its end."""
    return _state_of(placement, placement.anchors).next


def ask_to_finish(user: User, pool: Pool) -> bool:
    """Note that a person wants to end the placement; return whether there is one with a game.

    A worker appends the entry. Asking twice changes nothing.
    """
    counted = PlacementGame.objects.filter(result__in=COUNTED).values("placement")
    found = Placement.objects.open_of(user.pk, pool).filter(pk__in=counted)
    return bool(found.update(is_finishing=True))
