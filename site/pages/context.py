"""What the header of every page needs to know of its reader."""

from functools import cache
from typing import Any

from django.http import HttpRequest

from pages.mine import frame, under_way


def mine(request: HttpRequest) -> dict[str, Any]:
    """For every template: `mine`, the frame of what the reader has under way, and in it `go`: the
    games that wait for them on other pages than this one. None for strangers; read when it is
    first asked for."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"mine": None}

    @cache
    def read() -> dict[str, Any]:
        told = frame(under_way(user))
        elsewhere = [row for row in told["rows"] if row["waits"] and row["url"] != request.path]
        return {**told, "go": [row for row in elsewhere if row["is_game"]]}

    return {"mine": read}  # a template calls it
