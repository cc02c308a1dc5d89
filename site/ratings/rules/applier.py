"""Append the log entry of each ended rated game: once, in order, after verification.

A follow-up to the end of a game (`play.storage.ended_games`). Entries are appended under a lock of
the current generation's row and are unique by game, so several processes may run this at once, and
each may be killed at any moment.
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef

from games.catalogue import RULES
from games.rating.entries import GameEntry, NotRated
from play.models import Game
from play.runtime.notify import publish
from play.storage.verification import Rows, audit_rows, rows_of
from ratings.fair_play.rated_pairs import why_over_pair_limit, why_related
from ratings.fair_play.time_out_rule import why_serial
from ratings.models import RatingEntry
from ratings.placing.closing import place_before
from ratings.rating_topic import TOPIC
from ratings.rules import entry_log
from ratings.rules.generations import lock_current
from ratings.rules.ledger_version import check_version
from ratings.rules.pool_fold import load_fold
from ratings.rules.rated_rows import RatedGameRow, insert_rated_games, save_standings
from ratings.rules.reasons import Decided, GameFacts, why_not
from telemetry.redaction import shorten_key

GAMES_A_ROUND = 20  # verified, then written in one transaction
log = logging.getLogger("quiver.ratings")


@dataclass(frozen=True, slots=True)
class Examined:
    """An ended game, and the reason not to count it; None: it counts unless a log rule objects."""

    slug: str
    facts: GameFacts
    not_rated: NotRated | None


def pending_games(among: Collection[int] | None = None) -> list[str]:
    """Return the slugs of ended games that lack an entry, those `among` some ids or all.

    They come in the order of their ends, at most `GAMES_A_ROUND`. A game of a rule set that was
    withdrawn has no pool.
    """
    done = RatingEntry.objects.filter(kind=RatingEntry.Kind.GAME, game=OuterRef("pk"))
    games = Game.objects.rated_and_over().filter(~Exists(done), rules__in=RULES)
    if among is not None:
        games = games.filter(pk__in=among)
    return list(games.order_by("ended", "pk").values_list("slug", flat=True)[:GAMES_A_ROUND])


def apply_ended_games(among: Collection[int] | None = None) -> int:
    """Rate ended games, those `among` some ids or all; return how many were found.

    At most `GAMES_A_ROUND` at a time. Raises what reading one of them raises: none is rated then.
    """
    slugs = pending_games(among)
    examined = [found for slug in slugs if (found := examine(slug)) is not None]
    if examined:
        place_before({user for each in examined for user in each.facts.users})
        append_games(examined)
    for slug in slugs:
        publish((TOPIC, slug))  # a page that this does not reach reads the revs itself
    return len(slugs)


def examine(slug: str) -> Examined | None:
    """Verify an ended game against its log, and decide whether it counts.

    Return None if it is gone. Raise `NewerLedger`. A log that does not match the stored rows is
    logged as an error.
    """
    rows = rows_of(slug)
    if rows is None:
        return None
    check_version(rows)
    faults, record = audit_rows(rows)
    if faults:
        log.error(
            "game %s does not count: its log and what is stored of it differ (%s). "
            "“manage.py verify” names all faults.",
            shorten_key(slug),
            faults[0],
            extra={"event": "rating_unverified"},
        )
    have_both_moved = record is not None and not record.may_abort
    facts = _facts(rows, have_both_moved=have_both_moved, is_verified=not faults)
    return Examined(slug, facts, why_not(facts) or why_related(facts))


def _facts(rows: Rows, have_both_moved: bool, is_verified: bool) -> GameFacts:
    game, seats = rows.game, {seat.role: seat for seat in rows.seats}
    assert game.ended is not None
    return GameFacts(
        game=game.pk,
        users=(seats["white"].user_id, seats["black"].user_id),
        rules=game.rules,
        clock_kind=game.clock_kind,
        ended=game.ended,
        winner=game.winner,
        ending=game.reason,
        has_computer=any(seat.user.is_bot for seat in seats.values()),
        had_guest=any(not (seat.has_account or seat.user.is_bot) for seat in seats.values()),
        have_both_moved=have_both_moved,
        is_verified=is_verified,
        position=game.position,
    )


@transaction.atomic
def append_games(examined: Sequence[Examined]) -> list[int]:
    """Append the entries of some games in one transaction; return the ids of those that were new.

    A game that has an entry by now is left out. Log rules are asked here: under the lock no other
    process appends an entry between their reads and this one.
    """
    generation = lock_current()
    keys = [each.facts.game for each in examined]
    of_games = RatingEntry.objects.filter(kind=RatingEntry.Kind.GAME, game__in=keys)
    done = set(of_games.values_list("game", flat=True))
    new = [each for each in examined if each.facts.game not in done]
    numbers = entry_log.person_numbers({user for each in new for user in each.facts.users})
    fold = load_fold(generation, set(numbers.values()))
    entries, rated = [], []
    decided: list[Decided] = []
    for seq, each in enumerate(new, generation.last_seq + 1):
        facts, (white, black) = each.facts, (numbers[user] for user in each.facts.users)
        reason = each.not_rated or why_serial(facts, decided) or why_over_pair_limit(facts, decided)
        decided.append(Decided(facts, reason))
        pool, not_rated = facts.pool, reason or ""
        entries.append(
            RatingEntry(
                seq=seq,
                kind=RatingEntry.Kind.GAME,
                at=facts.ended,
                game_id=facts.game,
                rules=pool.rules,
                speed=pool.speed.value,
                white_id=white,
                black_id=black,
                winner=facts.winner,
                not_rated=not_rated,
            )
        )
        if not not_rated:
            game = GameEntry(
                seq, facts.ended, pool, each.slug, white, black, facts.winner, None, None, None
            )
            rated.append(RatedGameRow.of(generation.pk, seq, *fold.play(game)))
    RatingEntry.objects.bulk_create(entries)
    insert_rated_games(rated)
    save_standings(fold.take_changed(generation.pk))
    generation.last_seq += len(new)
    generation.save(update_fields=["last_seq"])
    return [each.facts.game for each in new]
