"""Tries at puzzles: judged by the server, counted once; the first one is rated."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F

from accounts.models import User
from games.catalogue import rules_of
from games.puzzles.turns import NotOneTurn, Turn, play_turn
from games.rating.pools import DEFAULT_TAU
from games.rating.standing import Numbers, Standing, rate_side
from puzzles.models import MAX_TRIES, DailyPosition, Puzzle, PuzzleAttempt, PuzzleRating


class Outdated(Exception):
    """The page has not seen the newest try, or the puzzle has ended for this person."""


class TriedBefore(Exception):
    """The person has tried this turn already; no try is used."""


@dataclass(frozen=True, slots=True)
class Played:
    """A whole legal turn in the position of a puzzle; Blotto is not played on."""

    turn: Turn
    state: Any  # after it
    is_right: bool


def play(puzzle: Puzzle, actions: Sequence[str]) -> Played:
    """Play a turn by the rules. Raises BadAction, IllegalAction, NotOneTurn."""
    rules = rules_of(puzzle.rules)
    state = rules.read(puzzle.position)
    if rules.is_simultaneous:
        if len(actions) != 1:
            raise NotOneTurn
        action = rules.parse(actions[0])
        rules.check(state, puzzle.task.role, action)
        turn: Turn = (str(action),)
    else:
        turn = tuple(str(rules.parse(text)) for text in actions)
        state = play_turn(rules, state, turn)
    return Played(turn, state, list(turn) in puzzle.solution)


def attempt_of(user: User | None, puzzle: Puzzle) -> PuzzleAttempt | None:
    """Return a user's attempt at a puzzle."""
    if user is None:
        return None
    return PuzzleAttempt.objects.filter(user=user, puzzle=puzzle).first()


def enter(
    user: User, puzzle: Puzzle, played: Played, seen: int, today: date, at: int
) -> PuzzleAttempt:
    """Enter a legal turn at `at` (epoch ms) as a try, and return the attempt.

    `seen` is the number of tries that the page knows of. It must include all of them, so that of
    two tabs only one enters a try. Raises Outdated, TriedBefore; then nothing was entered.
    """
    try:
        with transaction.atomic():
            return _enter(user, puzzle, played, seen, today, at)
    except IntegrityError:  # another tab has made the first try
        raise Outdated from None


def _enter(
    user: User, puzzle: Puzzle, played: Played, seen: int, today: date, at: int
) -> PuzzleAttempt:
    attempt = attempt_of(user, puzzle)
    if seen != (attempt.tries if attempt else 0) or (attempt and attempt.ended):
        raise Outdated
    turn, tries = list(played.turn), seen + 1
    if attempt and turn in attempt.turns:
        raise TriedBefore
    ended = at if played.is_right or tries >= MAX_TRIES else None
    if attempt is None:
        is_daily = DailyPosition.objects.filter(puzzle=puzzle, day=today).exists()
        attempt = PuzzleAttempt.objects.create(
            user=user,
            puzzle=puzzle,
            day=today if is_daily else None,
            tries=tries,
            turns=[turn],
            is_solved=played.is_right,
            began=at,
            ended=ended,
        )
        _rate(attempt, at)
        return attempt
    attempt.tries, attempt.turns = tries, [*attempt.turns, turn]
    attempt.is_solved, attempt.ended = played.is_right, ended
    swapped = PuzzleAttempt.objects.filter(pk=attempt.pk, tries=seen, ended=None).update(
        tries=tries, turns=attempt.turns, is_solved=attempt.is_solved, ended=ended
    )
    if not swapped:
        raise Outdated
    return attempt


def _rate(attempt: PuzzleAttempt, at: int) -> None:
    """Rate a first try: the person and the puzzle as opponents. Guests are only counted."""
    puzzle = Puzzle.objects.select_for_update().get(pk=attempt.puzzle_id)
    score = 1.0 if attempt.is_solved else 0.0
    counts = {"plays": F("plays") + 1, "solved": F("solved") + int(attempt.is_solved)}
    rows = Puzzle.objects.filter(pk=puzzle.pk)
    if not attempt.user.is_account:
        rows.update(**counts)
        return
    row, _is_new = PuzzleRating.objects.select_for_update().get_or_create(user=attempt.user)
    before = standing_of(row).numbers_at(at)
    after = rate_side(before, puzzle.numbers, score, DEFAULT_TAU, 0)
    theirs = rate_side(puzzle.numbers, before, 1.0 - score, DEFAULT_TAU, 0)
    rows.update(**theirs._asdict(), **counts)
    PuzzleRating.objects.filter(pk=row.pk).update(
        **after._asdict(), at=at, puzzles=F("puzzles") + 1
    )
    attempt.rating_before, attempt.rating_after = before.rating, after.rating
    attempt.save(update_fields=["rating_before", "rating_after"])


def standing_of(row: PuzzleRating) -> Standing:
    """Return the standing of a person in puzzles."""
    return Standing(Numbers(row.rating, row.deviation, row.volatility), row.at, row.puzzles)


def rating_of(user: User | None) -> PuzzleRating | None:
    """Return the puzzle rating of an account; None for guests, strangers, and before the first."""
    return PuzzleRating.objects.filter(user=user).first() if user and user.is_account else None
