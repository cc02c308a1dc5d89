"""Play now: pairing of waiting people, and that nobody is seated twice."""

from itertools import combinations

import pytest
from django.test import Client

from accounts.models import User
from lobby import lobby_service
from lobby.lobby_options import NO_CLOCK, PRESETS, Options, days_clock, fischer_clock, limit_clock
from lobby.lobby_refusals import Reason, Refused
from lobby.models import Lobby
from lobby.play_now import WAITING_HERE_MS, find_waiting_lobbies, play_now, usual_options
from play.domain.clocks import now
from play.models import Game, Seat
from tests.lobby.test_lobby import at_once
from tests.support.page_visitors import at_home, someone, text_of

pytestmark = pytest.mark.django_db
QUICK = Options("pincer", fischer_clock(5, 3), "lot", True)


def test_play_now_opens_a_public_lobby_if_none_waits(ada) -> None:
    lobby = play_now(ada, "pincer")
    assert lobby.options == Options("pincer", PRESETS["pincer"][0], "lot", True, True)
    assert lobby.places[0].is_ready
    assert usual_options("pincer") == ["3 + 2", "5 + 3", "10 + 5"]


def test_the_second_is_seated_with_the_first(ada, bob) -> None:
    lobby = play_now(ada, "pincer")
    game = play_now(bob, "pincer")
    assert (game.lobby, game.rules) == (lobby.code, "pincer")
    assert set(game.seats.values_list("user__username", flat=True)) == {"ada", "bob"}


def test_play_now_takes_the_lobby_that_has_waited_longest(ada, bob) -> None:
    young, old = lobby_service.create(ada, QUICK), lobby_service.create(bob, QUICK)
    Lobby.objects.filter(pk=old.pk).update(created=young.created - 5_000)
    assert play_now(someone("cy"), "pincer").lobby == old.code


UNFIT = (
    Options("blotto", limit_clock(30), "lot", True),
    Options("pincer", days_clock(1), "lot", True),
    Options("pincer", NO_CLOCK, "lot", True),
    Options("pincer", fischer_clock(180, 180), "lot", True),
    Options("pincer", fischer_clock(5, 3), "lot", False),
)


@pytest.mark.parametrize("options", UNFIT)
def test_nobody_is_seated_in_a_lobby_that_is_something_else(ada, bob, options) -> None:
    lobby_service.create(ada, options)
    assert isinstance(play_now(bob, "pincer"), Lobby)


def test_nobody_is_seated_with_who_is_not_there_or_not_ready_or_sent_them_away(ada, bob) -> None:
    lobby = lobby_service.create(ada, QUICK)
    assert list(find_waiting_lobbies(bob)) == [lobby]
    Lobby.objects.update(host_seen=now() - WAITING_HERE_MS - 1)
    assert list(find_waiting_lobbies(bob)) == []
    Lobby.objects.update(host_seen=now())
    lobby_service.unready(lobby.code, ada)
    assert list(find_waiting_lobbies(bob)) == []
    lobby_service.sit(lobby.code, bob)
    lobby_service.free_seat(lobby.code, ada, 2)
    lobby_service.ready(lobby.code, ada)
    assert list(find_waiting_lobbies(bob)) == []
    assert list(find_waiting_lobbies(someone("cy"))) == [Lobby.objects.get()]
    lobby_service.close(lobby.code, ada)
    assert list(find_waiting_lobbies(someone("dee"))) == []


def test_nobody_is_led_back_to_a_game_of_a_withdrawn_rule_set(ada, bob) -> None:
    play_now(ada, "pincer")
    assert play_now(bob) == play_now(ada)
    Game.objects.update(rules="withdrawn")
    assert isinstance(play_now(ada), Lobby)


def test_nobody_is_seated_with_themselves(ada) -> None:
    own = lobby_service.create(ada, QUICK)
    assert play_now(ada, "pincer") == own
    assert play_now(ada) == own
    assert Lobby.objects.count() == 1
    assert Game.objects.count() == 0


def test_a_second_press_leads_back_to_the_same_place(ada, bob) -> None:
    lobby = play_now(ada, "pincer")
    assert play_now(ada, "pincer") == lobby
    lobby_service.unready(lobby.code, ada)
    assert play_now(ada, "pincer").places[0].is_ready
    game = play_now(bob, "pincer")
    for user in (ada, bob):
        assert play_now(user, "pincer") == game
        assert play_now(user) == game
    assert Game.objects.count() == 1


