"""Rematch: the lobby reopens, and the same two play again exactly once."""

import asyncio
from types import SimpleNamespace

import pytest
from asgiref.sync import sync_to_async

from accounts.models import User
from lobby.lobbies import lobby_service, rematch, transactions
from lobby.lobbies.lobby_view import lobby_frame
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby
from play.domain.clocks import now
from play.models import Game
from play.time_controls import NO_CLOCK, fischer_clock, limit_clock
from tests.lobby.refusals import refusal
from tests.lobby.test_lobby import at_once, roles
from tests.support.loop_runtime import game_service
from tests.support.page_visitors import Watcher, at_home, ended, someone, text_of

pytestmark = pytest.mark.django_db
OPTIONS = Options("pincer", fischer_clock(3, 2), "white", True)


def end(game: Game, reason: str = "resigned", winner: str = "white") -> None:
    """Ends a game as a process does that dies right after the commit."""
    ended(game, winner, reason, goals='{"white":100,"black":0}')


def played(host, guest, options: Options = OPTIONS, **ending) -> Lobby:
    """A lobby whose first game has just ended; nobody has looked at it since."""
    lobby = lobby_service.create(host, options)
    end(lobby_service.sit(lobby.code, guest).game, **ending)
    return lobby


def seen_by(lobby: Lobby, user) -> dict:
    rematch.reopen(lobby.code)
    return lobby_frame(Lobby.objects.with_games().get(pk=lobby.pk), user and user.pk)


def test_the_lobby_is_open_again_with_sides_swapped_and_nobody_ready(ada, bob) -> None:
    lobby = played(ada, bob)
    rematch.reopen(lobby.code)
    after = Lobby.objects.get()
    assert after.status == Lobby.Status.OPEN
    assert [(p.user.username, p.role, p.is_ready) for p in after.places] == [
        ("ada", "black", False),
        ("bob", "white", False),
    ]
    rev = after.rev
    rematch.reopen(lobby.code)
    assert Lobby.objects.get().rev == rev
    assert seen_by(lobby, bob)["again"]["swaps"]


LOT = Options("pincer", NO_CLOCK, "lot", True)


def test_a_rematch_swaps_the_sides_that_a_lot_has_drawn(ada, bob, monkeypatch) -> None:
    only_white = SimpleNamespace(choice=lambda sides: "white")
    monkeypatch.setattr(
        "lobby.lobbies.transactions.secrets", only_white
    )  # slugs are drawn elsewhere
    lobby = played(ada, bob, LOT)
    first = roles(Game.objects.get())
    rematch.rematch(lobby.code, bob)
    second = roles(rematch.rematch(lobby.code, ada).game)
    assert (second["white"], second["black"]) == (first["black"], first["white"])


@pytest.mark.parametrize("reason", ["aborted", "idle"])
def test_a_lot_is_drawn_anew_after_a_game_that_never_was(ada, bob, reason) -> None:
    lobby = played(ada, bob, LOT, reason=reason, winner="")
    rematch.reopen(lobby.code)
    assert Lobby.objects.get().side == "lot"
    assert not seen_by(lobby, bob)["again"]["swaps"]


@pytest.mark.parametrize("reason", ["aborted", "idle"])
def test_a_game_that_never_was_keeps_the_sides(ada, bob, reason) -> None:
    lobby = played(ada, bob, reason=reason, winner="")
    rematch.reopen(lobby.code)
    assert Lobby.objects.get().side == "white"
    assert not seen_by(lobby, bob)["again"]["swaps"]


def test_a_rematch_starts_when_both_have_asked(ada, bob) -> None:
    lobby = played(ada, bob)
    first = Game.objects.get()
    asked = rematch.rematch(lobby.code, bob)
    assert (asked.status, asked.game) == (Lobby.Status.OPEN, first)
    assert rematch.rematch(lobby.code, bob).rev == asked.rev
    begun = rematch.rematch(lobby.code, ada)
    assert roles(begun.game) == {"white": "bob", "black": "ada"}
    assert (begun.game.clock, begun.previous) == (first.clock, first)
    for user in (ada, bob):
        repeated = rematch.rematch(lobby.code, user)
        assert (repeated.game, repeated.rev) == (begun.game, begun.rev)
    assert Game.objects.count() == 2


