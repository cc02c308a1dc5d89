"""Hosts who wait in a public lobby: found by searches, and asked before anybody joins them."""

import msgspec
import pytest

from accounts.models import Block, User
from lobby import lobby_service
from lobby.lobby_options import Options, days_clock, fischer_clock
from lobby.lobby_presence import note_pages
from lobby.lobby_refusals import Refused
from lobby.models import Lobby
from lobby.public_lists import initial_frame
from matchmaking import search_service
from matchmaking.host_search import ask_host, search_for_lobby
from matchmaking.models import Search
from matchmaking.pairing_round import run_round
from matchmaking.search_topics import count_searches
from play.domain.clocks import now
from play.models import Game
from tests.matchmaking.test_search_service import paired, pass_time, say, state
from tests.support.page_visitors import at_home, someone, text_of

pytestmark = pytest.mark.django_db
QUICK = Options("pincer", fischer_clock(5, 3), "white", True)


def waiting(host, options: Options = QUICK) -> Lobby:
    """A lobby whose host waits ready with the page open."""
    lobby = lobby_service.create(host, options)
    search_for_lobby(host.pk, lobby.code)
    return lobby


def listed() -> list[dict]:
    """The lobbies that the front page lists."""
    return msgspec.to_builtins(initial_frame())["lobbies"]


def test_a_searcher_is_led_into_a_lobby_whose_host_answers(ada, bob, searches):
    lobby = waiting(ada)
    searches(bob, ("pincer", "fischer:300:3"))
    paired(ada, bob)
    say(bob)
    say(ada)
    game = Game.objects.get()
    assert game.lobby == lobby.code
    assert game.seats.get(role="white").user == ada


def test_the_search_of_a_host_ends_with_the_lobby(ada, bob, searches):
    lobby = waiting(ada)
    lobby_service.close(lobby.code, ada)
    searches(bob, ("pincer", "fischer:300:3"))
    run_round("me")
    assert (state(ada), state(bob)) == ("ended stopped", "looking")
    assert count_searches().total == 1


def test_nobody_is_led_into_a_lobby_of_another_clock_or_kind(ada, bob, searches):
    for options in (
        Options("pincer", days_clock(1), "lot", True),
        Options("pincer", fischer_clock(5, 3), "lot", False),
    ):
        waiting(ada, options)
        assert not Search.objects.exists()
    waiting(ada, Options("pincer", fischer_clock(180, 180), "lot", True))
    searches(bob, ("pincer", "fischer:300:3"))
    run_round("me")
    assert state(bob) == "looking"


def test_a_host_who_is_not_ready_is_not_found(ada, bob):
    lobby = waiting(ada)
    assert state(ada) == "looking"
    lobby_service.unready(lobby.code, ada)
    search_for_lobby(ada.pk, lobby.code)
    assert state(ada) == "ended stopped"
    lobby_service.ready(lobby.code, ada)
    search_for_lobby(ada.pk, lobby.code)
    assert state(ada) == "looking"
    search_for_lobby(bob.pk, lobby.code)
    assert not Search.objects.filter(user=bob).exists()


def test_who_joins_from_the_list_waits_for_the_answer_of_the_host(ada, bob):
    lobby = waiting(ada)
    (row,) = listed()
    assert row["sit"] == f"/l/{lobby.code}/ask/"
    assert isinstance(ask_host(lobby.code, bob), Search)
    assert ask_host(lobby.code, bob).is_active
    assert (state(ada), state(bob)) == ("asked", "asked")
    assert not Game.objects.exists()
    say(ada)
    assert Game.objects.get().lobby == lobby.code


def test_who_joins_on_the_page_of_the_lobby_waits_for_the_host_too(ada, client):
    lobby = waiting(ada)
    sit, form = f"{lobby.get_absolute_url()}sit/", {"seen": lobby.options.digest, "name": "Robin"}
    answer = client.post(sit, form, HTTP_ACCEPT="application/json")
    assert answer.json() == {"next": "/play/online/"}
    assert client.post(sit, form).headers["Location"] == "/play/online/"  # without scripts
    robin = User.objects.get(username="Robin")
    assert (state(ada), state(robin)) == ("asked", "asked")
    assert not Game.objects.exists()
    say(ada)
    assert Game.objects.get().lobby == lobby.code


