"""Lobby: swapped sides, freed seats, changes shown to others, absent hosts."""

from dataclasses import replace

import pytest
from asgiref.sync import sync_to_async
from django.utils import translation

from lobby.lobbies import lobby_presence, lobby_service, transactions
from lobby.lobbies.lobby_view import lobby_frame
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from lobby.models import AWAY_LIVE_MS, AWAY_SLOW_MS, Lobby
from play.domain.clocks import now
from play.models import Game
from play.time_controls import (
    NO_CLOCK,
    bank_clock,
    clock_label,
    days_clock,
    fischer_clock,
    limit_clock,
    time_label,
)
from tests.lobby.refusals import refusal
from tests.support.loop_runtime import runtime
from tests.support.page_visitors import Watcher, at_home, someone, text_of

pytestmark = pytest.mark.django_db
PINCER = Options("pincer", fischer_clock(3, 2), "white", True)


@pytest.fixture
def both(ada, bob) -> Lobby:
    """A lobby in which bob is ready and ada, its host, is not."""
    code = lobby_service.create(ada, PINCER).code
    lobby_service.unready(code, ada)
    return lobby_service.sit(code, bob)


def seen_by(lobby: Lobby, user) -> dict:
    return lobby_frame(Lobby.objects.with_games().get(pk=lobby.pk), user and user.pk)


def test_the_other_is_told_what_the_host_has_changed(both, ada, bob) -> None:
    lobby_service.choose(both.code, ada, Options("pincer", fischer_clock(5, 3), "white", True))
    lobby_service.choose(both.code, ada, Options("pincer", fischer_clock(5, 3), "black", False))
    told = seen_by(both, bob)["notice"]
    assert told["lines"] == [
        "Clock: 5 + 3 (was: 3 + 2).",
        "Moves first: You (was: ada).",
        "Visibility: Only people with the link (was: Everyone, on the home page).",
    ]
    assert not seen_by(both, bob)["seats"][1]["is_ready"]
    assert seen_by(both, ada)["notice"] is None
    assert seen_by(both, None)["notice"] is None
    lobby_service.ready(both.code, bob)
    assert seen_by(both, bob)["notice"] is None
    assert Lobby.objects.get().before == {}


def test_a_change_of_mind_leaves_nothing_to_tell(both, ada, bob) -> None:
    lobby_service.choose(both.code, ada, Options("blotto", limit_clock(30), "white", True))
    assert "Game: Colonel Blotto (was: Pincer)." in seen_by(both, bob)["notice"]["lines"]
    lobby_service.choose(both.code, ada, PINCER)
    assert seen_by(both, bob)["notice"]["lines"] == []
    assert not seen_by(both, bob)["seats"][1]["is_ready"]


def test_notices_for_a_user_who_leaves_are_dropped(both, ada, bob) -> None:
    lobby_service.choose(both.code, ada, Options("pincer", NO_CLOCK, "white", True))
    lobby_service.leave(both.code, bob)
    assert Lobby.objects.get().before == {}


def test_the_host_swaps_sides_at_once_and_the_other_is_asked_anew(both, ada, bob) -> None:
    after = lobby_service.swap(both.code, ada)
    assert [place.role for place in after.places] == ["black", "white"]
    assert not after.places[1].is_ready
    assert seen_by(both, bob)["notice"]["lines"] == ["Moves first: You (was: ada)."]


def test_a_guest_asks_to_swap_and_the_host_agrees(both, ada, bob) -> None:
    assert lobby_service.swap(both.code, bob).side == "white"
    assert seen_by(both, ada)["swap"]["say"] == "bob asks to swap sides."
    assert seen_by(both, bob)["swap"]["label"] == "Don’t swap sides"
    after = lobby_service.swap(both.code, ada)
    assert (after.side, after.swap_by) == ("black", None)
    assert after.places[1].is_ready
    assert lobby_service.ready(both.code, ada).status == Lobby.Status.PLAYING


def test_a_guest_takes_the_wish_to_swap_back(both, bob) -> None:
    lobby_service.swap(both.code, bob)
    assert lobby_service.swap(both.code, bob).swap_by is None


