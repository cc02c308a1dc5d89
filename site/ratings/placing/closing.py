"""Judge ended placement games, and append the entry of each placement that has come to its end.

A game's result is one update that only the first process makes. A placement and its entry are
written in one transaction under the lock of the log, so several processes may do this at once, and
each may be killed at any moment.
"""

import json
import logging
from collections.abc import Collection, Sequence

from django.db import transaction
from django.db.models import Count, Q

from games.rating.entries import Placement as PlacementEntry
from games.rating.placement import MAX_GAMES
from games.rating.pools import Pool
from play.models import COUNTED as COUNTED_SEATS
from play.models import Game
from play.storage.verification import audit_rows, rows_of
from ratings.models import FurtherEntry, Generation, RatingEntry
from ratings.placing.models import COUNTED, Placement, PlacementGame
from ratings.placing.search_state import first_rated_start
from ratings.rules import entry_log
from ratings.rules.entry_log import newest_anchors
from ratings.rules.generations import lock_current
from ratings.rules.ledger_version import check_version
from ratings.rules.pool_fold import load_fold
from ratings.rules.rated_rows import save_standings
from telemetry.redaction import shorten_key

PENDING, VOID = PlacementGame.Result.PENDING, PlacementGame.Result.VOID
KINDS, STATES, WHY = FurtherEntry.Kind, Placement.State, Placement.WhyVoid
log = logging.getLogger("quiver.ratings")


def judge_ended_games(users: Collection[int] | None = None) -> int:
    """Give ended placement games their results, those of some users or all; return how many."""
    pending = PlacementGame.objects.filter(result=PENDING, game__ended__isnull=False)
    if users is not None:
        pending = pending.filter(placement__user__in=users)
    games = list(pending.select_related("game").order_by("pk"))
    for each in games:
        _judge(each)
    return len(games)


def _judge(each: PlacementGame) -> None:
    rows = rows_of(each.game.slug)
    if rows is None:
        return  # deleted meanwhile, and its row with it
    check_version(rows)
    result = _result(rows.game, each)
    if result != VOID and (faults := audit_rows(rows)[0]):
        log.error(
            "placement game %s does not count: its log and what is stored of it differ (%s). "
            "“manage.py verify” names all faults.",
            shorten_key(each.game.slug),
            faults[0],
            extra={"event": "rating_unverified"},
        )
        result = VOID
    first = PlacementGame.objects.filter(pk=each.pk, result=PENDING)
    first.update(result=result, ended=rows.game.ended)


def _result(game: Game, each: PlacementGame) -> str:
    """Return the person's result; void for an aborted game, and one with a turn taken back."""
    seat = game.seats.filter(role=each.role, user=each.placement.user_id).first()
    if seat is None or game.takebacks or seat.result not in COUNTED_SEATS:
        return VOID
    return str(seat.result)


def close_placements(users: Collection[int] | None = None) -> int:
    """Close the placements that have come to their end, those of some users or all.

    A placement ends with the sixth game, at the person's request, or when a first rated game has
    begun. Return how many were closed.
    """
    counted = Count("games", filter=Q(games__result__in=COUNTED))
    found = Placement.objects.filter(state=STATES.OPEN)
    if users is not None:
        found = found.filter(user__in=users)
    counts = dict(found.annotate(counted=counted).values_list("pk", "counted"))
    closed = 0
    for placement in found.select_related("user").order_by("pk"):
        rated = first_rated_start(placement.user_id, placement.pool)
        is_left, is_full = not placement.user.is_active, counts[placement.pk] >= MAX_GAMES
        if rated is not None or is_left or is_full or placement.is_finishing:
            closed += _close(placement.pk)
    return closed


@transaction.atomic
def _close(key: int) -> bool:
    """Close a placement; return whether this process did."""
    generation = lock_current()
    found = Placement.objects.select_for_update(of=("self",)).select_related("user")
    placement = found.filter(pk=key, state=STATES.OPEN).first()
    if placement is None:
        return False
    if not placement.user.is_active:
        return _void(placement, WHY.LEFT)
    if placement.anchors_id != newest_anchors(generation.last_seq)[placement.rules].pk:
        return _void(placement, WHY.ANCHORS)
    games = _counted_games(placement)
    if not games:
        return _void(placement, WHY.EMPTY)
    person = entry_log.person_numbers({placement.user_id})[placement.user_id]
    if _has_played(person, placement.pool):
        return _void(placement, WHY.PLAYED)
    placement.entry = _append(generation, placement.pool, person, games)
    placement.state = STATES.DONE
    placement.save(update_fields=["entry", "state"])
    return True


def _void(placement: Placement, why: str) -> bool:
    placement.state, placement.why_void = STATES.VOID, why
    placement.save(update_fields=["state", "why_void"])
    return True


def _counted_games(placement: Placement) -> list[PlacementGame]:
    """Return the games that count: those up to the first that ended after a rated game began."""
    rated, counted = first_rated_start(placement.user_id, placement.pool), []
    for game in placement.games.filter(result__in=COUNTED).order_by("pk"):
        if rated is not None and (game.ended or 0) > rated:
            break
        counted.append(game)
    return counted[:MAX_GAMES]


def _has_played(person: int, pool: Pool) -> bool:
    """Return whether a person has an entry in a pool, of a game or a placement."""
    in_pool = {"rules": pool.rules, "speed": pool.speed.value}
    games = RatingEntry.objects.filter(Q(white=person) | Q(black=person), not_rated="", **in_pool)
    return games.exists() or FurtherEntry.objects.filter(person=person, **in_pool).exists()


def _append(
    generation: Generation, pool: Pool, person: int, games: Sequence[PlacementGame]
) -> FurtherEntry:
    """Append the entry of a placement, with its standing."""
    at = max(game.ended or 0 for game in games)
    fold, played = load_fold(generation, {person}), tuple(game.folded for game in games)
    entry = PlacementEntry(generation.last_seq + 1, at, pool, person, played, None)
    after = fold.place(entry)
    assert after is not None  # no entry of the person is in this pool
    content = {
        "games": [{"level": game.level, "result": game.result} for game in played],
        "after": list(after),
    }
    row = entry_log.append_further(
        generation,
        kind=KINDS.PLACEMENT,
        at=at,
        rules=pool.rules,
        speed=pool.speed.value,
        person_id=person,
        content=json.dumps(content),
    )
    save_standings(fold.take_changed(generation.pk))
    generation.save(update_fields=["last_seq"])
    return row


def place_before(users: Collection[int]) -> None:
    """Close the placements of some users, whose games are about to be rated."""
    if Placement.objects.filter(state=STATES.OPEN, user__in=users).exists():
        judge_ended_games(users)
        close_placements(users)


def close_after_games(games: Collection[int]) -> None:
    """Give ended games of placements their results, and close the placements that have ended.

    A follow-up to the end of a game (`play.storage.ended_games`). Raises what reading one raises.
    """
    users = set(
        Placement.objects.filter(games__game__in=games, state=STATES.OPEN).values_list(
            "user", flat=True
        )
    )
    if users:
        judge_ended_games(users)
        close_placements(users)
