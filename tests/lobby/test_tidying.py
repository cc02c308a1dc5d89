"""Lobbies whose host has left the page or stays away."""

import pytest
from asgiref.sync import sync_to_async

from lobby.lobbies import lobby_presence, lobby_service
from lobby.lobby_options import Options
from lobby.models import Lobby
from lobby.offers import offer_tasks, visits
from lobby.offers.models import StandingOffer
from lobby.offers.offer_service import keep, note_visits
from play.domain.abandonment import AWAY_LIVE_MS, AWAY_SLOW_MS, LEFT_AFTER_MS, SEEN_LIVE_MS
from play.domain.clocks import now
from play.runtime import game_commands
from play.time_controls import NO_CLOCK, days_clock, fischer_clock
from tests.support.loop_runtime import game_service, runtime
from tests.support.page_visitors import Watcher, someone

pytestmark = pytest.mark.django_db
LIVE = Options("pincer", fischer_clock(3, 2), "white", True)
DAYS = Options("pincer", days_clock(1), "white", True)


@pytest.fixture(autouse=True)
def no_visitors() -> None:
    visits.visitors.clear()


def listed() -> set[str]:
    return set(Lobby.objects.listed(now()).values_list("code", flat=True))


def long_ago() -> None:
    """Makes the users who have closed a page do so some seconds earlier."""
    left = runtime().presence._left
    left.update({who: at - LEFT_AFTER_MS for who, at in left.items()})


async def left(user, options) -> str:
    """The code of a lobby whose host has opened its page and closed it again."""
    lobby = await sync_to_async(lobby_service.create)(user, options)
    async with Watcher(f"lobby:{lobby.code}", user) as page:
        await page.next("lobby")
        assert lobby.code in await sync_to_async(listed)()
    return lobby.code


async def test_a_live_lobby_is_unlisted_seconds_after_its_host_has_closed_the_page(ada, at_work):
    code = await left(ada, LIVE)
    await lobby_presence.unlist_departed(runtime())
    assert code in await sync_to_async(listed)()  # it may be a reload
    long_ago()
    await lobby_presence.unlist_departed(runtime())
    assert code not in await sync_to_async(listed)()
    assert (await Lobby.objects.aget()).status == Lobby.Status.OPEN


async def test_a_host_who_comes_back_is_listed_again(ada, at_work):
    code = await left(ada, LIVE)
    long_ago()
    await lobby_presence.unlist_departed(runtime())
    async with Watcher(f"lobby:{code}", ada) as page:
        await page.next("lobby")
        assert code in await sync_to_async(listed)()


async def test_a_second_page_of_the_host_keeps_the_lobby_listed(ada, at_work):
    lobby = await sync_to_async(lobby_service.create)(ada, LIVE)
    async with Watcher(f"lobby:{lobby.code}", ada) as page:
        await page.next("lobby")
        async with Watcher(f"lobby:{lobby.code}", ada) as other:
            await other.next("lobby")
        long_ago()
        await lobby_presence.unlist_departed(runtime())
        assert lobby.code in await sync_to_async(listed)()


@pytest.mark.parametrize("options", [DAYS, Options("pincer", NO_CLOCK, "white", True)])
async def test_a_slow_lobby_stays_listed_without_its_host(ada, at_work, options):
    code = await left(ada, options)
    long_ago()
    await lobby_presence.unlist_departed(runtime())
    assert code in await sync_to_async(listed)()


async def test_a_guest_who_leaves_the_page_unlists_nothing(ada, bob, at_work):
    lobby = await sync_to_async(lobby_service.create)(ada, LIVE)
    async with Watcher(f"lobby:{lobby.code}", bob) as page:
        await page.next("lobby")
    long_ago()
    await lobby_presence.unlist_departed(runtime())
    assert lobby.code in await sync_to_async(listed)()
    assert not runtime().presence._left


def test_a_lobby_that_was_left_closes_after_five_minutes_without_its_host(ada, monkeypatch):
    monkeypatch.setattr(lobby_presence, "started", 0)
    lobby = lobby_service.create(ada, LIVE)
    lobby_presence.note_left({(lobby.code, ada.pk)})
    at = Lobby.objects.get().host_seen + AWAY_LIVE_MS
    assert lobby_presence.close_abandoned(at - 1_000) == 0
    assert lobby_presence.close_abandoned(at + 1_000) == 1
    assert SEEN_LIVE_MS < AWAY_LIVE_MS


async def test_a_visit_to_any_page_keeps_a_slow_lobby_open(ada, client, at_work, monkeypatch):
    monkeypatch.setattr(lobby_presence, "started", 0)
    await sync_to_async(lobby_service.create)(ada, DAYS)
    await Lobby.objects.aupdate(host_seen=now() - AWAY_SLOW_MS - 1)
    assert await sync_to_async(listed)() == set()
    await sync_to_async(client.force_login)(ada)
    await sync_to_async(client.get)("/learn/")
    await visits.write_visits(runtime())
    assert visits.visitors == set()
    assert len(await sync_to_async(listed)()) == 1
    assert await sync_to_async(lobby_presence.close_abandoned)(now()) == 0


def test_a_visit_to_another_page_keeps_no_live_lobby_listed(ada, client):
    lobby_service.create(ada, LIVE)
    Lobby.objects.update(host_seen=now() - SEEN_LIVE_MS - 1)
    client.force_login(ada)
    client.get("/learn/")
    note_visits(visits.visitors)
    assert listed() == set()


# Standing offers


async def test_the_end_of_a_game_opens_the_next_one_of_its_offer(ada, bob, at_work):
    offer = await sync_to_async(keep)(ada, "pincer")
    code = (await Lobby.objects.aget()).code
    game = (await sync_to_async(lobby_service.sit)(code, bob)).game
    await game_commands.resign(game_service(), game.slug, bob.pk)
    for task in list(offer_tasks.tasks):
        await task
    assert await Lobby.objects.waiting().filter(offer=offer).acount() == 1


async def test_the_sweep_refills_and_removes(ada, bob, at_work):
    for user in (ada, bob):
        await sync_to_async(keep)(user, "pincer", count=2)
    await StandingOffer.objects.filter(user=bob).aupdate(visited=0)
    await Lobby.objects.filter(host=ada).adelete()
    await offer_tasks.sweep_offers(runtime())
    assert await Lobby.objects.waiting().filter(host=ada).acount() == 2
    assert await Lobby.objects.waiting().filter(host=bob).acount() == 0


def test_a_deleted_user_keeps_no_game_open(ada):
    from accounts.account_service import delete_user

    keep(ada, "pincer", count=3)
    delete_user(ada.pk)
    ada.refresh_from_db()
    assert lobby_service.leave_all_lobbies(ada)
    offer_tasks.offer_service.refill_all()
    assert not Lobby.objects.waiting().exists()
    assert offer_tasks.offer_service.remove_expired(now()) == 1


def test_nobody_joins_a_kept_game_whose_owner_stays_away(ada):
    keep(ada, "pincer")
    StandingOffer.objects.update(visited=now() - AWAY_SLOW_MS - 1)
    offer_tasks.offer_service.remove_expired(now())
    someone("cy")
    assert Lobby.objects.get().status == Lobby.Status.CLOSED
