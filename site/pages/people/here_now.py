"""Users with an open page, noted in the cache that all web processes share."""

from collections.abc import Iterable

from django.core.cache import cache

from play.runtime.open_sockets import every_open
from play.runtime.runtime import Runtime

NOTE_INTERVAL_S = 20.0
NOTE_KEPT_S = 50  # outlives two notes


async def note_here(runtime: Runtime) -> None:
    """Notes the users of all open sockets of this process; runs every `NOTE_INTERVAL_S`."""
    users = {socket.permit.user for socket in every_open()} - {None}
    if users:
        await runtime.games.run_in_db_thread(_note, [user for user in users if user is not None])


def here_among(user_ids: Iterable[int]) -> set[int]:
    """Returns the users who had a page open at the last note."""
    keys = {_key(user): user for user in user_ids}
    return {keys[key] for key in cache.get_many(list(keys))}


def _note(user_ids: list[int]) -> None:
    cache.set_many({_key(user): 1 for user in user_ids}, NOTE_KEPT_S)


def _key(user_id: int) -> str:
    return f"here:{user_id}"
