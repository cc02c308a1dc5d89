"""Hosts who wait in a public lobby: joined from the list, found by searches, never asked."""

import msgspec
import pytest

from accounts.models import Block, User
from accounts.refusals import Refused
from lobby.lobbies import lobby_service
from lobby.lobbies.lobby_presence import note_left
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby
from lobby.pairing import search_service
from lobby.pairing.models import RefusedPair, Search
from lobby.pairing.pairing_round import ANSWER_MS, BUSY_ANSWER_MS, Fruitless, pair, run_round
from lobby.pairing.search_topics import count_searches
from play.domain.clocks import FLAG_DELAY_MS, now
from play.models import ABSENT, Game
from play.runtime import game_commands
from play.time_controls import days_clock, fischer_clock
from ratings.models import Standing
from tests.lobby.pairing.test_search_service import of, pass_time, say, state
from tests.support.loop_runtime import game_service
from tests.support.page_visitors import at_home, browser_of, someone
from tests.support.rated_games import apply_all, rated_game
from watch.public_lists import initial_frame

pytestmark = pytest.mark.django_db
QUICK = Options("pincer", fischer_clock(5, 3), "white", True)
RATED = Options("pincer", fischer_clock(5, 3), "white", True, rated=True)
SLOWER = ("pincer", "fischer:300:3")


def listed() -> list[dict]:
    """The lobbies that the front page lists."""
    return msgspec.to_builtins(initial_frame())["lobbies"]


# From the list


def test_a_host_is_joined_from_the_list_at_once(ada, bob):
    lobby = lobby_service.create(ada, QUICK)  # the page of the host has not connected yet
    (row,) = listed()
    assert row["sit"] == f"/l/{lobby.code}/sit/"
    _, browser = at_home("cy")
    answer = browser.post(row["sit"], {"seen": row["seen"]})
    assert answer.headers["Location"] == Game.objects.get().get_absolute_url()
    assert Game.objects.get().lobby == lobby.code


@pytest.mark.parametrize(
    ("form", "reason"),
    [({"name": "a b"}, "name"), ({"name": "ADA"}, "name"), ({"seen": "another"}, "changed")],
)
def test_a_refused_newcomer_leaves_no_guest(ada, client, form, reason):
    sit = f"{lobby_service.create(ada, QUICK).get_absolute_url()}sit/"
    answer = client.post(sit, form, HTTP_ACCEPT="application/json")
    assert answer.status_code == LobbyReason(reason).status
    assert answer.json()["refused"]["reason"] == reason
    assert User.objects.count() == 1


def test_a_blocked_guest_learns_nothing(ada, bob):
    lobby = lobby_service.create(ada, QUICK)
    Block.objects.create(blocker=ada, blocked=bob, at=now())
    with pytest.raises(Refused, match="closed") as refused:
        lobby_service.sit(lobby.code, bob)
    assert refused.value.say == "This game isn’t available."


async def test_an_absent_hosts_game_is_aborted_and_costs_the_visitor_nothing(ada, bob, at_work):
    def before_and_join() -> tuple[dict, Game]:
        rated_game(bob, someone("cy"))
        apply_all()
        lobby = lobby_service.create(ada, RATED)
        browser_of(bob).post(f"/l/{lobby.code}/sit/", {"seen": lobby.options.digest})
        return rating_of(bob), Game.objects.get(lobby=lobby.code)

    def rating_of(user: User) -> dict:
        return Standing.objects.values().get(person__user=user)

    def results() -> tuple[str, dict[str, str | None], int]:
        applied = apply_all()
        ended = Game.objects.get(pk=game.pk)
        return ended.reason, dict(ended.seats.values_list("user__username", "result")), applied

    run = game_service().run_in_db_thread
    rating, game = await run(before_and_join)
    assert game.is_rated
    first_turn_ends = game.created + 30_000 + FLAG_DELAY_MS
    await game_commands.check_clocks(game_service(), game.slug, first_turn_ends - 1)
    assert (await run(results))[0] == ""
    await game_commands.check_clocks(game_service(), game.slug, first_turn_ends)
    reason, seats, _ = await run(results)
    assert (reason, seats) == ("no_show", {"ada": ABSENT, "bob": "void"})
    assert await run(rating_of, bob) == rating
    assert await run(search_service.start, bob, [SLOWER])  # nothing keeps the visitor waiting


# By a search


def meet(user: User) -> None:
    """A round of pairing, and the answer of the searcher's page."""
    run_round("me")
    if state(user) == "asked":
        say(user)


def test_a_searcher_whose_page_has_answered_plays_the_host_who_is_not_asked(ada, bob, searches):
    lobby = lobby_service.create(ada, QUICK)
    searches(bob, SLOWER)
    run_round("me")
    assert (state(bob), of(bob).partner) == ("asked", ada)
    assert Game.objects.count() == 0
    say(bob)
    game = Game.objects.get()
    assert game.lobby == lobby.code
    assert game.seats.get(role="white").user == ada
    assert (state(bob), of(bob).game, of(bob).tab) == ("paired", game, "tab")
    assert Lobby.objects.get().is_quick  # who misses the host may search again
    assert not Search.objects.filter(user=ada).exists()


def test_a_host_who_begins_to_wait_is_found_in_the_next_round(ada, bob, searches):
    searches(bob, SLOWER)
    searches(someone("cy"), ("blotto", "limit:30"))
    fruitless, at = Fruitless(), now()
    assert pair(at, fruitless) == []
    lobby_service.create(ada, QUICK)
    assert len(pair(at + 1_000, fruitless)) == 1
    assert state(bob) == "asked"