def test_two_guests_swap_when_both_ask(both, ada, bob) -> None:
    cy = someone("cy")
    lobby_service.leave(both.code, ada)
    lobby_service.unready(both.code, bob)
    lobby_service.sit(both.code, cy)
    lobby_service.swap(both.code, bob)
    assert lobby_service.swap(both.code, cy).side == "black"


def test_sides_by_lot_and_strangers_cannot_be_swapped(both, ada) -> None:
    assert refusal(lobby_service.swap, both.code, someone("cy")) == LobbyReason.NOT_SEATED
    lobby_service.choose(both.code, ada, Options("pincer", NO_CLOCK, "lot", True))
    assert refusal(lobby_service.swap, both.code, ada) == LobbyReason.NO_SIDES
    assert seen_by(both, ada)["swap"] is None


def test_whose_seat_is_given_free_is_told_and_may_sit_again_after_a_minute(
    both, ada, bob, monkeypatch
) -> None:
    lobby_service.free_seat(both.code, ada, 2)
    lost = seen_by(both, bob)
    assert lost["notice"]["title"] == "The host removed you from the game."
    assert 0 < lost["notice"]["for"] <= lobby_service.BARRED_MS
    assert lost["seats"][1]["sit"] is None
    assert refusal(lobby_service.sit, both.code, bob) == LobbyReason.BARRED
    assert seen_by(both, None)["seats"][1]["sit"]
    later = now() + lobby_service.BARRED_MS
    for module in ("lobby_service", "lobby_checks", "lobby_view"):
        monkeypatch.setattr(f"lobby.lobbies.{module}.now", lambda: later)
    assert seen_by(both, bob)["notice"] is None
    assert lobby_service.sit(both.code, bob).places[1].user == bob


def test_only_the_host_gives_free_and_only_what_somebody_else_holds(both, ada, bob) -> None:
    assert refusal(lobby_service.free_seat, both.code, bob, 1) == LobbyReason.NOT_HOST
    assert refusal(lobby_service.free_seat, both.code, ada, 1) == LobbyReason.EMPTY
    assert refusal(lobby_service.free_seat, both.code, ada, 3) == LobbyReason.MALFORMED
    lobby_service.leave(both.code, bob)
    assert refusal(lobby_service.free_seat, both.code, ada, 2) == LobbyReason.EMPTY
    assert [seat["free"] for seat in seen_by(both, ada)["seats"]] == [False, False]


def test_the_choice_about_spectators_reaches_the_game_and_its_seekers(ada, bob) -> None:
    closed = Options("pincer", NO_CLOCK, "white", True, watch=False)
    lobby = lobby_service.create(ada, closed)
    assert closed.digest != Options("pincer", NO_CLOCK, "white", True).digest
    assert "watch" not in seen_by(lobby, None)["invite"]
    assert lobby_service.sit(lobby.code, bob).game.watch is False


def test_the_options_are_changed_where_they_stand_not_where_they_were_read(both, ada) -> None:
    """Two clicks in a row: the second must not bring back what the first has changed."""
    host = at_home("dee")
    lobby = lobby_service.create(host[0], PINCER)
    url = f"{lobby.get_absolute_url()}change/"

    def overtaken(here: Lobby) -> Options:
        return Options(here.rules, here.clock, "lot", here.is_public)

    stale = Lobby.objects.get(pk=lobby.pk)
    host[1].post(url, {"clock": "fischer:300:3"})
    assert stale.clock == fischer_clock(3, 2)
    after = lobby_service.choose(lobby.code, host[0], overtaken)
    assert (after.clock, after.side) == (fischer_clock(5, 3), "lot")


def test_a_script_gets_the_frame_or_the_refusal_and_where_to_go(ada) -> None:
    lobby = lobby_service.create(ada, replace(PINCER, public=False))
    _, browser = at_home("bob")
    url, json = lobby.get_absolute_url(), {"Accept": "application/json"}
    refused = browser.post(f"{url}close/", headers=json)
    assert refused.status_code == 409
    assert refused.json()["refused"] == {
        "reason": "not_host",
        "say": "Only the host can do that.",
    }
    sat = browser.post(f"{url}sit/", headers=json).json()
    assert sat["next"] == Game.objects.get().get_absolute_url()
    assert (sat["you"], sat["frame"]["status"]) == ("bob", "playing")


