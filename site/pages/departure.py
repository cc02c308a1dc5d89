"""Seeing out who has deleted himself: games are given up, lobbies left, words deleted.

That is done again and again until nothing is left, so a server that dies meanwhile goes on with it.
"""

from functools import partial

from accounts import departure
from accounts.models import User
from lobby.departure import leave_all
from play import act
from play.background import each
from play.desk import desk
from play.models import Game
from talk.departure import forget

EVERY = 2.0  # seconds between two looks


async def see_out() -> None:
    """Settles what those who have left have left behind."""
    for user in await desk().read(departure.leaving):
        slugs = await desk().read(_running, user)
        await each(slugs, partial(act.resign, user=user))
        await desk().read(_settle, user)


def _running(user: int) -> list[str]:
    return list(Game.objects.played_by(user).values_list("slug", flat=True))


def _settle(pk: int) -> None:
    user = User.objects.get(pk=pk)
    forget(pk, user.username)
    if leave_all(user) and not _running(pk):
        departure.gone(pk)