@pytest.mark.parametrize(
    "options",
    [
        Options("pincer", days_clock(1), "lot", True),
        Options("pincer", fischer_clock(5, 3), "lot", False),
        Options("pincer", fischer_clock(180, 180), "lot", True),
        RATED,
    ],
    ids=["days", "unlisted", "another clock", "rated"],
)
def test_nobody_is_led_into_a_lobby_of_another_clock_or_kind(ada, bob, searches, options):
    lobby_service.create(ada, options)
    searches(bob, SLOWER)
    run_round("me")
    assert state(bob) == "looking"


def test_a_rated_search_leads_into_a_rated_lobby_alone(ada, bob):
    casual = lobby_service.create(ada, QUICK)
    rated = lobby_service.create(ada, RATED)
    search_service.start(bob, [SLOWER], True)
    Search.objects.update(seen=now())
    meet(bob)
    game = Game.objects.get()
    assert (game.lobby, game.is_rated) == (rated.code, True)
    assert not Lobby.objects.get(pk=casual.pk).is_host_waiting  # she plays now


@pytest.mark.parametrize(
    "end",
    [
        lambda lobby: lobby_service.unready(lobby.code, lobby.host),
        lambda lobby: lobby_service.leave(lobby.code, lobby.host),
        lambda lobby: lobby_service.close(lobby.code, lobby.host),
        lambda lobby: note_left({(lobby.code, lobby.host_id)}),
        lambda lobby: lobby_service.sit(lobby.code, someone("cy")),
        lambda lobby: lobby_service.sit(
            lobby_service.create(
                lobby.host, Options("blotto", fischer_clock(5, 3), "lot", True)
            ).code,
            someone("cy"),
        ),
        lambda lobby: Block.objects.create(blocker=lobby.host, blocked_id=2, at=now()),
    ],
    ids=["not ready", "left", "closed", "page closed", "joined", "plays elsewhere", "block"],
)
def test_a_host_who_waits_no_longer_is_not_found(ada, searches, end):
    bob = User.objects.create(pk=2, username="bob")
    lobby = lobby_service.create(ada, QUICK)
    end(lobby)
    searches(bob, SLOWER)
    run_round("me")
    assert state(bob) == "looking"
    assert count_searches().total == 1


def test_two_hosts_are_not_led_to_each_other(ada, bob, searches):
    for host in (ada, bob):
        lobby_service.create(host, QUICK)
    cy = someone("cy")
    searches(cy, SLOWER)
    meet(cy)
    assert Game.objects.get().seats.filter(user=cy).exists()
    assert Lobby.objects.with_waiting_hosts(now()).count() == 1


def test_a_host_who_searches_too_is_found_by_the_search_alone(ada, bob, searches):
    lobby_service.create(ada, QUICK)
    searches(ada, ("blotto", "limit:30"))
    searches(bob, SLOWER)
    run_round("me")
    assert (state(ada), state(bob)) == ("looking", "looking")


def test_a_searcher_whom_the_lobby_refuses_searches_on(ada, bob, searches):
    lobby = lobby_service.create(ada, QUICK)
    Lobby.objects.update(barred={str(bob.pk): now() + 60_000})
    searches(bob, SLOWER)
    meet(bob)
    assert state(bob) == "looking"
    assert RefusedPair.objects.filter(one=bob, two=ada).exists()
    assert Lobby.objects.get() == lobby
    assert not Game.objects.exists()


# Between question and answer


@pytest.fixture
def asked(ada, bob, searches) -> Lobby:
    """A lobby in which ada waits; bob's page is asked."""
    lobby = lobby_service.create(ada, QUICK)
    searches(bob, SLOWER)
    run_round("me")
    assert state(bob) == "asked"
    return lobby


def test_a_host_is_kept_for_the_answer(asked, searches):
    cy = someone("cy")
    searches(cy, SLOWER)
    run_round("me")
    assert state(cy) == "looking"


def test_who_plays_the_computer_meanwhile_has_ten_seconds(ada, bob, searches):
    lobby_service.create(ada, QUICK)
    searches(bob, SLOWER)
    search_service.return_to(bob.pk, True)
    before = now()
    run_round("me")
    assert of(bob).deadline >= before + BUSY_ANSWER_MS


def test_who_is_silent_or_declines_searches_no_longer_and_the_host_waits(asked, ada, bob, searches):
    pass_time(ANSWER_MS)
    run_round("me")
    assert state(bob) == "ended no_answer"
    assert RefusedPair.objects.filter(one=bob, two=ada).exists()
    RefusedPair.objects.all().delete()
    searches(bob, SLOWER)
    run_round("me")
    say(bob, is_yes=False)
    assert state(bob) == "ended declined"
    assert Lobby.objects.get().is_host_waiting


@pytest.mark.parametrize(
    "change",
    [
        lambda lobby: lobby_service.sit(lobby.code, someone("cy")),
        lambda lobby: lobby_service.unready(lobby.code, lobby.host),
        lambda lobby: lobby_service.choose(lobby.code, lobby.host, RATED),
        lambda lobby: lobby_service.close(lobby.code, lobby.host),
        lambda lobby: lobby.host.delete(),
        lambda lobby: Block.objects.create(
            blocker=lobby.host, blocked=User.objects.get(username="bob"), at=now()
        ),
    ],
    ids=["joined", "not ready", "rated", "closed", "deleted", "block"],
)
def test_who_answers_too_late_for_the_lobby_searches_on(asked, bob, change):
    change(asked)
    games = Game.objects.count()
    say(bob)
    pass_time(ANSWER_MS)
    run_round("me")
    assert (state(bob), Game.objects.count()) == ("looking", games)


def test_who_begins_another_game_before_the_answer_joins_nobody(asked, bob):
    lobby_service.sit(lobby_service.create(someone("cy"), QUICK).code, bob)
    say(bob)
    assert state(bob) == "ended playing"
    assert Game.objects.count() == 1
