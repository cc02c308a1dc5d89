"""Check whether a user is viewing a game: then nothing about it is pushed."""

from play.models import FRESH_MS, Seat


def is_visible(game_slug: str, user_id: int, at: int) -> bool:
    """Return whether a page of a user's seat in a game was visible in the last 15 s."""
    seats = Seat.objects.filter(game__slug=game_slug, user=user_id)
    return seats.filter(visible__gt=at - FRESH_MS).exists()