def test_a_lobby_of_a_withdrawn_game_says_so(client, ada, bob) -> None:
    lobby = lobby_service.create(ada, PINCER)
    Lobby.objects.update(rules="withdrawn")
    for answer in (
        client.get(lobby.get_absolute_url()),
        client.post(f"{lobby.get_absolute_url()}sit/"),
    ):
        assert answer.status_code == 410
        assert "no longer offered" in text_of(answer)
    assert refusal(lobby_service.sit, lobby.code, bob) == LobbyReason.WITHDRAWN


@pytest.mark.django_db
async def test_the_socket_of_a_withdrawn_lobby_is_told_that_it_is_gone(people, at_work) -> None:
    lobby = await sync_to_async(lobby_service.create)(people[0], PINCER)
    await Lobby.objects.aupdate(rules="withdrawn")
    async with Watcher(f"lobby:{lobby.code}") as page:
        assert (await page.next("ended"))["reason"] == "gone"


LATER = now() + 10 * AWAY_LIVE_MS


@pytest.mark.parametrize(
    ("clock", "away", "closes"),
    [
        (fischer_clock(3, 2), AWAY_LIVE_MS - 1_000, False),
        (fischer_clock(3, 2), AWAY_LIVE_MS + 1_000, True),
        (NO_CLOCK, AWAY_LIVE_MS + 1_000, False),
        (days_clock(1), AWAY_SLOW_MS - 1_000, False),
        (days_clock(1), AWAY_SLOW_MS + 1_000, True),
    ],
)
def test_a_lobby_closes_when_its_host_has_been_away_for_long(
    ada, monkeypatch, clock, away, closes
) -> None:
    monkeypatch.setattr(lobby_presence, "started", 0)
    lobby = lobby_service.create(ada, Options("pincer", clock, "white", True))
    Lobby.objects.update(host_seen=LATER - away)
    assert lobby_presence.close_abandoned(LATER) == closes
    after = Lobby.objects.get()
    assert (after.status == "closed", after.why) == (closes, "away" if closes else "")
    assert after.rev == lobby.rev + closes
    if closes:
        assert "The host was away" in seen_by(lobby, None)["say"]


def test_nothing_closes_in_a_servers_first_minutes(ada, monkeypatch) -> None:
    lobby_service.create(ada, PINCER)
    monkeypatch.setattr(lobby_presence, "started", LATER - AWAY_LIVE_MS + 1)
    Lobby.objects.update(host_seen=0)
    assert lobby_presence.close_abandoned(LATER) == 0


def test_a_host_who_is_back_in_the_last_moment_keeps_the_lobby(ada) -> None:
    read = lobby_service.create(ada, PINCER)
    lobby_presence.note_seen([(read.code, ada.pk)])
    Lobby.objects.update(host_seen=now() + 1)
    assert not transactions.close(read, Lobby.Why.AWAY)
    assert Lobby.objects.get().status == Lobby.Status.OPEN


def test_only_the_host_keeps_a_lobby_open(ada, bob) -> None:
    lobby = lobby_service.create(ada, PINCER)
    Lobby.objects.update(host_seen=5)
    lobby_presence.note_seen([(lobby.code, bob.pk)])
    assert Lobby.objects.get().host_seen == 5
    lobby_presence.note_seen([(lobby.code, bob.pk), (lobby.code, ada.pk)])
    assert Lobby.objects.get().host_seen > 5


def test_a_lobby_whose_game_runs_is_not_closed(ada, bob, monkeypatch) -> None:
    monkeypatch.setattr(lobby_presence, "started", 0)
    lobby = lobby_service.create(ada, PINCER)
    lobby_service.sit(lobby.code, bob)
    Lobby.objects.update(host_seen=0)
    assert lobby_presence.close_abandoned(LATER) == 0