def test_any_game_means_the_one_waited_for_longest_or_ones_own_last(ada, bob) -> None:
    assert play_now(ada).rules == "amazons-10x10"
    lobby = lobby_service.create(someone("cy"), Options("blotto", limit_clock(60), "lot", True))
    Lobby.objects.filter(pk=lobby.pk).update(created=1)
    game = play_now(bob)
    assert game.rules == "blotto"
    Game.objects.update(ended=now(), reason="agreed")
    Lobby.objects.all().delete()
    assert play_now(bob).rules == "blotto"


def test_a_game_that_is_not_offered_and_too_many_lobbies_are_refused(ada) -> None:
    with pytest.raises(Refused) as refused:
        play_now(ada, "chess")
    assert refused.value.reason == Reason.MALFORMED
    for count in range(lobby_service.MAX_OPEN_LOBBIES):
        lobby_service.create(ada, Options("pincer", days_clock(count + 1), "lot", True))
    with pytest.raises(Refused) as refused:
        play_now(ada, "blotto")
    assert refused.value.reason == Reason.TOO_MANY


def test_strangers_press_it_on_the_front_page() -> None:
    one, two = Client(), Client()
    waits = one.post("/play-now/", {"game": "pincer"}).headers["Location"]
    page = one.get(waits)
    assert "Waiting for somebody to join." in text_of(page)
    assert "Invite someone" in text_of(page)
    begun = two.post("/play-now/", {"game": "pincer"}).headers["Location"]
    assert begun == Game.objects.get().get_absolute_url()
    assert User.objects.filter(is_guest=True).count() == 2


def test_it_takes_a_post_with_a_known_game(client) -> None:
    assert client.get("/play-now/").status_code == 405
    assert client.post("/play-now/", {"game": "chess"}).status_code == 400
    assert Client(enforce_csrf_checks=True).post("/play-now/").status_code == 403
    assert User.objects.count() == Lobby.objects.count() == 0
    _, browser = at_home("ada")
    for count in range(lobby_service.MAX_OPEN_LOBBIES):
        lobby_service.create(
            User.objects.get(), Options("pincer", days_clock(count + 1), "lot", True)
        )
    answer = browser.post("/play-now/", {"game": "blotto"})
    assert answer.status_code == 409
    assert "Close one of them first" in text_of(answer)


@pytest.mark.django_db(transaction=True)
def test_two_presses_of_one_person_at_the_same_moment_open_one_lobby() -> None:
    for step in range(6):
        ada = User.objects.create(username=f"ada-{step}")
        at_once(*[lambda u=ada: play_now(u, "pincer")] * 3)
        assert Lobby.objects.filter(host=ada).count() == 1
        Lobby.objects.all().delete()


@pytest.mark.django_db(transaction=True)
def test_many_who_press_at_the_same_moment_are_paired_and_nobody_twice() -> None:
    for step in range(4):
        users = [User.objects.create(username=f"user-{step}-{n}") for n in range(6)]
        at_once(*[lambda u=user: play_now(u, "pincer") for user in users])
        games = Game.objects.filter(seats__user__in=users).distinct()
        assert games.count() == 3
        seats = Seat.objects.filter(user__in=users).values_list("user", flat=True)
        assert sorted(seats) == sorted(user.pk for user in users)
        assert not Lobby.objects.open().exists()
        games.update(ended=now(), reason="agreed")


@pytest.mark.django_db(transaction=True)
def test_two_who_opened_a_lobby_each_without_seeing_the_other_still_meet(monkeypatch) -> None:
    """As on a database where both look before either has written: the younger one joins."""
    ada, bob = (User.objects.create(username=name) for name in ("ada", "bob"))
    first = lobby_service.create(ada, QUICK)
    looks = []

    def blind(user, key="", clock=None):
        looks.append(user)
        return iter(()) if len(looks) == 1 else find_waiting_lobbies(user, key, clock)

    monkeypatch.setattr("lobby.play_now.find_waiting_lobbies", blind)
    game = play_now(bob, "pincer")
    assert game.lobby == first.code
    given_up = Lobby.objects.get(host=bob)
    assert (given_up.status, given_up.why) == ("closed", "joined")
    pairs = list(combinations(["ada", "bob"], 2))
    assert pairs == [tuple(sorted(game.seats.values_list("user__username", flat=True)))]
