"""Template context for the header of every page."""

from functools import cache
from typing import Any

from django.http import HttpRequest

from watch.own_games import games_under_way, own_games_frame


def mine(request: HttpRequest) -> dict[str, Any]:
    """Returns the context `mine`, for every template: the reader's own games and lobbies.

    Its `turn` lists the games and challenges that wait for the reader on other pages than this one;
    `are_challenges`: all of these are challenges. None for strangers; read when a template first
    uses it.
    """
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"mine": None}

    @cache
    def read() -> dict[str, Any]:
        frame = own_games_frame(games_under_way(user))
        elsewhere = [row for row in frame["rows"] if row["waits"] and row["url"] != request.path]
        turn = [row for row in elsewhere if row["is_game"] or row["is_challenge"]]
        are_challenges = all(row["is_challenge"] for row in turn)
        return {**frame, "turn": turn, "are_challenges": are_challenges}

    return {"mine": read}  # a template calls it
