"""Play now: who is seated with whom, and that nobody ever is twice."""

from itertools import combinations

import pytest
from django.test import Client
from test_lobby import at_once
from visitors_of_pages import at_home, someone, text_of

from accounts.models import User
from lobby import services
from lobby.models import Lobby
from lobby.options import NO_CLOCK, PRESETS, Options, days, fischer, limit
from lobby.quick import HERE, play_now, usual, waiting
from lobby.refusals import Reason, Refused
from play.clocks import now
from play.models import Game, Seat

pytestmark = pytest.mark.django_db
QUICK = Options("pincer", fischer(5, 3), "lot", True)


def test_where_nobody_waits_a_lobby_is_opened_for_everybody_to_find(ada) -> None:
    lobby = play_now(ada, "pincer")
    assert lobby.options == Options("pincer", PRESETS["pincer"][0], "lot", True, True)
    assert lobby.places[0].is_ready
    assert usual("pincer") == ["3 + 2", "5 + 3", "10 + 5"]


def test_the_second_is_seated_with_the_first(ada, bob) -> None:
    lobby = play_now(ada, "pincer")
    game = play_now(bob, "pincer")
    assert (game.lobby, game.rules) == (lobby.code, "pincer")
    assert set(game.seats.values_list("user__username", flat=True)) == {"ada", "bob"}


def test_whoever_has_waited_longest_is_taken_first(ada, bob) -> None:
    young, old = services.create(ada, QUICK), services.create(bob, QUICK)
    Lobby.objects.filter(pk=old.pk).update(created=young.created - 5_000)
    assert play_now(someone("cy"), "pincer").lobby == old.code


UNFIT = (
    Options("blotto", limit(30), "lot", True),
    Options("pincer", days(1), "lot", True),
    Options("pincer", NO_CLOCK, "lot", True),
    Options("pincer", fischer(180, 180), "lot", True),
    Options("pincer", fischer(5, 3), "lot", False),
)


@pytest.mark.parametrize("options", UNFIT)
def test_nobody_is_seated_in_a_lobby_that_is_something_else(ada, bob, options) -> None:
    services.create(ada, options)
    assert isinstance(play_now(bob, "pincer"), Lobby)


def test_nobody_is_seated_with_who_is_not_there_or_not_ready_or_sent_them_away(ada, bob) -> None:
    lobby = services.create(ada, QUICK)
    assert list(waiting(bob)) == [lobby]
    Lobby.objects.update(host_seen=now() - HERE - 1)
    assert list(waiting(bob)) == []
    Lobby.objects.update(host_seen=now())
    services.unready(lobby.code, ada)
    assert list(waiting(bob)) == []
    services.sit(lobby.code, bob)
    services.give_free(lobby.code, ada, 2)
    services.ready(lobby.code, ada)
    assert list(waiting(bob)) == []
    assert list(waiting(someone("cy"))) == [Lobby.objects.get()]
    services.close(lobby.code, ada)
    assert list(waiting(someone("dee"))) == []


def test_nobody_is_led_back_to_a_game_of_a_withdrawn_rule_set(ada, bob) -> None:
    play_now(ada, "pincer")
    assert play_now(bob) == play_now(ada)
    Game.objects.update(rules="withdrawn")
    assert isinstance(play_now(ada), Lobby)


def test_nobody_is_seated_with_themselves(ada) -> None:
    own = services.create(ada, QUICK)
    assert play_now(ada, "pincer") == own
    assert play_now(ada) == own
    assert Lobby.objects.count() == 1
    assert Game.objects.count() == 0


def test_a_second_press_leads_back_to_the_same_place(ada, bob) -> None:
    lobby = play_now(ada, "pincer")
    assert play_now(ada, "pincer") == lobby
    services.unready(lobby.code, ada)
    assert play_now(ada, "pincer").places[0].is_ready
    game = play_now(bob, "pincer")
    for user in (ada, bob):
        assert play_now(user, "pincer") == game
        assert play_now(user) == game
    assert Game.objects.count() == 1


def test_any_game_means_the_one_waited_for_longest_or_ones_own_last(ada, bob) -> None:
    assert play_now(ada).rules == "amazons-10x10"
    lobby = services.create(someone("cy"), Options("blotto", limit(60), "lot", True))
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
    for count in range(services.MOST_OPEN):
        services.create(ada, Options("pincer", days(count + 1), "lot", True))
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
    for count in range(services.MOST_OPEN):
        services.create(User.objects.get(), Options("pincer", days(count + 1), "lot", True))
    answer = browser.post("/play-now/", {"game": "blotto"})
    assert answer.status_code == 409
    assert "Close one of them first" in text_of(answer)


@pytest.mark.django_db(transaction=True)
def test_two_presses_of_one_person_at_the_same_moment_open_one_lobby() -> None:
    for turn in range(6):
        ada = User.objects.create(username=f"ada-{turn}")
        at_once(*[lambda u=ada: play_now(u, "pincer")] * 3)
        assert Lobby.objects.filter(host=ada).count() == 1
        Lobby.objects.all().delete()


@pytest.mark.django_db(transaction=True)
def test_many_who_press_at_the_same_moment_are_paired_and_nobody_twice() -> None:
    for turn in range(4):
        users = [User.objects.create(username=f"user-{turn}-{n}") for n in range(6)]
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
    first = services.create(ada, QUICK)
    looks = []

    def blind(user, key=""):
        looks.append(user)
        return iter(()) if len(looks) == 1 else waiting(user, key)

    monkeypatch.setattr("lobby.quick.waiting", blind)
    game = play_now(bob, "pincer")
    assert game.lobby == first.code
    given_up = Lobby.objects.get(host=bob)
    assert (given_up.status, given_up.why) == ("closed", "joined")
    pairs = list(combinations(["ada", "bob"], 2))
    assert pairs == [tuple(sorted(game.seats.values_list("user__username", flat=True)))]