def test_the_frame_tells_each_who_has_asked_and_where_the_next_game_is(ada, bob) -> None:
    lobby = played(ada, bob)
    first = Game.objects.get().get_absolute_url()
    told = seen_by(lobby, ada)["again"]
    assert (told["game"], told["may"], told["mine"], told["theirs"]) == (first, True, False, False)
    assert (told["other"], told["next"]) == ("bob", None)
    rematch.rematch(lobby.code, bob)
    assert seen_by(lobby, ada)["again"]["theirs"]
    assert seen_by(lobby, bob)["again"]["mine"]
    assert seen_by(lobby, ada)["start"] == {
        "style": "primary",
        "label": "Rematch",
        "say": "bob is ready.",
    }
    stranger = seen_by(lobby, None)["again"]
    assert not (stranger["may"] or stranger["mine"] or stranger["theirs"] or stranger["say"])
    begun = rematch.rematch(lobby.code, ada).game.get_absolute_url()
    for user in (ada, bob):
        told = seen_by(lobby, user)["again"]
        assert (told["game"], told["next"], told["mine"]) == (first, begun, True)
    assert not seen_by(lobby, None)["again"]["mine"]


@pytest.mark.parametrize("watch", [True, False])
def test_a_spectator_is_told_of_the_rematch_only_if_it_may_be_watched(ada, bob, watch) -> None:
    lobby, cy = played(ada, bob, Options("pincer", NO_CLOCK, "white", True, watch)), someone("cy")
    rematch.rematch(lobby.code, bob)
    for viewer in (cy, None):
        told = seen_by(lobby, viewer)["again"]
        assert (told["follow"], told["next"], told["may"], told["say"]) == (False, None, False, "")
    begun = rematch.rematch(lobby.code, ada).game
    for viewer in (cy, None):
        frame = seen_by(lobby, viewer)
        assert frame["again"]["follow"] is watch
        assert frame["again"]["next"] == (begun.get_absolute_url() if watch else None)
        assert (begun.slug in str(frame)) is watch
    assert not any(seen_by(lobby, user)["again"]["follow"] for user in (ada, bob))


def test_nobody_is_taken_along_to_a_game_of_other_people(ada, bob) -> None:
    lobby, cy = played(ada, bob), someone("cy")
    rematch.reopen(lobby.code)
    lobby_service.leave(lobby.code, bob)
    lobby_service.sit(lobby.code, cy)
    lobby_service.ready(lobby.code, ada)
    assert lobby_service.ready(lobby.code, cy).status == Lobby.Status.PLAYING
    for viewer in (someone("dan"), None):
        assert not seen_by(lobby, viewer)["again"]["follow"]


def test_the_lobby_shows_the_last_result_and_the_way_to_it(ada, bob) -> None:
    lobby = played(ada, bob)
    browser = at_home("cy")[1]
    page = browser.get(lobby.get_absolute_url())
    assert "Last game ada won by resignation" in text_of(page)
    assert Game.objects.get().get_absolute_url() in page.content.decode()


def test_a_player_who_stood_up_sits_down_on_the_next_side(ada, bob) -> None:
    lobby = played(ada, bob)
    rematch.reopen(lobby.code)
    lobby_service.leave(lobby.code, bob)
    assert seen_by(lobby, bob)["again"]["sit"]
    lobby_service.leave(lobby.code, ada)
    after = rematch.rematch(lobby.code, bob)
    assert next(p.role for p in after.places if p.user == bob) == "white"
    assert roles(rematch.rematch(lobby.code, ada).game) == {"white": "bob", "black": "ada"}


def test_every_no_has_its_reason(ada, bob) -> None:
    lobby, cy = played(ada, bob), someone("cy")
    assert refusal(rematch.rematch, lobby.code, cy) == LobbyReason.NOT_SEATED
    rematch.reopen(lobby.code)
    lobby_service.leave(lobby.code, bob)
    lobby_service.sit(lobby.code, cy)
    assert refusal(rematch.rematch, lobby.code, bob) == LobbyReason.FULL
    lobby_service.free_seat(lobby.code, ada, 2)
    lobby_service.choose(lobby.code, ada, Options("blotto", limit_clock(30), "white", True))
    assert refusal(rematch.rematch, lobby.code, bob) == LobbyReason.CHANGED
    assert seen_by(lobby, bob)["again"]["changed"]
    assert not seen_by(lobby, bob)["again"]["may"]
    lobby_service.close(lobby.code, ada)
    assert refusal(rematch.rematch, lobby.code, bob) == LobbyReason.CLOSED
    assert seen_by(lobby, bob)["again"] is None


def test_a_rematch_of_a_game_that_others_play_is_refused(ada, bob) -> None:
    lobby, cy = played(ada, bob), someone("cy")
    rematch.reopen(lobby.code)
    lobby_service.leave(lobby.code, bob)
    lobby_service.sit(lobby.code, cy)
    lobby_service.ready(lobby.code, ada)
    assert refusal(rematch.rematch, lobby.code, bob) == LobbyReason.STARTED


