"""Hosts who wait in a public lobby: found by searches, joined from the list."""

import msgspec
import pytest

from accounts.models import Block, User
from lobby import lobby_service
from lobby.lobby_options import Options
from lobby.lobby_presence import note_pages
from lobby.lobby_refusals import Refused
from lobby.models import Lobby
from lobby.public_lists import initial_frame
from matchmaking import search_service
from matchmaking.host_search import search_for_lobby
from matchmaking.models import Search
from matchmaking.pairing_round import run_round
from matchmaking.search_topics import count_searches
from play.domain.clocks import now
from play.models import Game
from play.time_controls import days_clock, fischer_clock
from tests.matchmaking.test_search_service import paired, pass_time, say, state
from tests.support.page_visitors import at_home, someone

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


def test_a_host_is_joined_from_the_list_at_once(ada, bob):
    lobby = lobby_service.create(ada, QUICK)  # the page of the host has not connected yet
    (row,) = listed()
    assert row["sit"] == f"/l/{lobby.code}/sit/"
    _, browser = at_home("cy")
    answer = browser.post(row["sit"], {"seen": row["seen"]})
    assert answer.headers["Location"] == Game.objects.get().get_absolute_url()
    assert Game.objects.get().lobby == lobby.code


def test_a_host_who_was_joined_is_no_longer_found_by_searches(ada, bob, searches):
    lobby = waiting(ada)
    lobby_service.sit(lobby.code, someone("cy"))
    searches(bob, ("pincer", "fischer:300:3"))
    run_round("me")
    assert (state(ada), state(bob)) == ("ended stopped", "looking")


def test_a_searcher_whose_host_was_joined_meanwhile_searches_on(ada, bob, searches):
    lobby = waiting(ada)
    searches(bob, ("pincer", "fischer:300:3"))
    paired(ada, bob)
    lobby_service.sit(lobby.code, someone("cy"))
    say(bob)
    say(ada)
    assert state(bob) == "looking"
    assert Game.objects.count() == 1


@pytest.mark.parametrize(
    ("form", "reason"),
    [({"name": "a b"}, "name"), ({"name": "ADA"}, "name"), ({"seen": "another"}, "changed")],
)
def test_a_refused_newcomer_leaves_no_guest(ada, client, form, reason):
    sit = f"{waiting(ada).get_absolute_url()}sit/"
    answer = client.post(sit, form, HTTP_ACCEPT="application/json")
    assert answer.status_code == 409
    assert answer.json()["refused"]["reason"] == reason
    assert (User.objects.count(), Search.objects.count(), state(ada)) == (1, 1, "looking")


def test_a_host_who_does_not_answer_a_search_leaves_the_list(ada, bob, searches):
    unanswered(waiting(ada), bob, searches)
    assert state(ada) == "ended no_answer"
    assert listed() == []
    search_for_lobby(ada.pk, Lobby.objects.get().code)  # the host's page is back
    assert len(listed()) == 1


def test_a_socket_without_answers_does_not_bring_a_lobby_back_into_the_list(ada, bob, searches):
    lobby = waiting(ada)
    unanswered(lobby, bob, searches)
    note_pages([(lobby.code, ada.pk)])  # the line was cut: its socket is open for a while
    assert listed() == []
    lobby_service.unready(lobby.code, ada)
    search_for_lobby(ada.pk, lobby.code)  # the page is there, but its host is not ready
    note_pages([(lobby.code, ada.pk)])
    assert len(listed()) == 1


def test_a_blocked_guest_learns_nothing(ada, bob):
    lobby = waiting(ada)
    Block.objects.create(blocker=ada, blocked=bob, at=now())
    with pytest.raises(Refused, match="closed") as refused:
        lobby_service.sit(lobby.code, bob)
    assert refused.value.say == "This game isn’t available."
    assert state(ada) == "looking"


def unanswered(lobby: Lobby, guest: User, searches) -> None:
    """Pair the host of a lobby with a searcher, whose page alone answers."""
    searches(guest, ("pincer", "fischer:300:3"))
    paired(lobby.host, guest)
    say(guest)
    pass_time(search_service.ANSWER_MS)
    run_round("me")