@pytest.mark.parametrize(
    ("form", "reason"),
    [({"name": "a b"}, "name"), ({"name": "ADA"}, "name"), ({"seen": "another"}, "changed")],
)
def test_a_refused_newcomer_leaves_no_guest_and_no_question(ada, client, form, reason):
    sit = f"{waiting(ada).get_absolute_url()}sit/"
    answer = client.post(sit, form, HTTP_ACCEPT="application/json")
    assert answer.status_code == 409
    assert answer.json()["refused"]["reason"] == reason
    assert (User.objects.count(), Search.objects.count(), state(ada)) == (1, 1, "looking")


def test_no_guest_is_made_for_a_host_who_is_away_or_a_game_that_was_withdrawn(ada, client):
    lobby = waiting(ada)
    Search.objects.update(seen=now() - search_service.STALE_MS - 1)
    assert client.post(f"/l/{lobby.code}/ask/").status_code == 409
    search_for_lobby(ada.pk, lobby.code)
    Lobby.objects.update(rules="withdrawn")
    assert client.post(f"/l/{lobby.code}/ask/").status_code == 409
    assert (User.objects.count(), Search.objects.count()) == (1, 1)


def test_a_host_who_does_not_answer_leaves_the_list_and_the_guest_is_told(ada):
    lobby = waiting(ada)
    bob, browser = at_home("bob")
    assert browser.post(f"/l/{lobby.code}/ask/").headers["Location"] == "/play/online/"
    pass_time(search_service.ANSWER_MS)
    run_round("me")
    assert (state(ada), state(bob)) == ("ended no_answer", "ended no_host")
    assert listed() == []
    answer = browser.post(f"/l/{lobby.code}/ask/")
    assert answer.status_code == 409
    assert "The host didn’t answer." in text_of(answer)
    assert not Game.objects.exists()
    search_for_lobby(ada.pk, lobby.code)  # the host's page is back
    assert len(listed()) == 1


def test_a_socket_without_answers_does_not_bring_a_lobby_back_into_the_list(ada, bob):
    lobby = waiting(ada)
    ask_host(lobby.code, bob)
    pass_time(search_service.ANSWER_MS)
    run_round("me")
    note_pages([(lobby.code, ada.pk)])  # the line was cut: its socket is open for a while
    assert listed() == []
    lobby_service.unready(lobby.code, ada)
    search_for_lobby(ada.pk, lobby.code)  # the page is there, but its host is not ready
    note_pages([(lobby.code, ada.pk)])
    assert len(listed()) == 1


def test_a_host_who_has_gone_is_not_asked_and_a_blocked_guest_learns_nothing(ada, bob):
    lobby = waiting(ada)
    Block.objects.create(blocker=ada, blocked=bob, at=now())
    with pytest.raises(Refused, match="closed") as refused:
        ask_host(lobby.code, bob)
    assert refused.value.say == "This game isn’t available."
    assert state(ada) == "looking"
    Search.objects.update(seen=now() - search_service.STALE_MS - 1)
    with pytest.raises(Refused):
        ask_host(lobby.code, someone("cy"))
    assert listed() == []


def test_two_who_join_at_once_do_not_both_ask(ada, bob):
    lobby = waiting(ada)
    ask_host(lobby.code, bob)
    with pytest.raises(Refused):
        ask_host(lobby.code, someone("cy"))
    assert Search.objects.filter(state="asked").count() == 2


def test_who_asked_one_host_and_left_searches_for_nobody_else(ada, bob):
    ask_host(waiting(ada).code, bob)
    search_service.withdraw(bob.pk, now())
    assert state(bob) == "ended left"
    search_service.return_to(bob.pk, False)
    assert state(bob) == "ended left"


def test_an_unknown_lobby_makes_no_guest(client):
    assert client.post("/l/none/ask/").status_code == 404
    assert client.get("/l/none/ask/").status_code in (404, 405)
    assert Search.objects.count() == 0


def test_who_comes_late_is_led_to_the_game_that_was_found(ada):
    lobby = waiting(ada)
    _, browser = at_home("bob")
    browser.post(f"/l/{lobby.code}/ask/")
    say(ada)
    url = Game.objects.get().get_absolute_url()
    assert browser.get("/play/online/").headers["Location"] == url
    Search.objects.update(changed=1)
    assert browser.get("/play/online/").status_code == 200