def test_a_game_by_link_is_no_news_for_who_finds_the_lobby_made_public_since(ada, bob) -> None:
    link = Options("pincer", NO_CLOCK, "white", False)
    lobby = played(ada, bob, link)
    game = Game.objects.get()
    for public, told in ((False, [ada, bob, someone("cy"), None]), (True, [ada, bob])):
        if public:
            lobby_service.choose(lobby.code, ada, Options("pincer", NO_CLOCK, "black", True))
        for eyes in (*User.objects.all(), None):
            shown = seen_by(lobby, eyes)
            assert (shown["last"] is not None) == (shown["again"] is not None) == (eyes in told)
            assert (game.slug in str(shown)) == (eyes in told)


def test_before_the_end_there_is_no_rematch(ada, bob) -> None:
    lobby = lobby_service.create(ada, OPTIONS)
    assert refusal(rematch.rematch, lobby.code, ada) == LobbyReason.NOT_SEATED
    begun = lobby_service.sit(lobby.code, bob)
    assert rematch.rematch(lobby.code, ada).rev == begun.rev
    assert Game.objects.count() == 1


def test_guests_play_again_over_the_page(client) -> None:
    client.post("/lobbies/", {**FORM, "side": "white"})
    lobby, friend = Lobby.objects.get(), at_home("bob")[1]
    friend.post(f"{lobby.get_absolute_url()}sit/")
    end(Game.objects.get())
    url = f"{lobby.get_absolute_url()}rematch/"
    assert client.post(url).headers["Location"] == lobby.get_absolute_url()
    told = friend.post(url, headers={"Accept": "application/json"}).json()
    assert told["next"] == Game.objects.latest("pk").get_absolute_url()
    assert client.post(url).headers["Location"] == told["next"]
    assert Game.objects.count() == 2


FORM = {"game": "pincer", "visibility": "link", "clock": "fischer:180:2"}


@pytest.mark.django_db(transaction=True)
def test_two_simultaneous_rematch_requests_start_exactly_one_game() -> None:
    for step in range(6):
        ada, bob = (User.objects.create(username=f"{name}-{step}") for name in ("ada", "bob"))
        lobby = played(ada, bob)
        asks = [lambda c=lobby.code, u=user: rematch.rematch(c, u) for user in (ada, bob)]
        at_once(*asks, *asks)
        assert Game.objects.filter(lobby=lobby.code, ended=None).count() == 1
        assert Game.objects.filter(lobby=lobby.code).count() == 2


@pytest.mark.django_db
def test_a_game_that_starts_ends_the_waiting_elsewhere() -> None:
    ada, bob = (User.objects.create(username=name) for name in ("ada", "bob"))
    waiting = lobby_service.create(bob, Options("blotto", limit_clock(30), "white", True))
    slow = lobby_service.create(bob, Options("blotto", NO_CLOCK, "white", True))
    lobby_service.sit(lobby_service.create(ada, OPTIONS).code, bob)
    assert not Lobby.objects.get(pk=waiting.pk).one_ready
    assert Lobby.objects.get(pk=slow.pk).one_ready


def test_a_change_of_a_lobby_that_is_overtaken_by_its_reopening_is_decided_anew(ada, bob) -> None:
    lobby = played(ada, bob)
    assert lobby_service.choose(
        lobby.code, ada, Options("blotto", limit_clock(30), "lot", True)
    ).rules == ("blotto")
    assert Lobby.objects.get().status == Lobby.Status.OPEN
    assert transactions.settle(Lobby.objects.get()).rev == Lobby.objects.get().rev


@pytest.mark.django_db
async def test_everybody_sees_the_lobby_open_again_when_its_game_ends(people, at_work) -> None:
    from play.domain.commands import Envelope, Resign

    ada, bob, cy = people
    lobby = await sync_to_async(lobby_service.create)(ada, OPTIONS)
    game = (await sync_to_async(lobby_service.sit)(lobby.code, bob)).game
    topic = f"lobby:{lobby.code}"
    async with Watcher(topic, bob) as page, Watcher(topic, cy) as onlooker:
        assert (await page.next("lobby"))["game"] == game.get_absolute_url()
        await game_service().perform(Envelope(game.slug, ada.pk, now(), Resign("a")))
        shown = await page.next("lobby", lambda shown: shown["is_open"])
        assert shown["again"]["may"]
        assert shown["last"]["say"] == "bob won by resignation"
        await onlooker.next("lobby", lambda shown: shown["is_open"])
    await asyncio.gather(*rematch.tasks)


@pytest.mark.django_db
async def test_a_page_that_comes_after_a_crash_finds_the_lobby_open_again(people, at_work) -> None:
    lobby = await sync_to_async(played)(*people[:2])
    async with Watcher(f"lobby:{lobby.code}", people[1]) as page:
        assert (await page.next("lobby"))["status"] == "open"