@pytest.mark.django_db
async def test_an_open_page_of_the_host_is_written_down_for_every_process(people, at_work) -> None:
    ada, bob, _ = people
    lobby = await sync_to_async(lobby_service.create)(ada, PINCER)
    topic = f"lobby:{lobby.code}"
    await Lobby.objects.aupdate(host_seen=5)
    async with Watcher(topic, bob) as page:
        await page.next("lobby")
        await lobby_presence.write_presence(runtime())
        assert (await Lobby.objects.aget()).host_seen == 5
        async with Watcher(topic, ada) as host:
            await host.next("lobby")
            assert (await Lobby.objects.aget()).host_seen > 5
            await Lobby.objects.aupdate(host_seen=6)
            await lobby_presence.write_presence(runtime())
            assert (await Lobby.objects.aget()).host_seen > 6
    assert not runtime().presence.users("lobby")


@pytest.mark.django_db
async def test_everybody_is_told_that_a_lobby_has_closed_and_why(
    people, at_work, monkeypatch
) -> None:
    monkeypatch.setattr(lobby_presence, "started", 0)
    lobby = await sync_to_async(lobby_service.create)(people[0], PINCER)
    async with Watcher(f"lobby:{lobby.code}", people[1]) as page:
        await page.next("lobby")
        await Lobby.objects.aupdate(host_seen=0)
        await lobby_presence.close_abandoned_lobbies(runtime())
        shown = await page.next("lobby", lambda shown: shown["status"] == "closed")
        assert shown["say"] == "The host was away for five minutes."


@pytest.mark.django_db
async def test_each_page_gets_the_lobby_in_its_own_language(people, at_work, monkeypatch) -> None:
    spoken = []

    def heard(lobby, user):
        spoken.append((user, translation.get_language()))
        return lobby_frame(lobby, user)

    monkeypatch.setattr("lobby.lobbies.lobby_topics.lobby_frame", heard)
    lobby = await sync_to_async(lobby_service.create)(people[0], PINCER)
    topic = f"lobby:{lobby.code}"
    async with (
        Watcher(topic, people[0], "/ws/?lang=tr") as one,
        Watcher(topic, path="/ws/?lang=xx") as two,
    ):
        await one.next("lobby")
        await two.next("lobby")
    assert set(spoken) == {(people[0].pk, "tr"), (None, "en")}


CLOCKS = [
    fischer_clock(5, 3),
    fischer_clock(1 / 6, 0),
    fischer_clock(2.5, 7),
    limit_clock(30),
    limit_clock(60),
    limit_clock(90),
]
CLOCKS += [days_clock(1), days_clock(2), bank_clock(1, 6), bank_clock(4, 24), NO_CLOCK]


@pytest.mark.parametrize("clock", CLOCKS)
def test_in_english_a_clock_reads_as_play_writes_it(clock) -> None:
    assert clock_label("pincer", clock) == clock.label()
    assert clock_label("blotto", clock) == clock.label("round")
    assert time_label(clock).lower() == clock.label().removesuffix(" a turn")


def test_nobody_is_led_to_a_game_that_they_may_not_watch(ada, bob) -> None:
    lobby = lobby_service.create(ada, Options("pincer", NO_CLOCK, "white", True, watch=False))
    lobby_service.sit(lobby.code, bob)
    assert seen_by(lobby, bob)["game"]
    for stranger in (None, someone("cy")):
        shown = seen_by(lobby, stranger)
        assert (shown["game"], "Spectators aren’t allowed" in shown["say"]) == (None, True)


@pytest.mark.parametrize(("watch", "is_redirected"), [(True, True), (False, False)])
def test_the_link_of_a_lobby_leads_to_its_running_game(client, ada, watch, is_redirected) -> None:
    lobby = lobby_service.create(ada, replace(PINCER, watch=watch))
    bob, guest = at_home("bob")
    lobby_service.sit(lobby.code, bob)
    game = Game.objects.get().get_absolute_url()
    assert guest.get(lobby.get_absolute_url()).headers["Location"] == game  # seated
    answer = client.get(lobby.get_absolute_url())
    if is_redirected:
        assert (answer.status_code, answer.headers["Location"]) == (302, game)
    else:
        assert answer.status_code == 200
        assert "Spectators aren’t allowed" in text_of(answer)
    Game.objects.update(ended=1, winner="white", reason="resigned", goals='{"white":100,"black":0}')
    assert guest.get(lobby.get_absolute_url()).status_code == 200
