"""Puzzles in a user's copy of their data, and their deletion with the account."""

from typing import Any

from puzzles.models import PuzzleAttempt, PuzzleRating


def export_puzzles(user: int) -> dict[str, Any]:
    """Return a user's attempts and puzzle rating, as plain JSON."""
    row = PuzzleRating.objects.filter(user=user).first()
    attempts = PuzzleAttempt.objects.filter(user=user).select_related("puzzle").order_by("pk")
    return {
        "rating": row
        and {
            "rating": row.rating,
            "deviation": row.deviation,
            "volatility": row.volatility,
            "puzzles": row.puzzles,
            "at": row.at,
        },
        "attempts": [
            {
                "puzzle": attempt.puzzle.slug,
                "game": attempt.puzzle.rules,
                "day": attempt.day and attempt.day.isoformat(),
                "tries": attempt.turns,
                "solved": attempt.is_solved,
                "began": attempt.began,
                "ended": attempt.ended,
                "rating": [attempt.rating_before, attempt.rating_after],
            }
            for attempt in attempts
        ],
    }


def delete_puzzles_of(user: int) -> None:
    """Delete a user's attempts and rating. The ratings of puzzles stay; they name nobody."""
    PuzzleAttempt.objects.filter(user=user).delete()
    PuzzleRating.objects.filter(user=user).delete()
