"""Closed lobbies without games are deleted, then their guests."""

from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts.account_service import UNPLAYED_GUEST_LIFE
from accounts.models import User
from lobby.models import UNPLAYED_KEPT_MS, Lobby
from pages.cleanup import cleanup
from play.domain.clocks import now
from tests.support.loop_runtime import runtime
from tests.support.page_visitors import game_of, someone

pytestmark = pytest.mark.django_db
CLOSED = Lobby.Status.CLOSED


def lobby_of(host: User, age: int, **columns: object) -> str:
    """The code of a closed lobby whose host was there `age` ms ago for the last time."""
    told = {"status": CLOSED, "host_seen": now() - age, **columns}
    return Lobby.objects.create(host=host, rules="pincer", side="white", **told).code


async def test_a_closed_lobby_without_a_game_is_swept_with_its_guest(at_work) -> None:
    long_ago = timezone.now() - UNPLAYED_GUEST_LIFE - timedelta(days=1)
    guest = await User.objects.acreate(username="idle-guest-11", is_guest=True)
    await User.objects.filter(pk=guest.pk).aupdate(date_joined=long_ago)
    for _ in range(3):
        await sync_to_async(lobby_of)(guest, UNPLAYED_KEPT_MS + 1_000)
    await cleanup(runtime())
    assert not await Lobby.objects.aexists()
    assert not await User.objects.filter(pk=guest.pk).aexists()


async def test_all_other_lobbies_stay(at_work) -> None:
    host, other = await sync_to_async(someone)("host"), await sync_to_async(someone)("other")
    game = await sync_to_async(game_of)(host, other)
    old = UNPLAYED_KEPT_MS + 1_000
    kept = {
        await sync_to_async(lobby_of)(host, UNPLAYED_KEPT_MS - 60_000),
        await sync_to_async(lobby_of)(host, old, status=Lobby.Status.OPEN, clock_kind="none"),
        await sync_to_async(lobby_of)(host, old, game=game),
        await sync_to_async(lobby_of)(host, old, previous=game),
    }
    await cleanup(runtime())
    assert {each.code async for each in Lobby.objects.all()} == kept
