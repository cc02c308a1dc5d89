"""Searches as rows: start, question, answers and ends; no search without a page is paired."""

import pytest

from accounts.models import Block, User
from accounts.refusals import Refused
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby
from lobby.pairing import pairing_round, search_service
from lobby.pairing.models import RefusedPair, Search
from lobby.pairing.pairing_round import ANSWER_MS, BUSY_ANSWER_MS, run_round
from lobby.pairing.play_now import open_quick_game
from lobby.pairing.search_presence import note_seen
from lobby.pairing.search_service import STALE_MS, START_MS
from play.domain.clocks import now
from play.models import Game
from play.process_models import Lease
from play.storage import leases
from play.time_controls import fischer_clock
from tests.support.page_visitors import someone

pytestmark = pytest.mark.django_db
PINCER, SLOWER, BLOTTO = (
    ("pincer", "fischer:180:2"),
    ("pincer", "fischer:300:3"),
    ("blotto", "limit:30"),
)


def of(user) -> Search:
    return Search.objects.get(user=user)


def state(user) -> str:
    search = of(user)
    return f"{search.state} {search.why}".strip()


def say(user, is_yes: bool = True, tab: str = "tab") -> None:
    search_service.answer(user.pk, of(user).deadline, is_yes, tab)


def pass_time(ms: int) -> None:
    """Lets the answers' time run out, while the pages of all searches are still there."""
    for search in Search.objects.exclude(deadline=None):
        Search.objects.filter(pk=search.pk).update(deadline=search.deadline - ms)


def paired(*users) -> None:
    assert run_round("me")
    assert [state(user) for user in users] == ["asked"] * len(users)


def test_two_strangers_are_asked_and_play_once_both_pages_have_answered(ada, bob, searches):
    searches(ada)
    searches(bob)
    paired(ada, bob)
    assert Game.objects.count() == Lobby.objects.count() == 0
    say(ada)
    assert Game.objects.count() == 0
    say(bob)
    game = Game.objects.get()
    assert set(game.seats.values_list("user__username", flat=True)) == {"ada", "bob"}
    assert (game.rules, game.is_public, game.clock.initial) == ("pincer", True, 180_000)
    assert Lobby.objects.get(code=game.lobby).is_quick
    assert [of(user).game for user in (ada, bob)] == [game, game]
    assert search_service.start(ada, [PINCER]) == game


def test_who_does_not_answer_leaves_and_the_other_keeps_the_place(ada, bob, searches):
    searches(ada, created=now() - 20_000)
    searches(bob)
    paired(ada, bob)
    created = of(ada).created
    say(ada)
    pass_time(ANSWER_MS)
    run_round("me")
    assert (state(ada), state(bob)) == ("looking", "ended no_answer")
    assert of(ada).created == created
    assert Game.objects.count() == 0
    with pytest.raises(Refused):
        search_service.answer(bob.pk, of(bob).deadline or 0, True, "late")


def test_the_same_pair_does_not_meet_again_for_a_minute(ada, bob, searches):
    searches(ada)
    searches(bob)
    paired(ada, bob)
    say(bob, is_yes=False)
    assert (state(ada), state(bob)) == ("looking", "ended declined")
    searches(bob)
    run_round("me")
    assert (state(ada), state(bob)) == ("looking", "looking")
    cy = someone("cy")
    searches(cy)
    run_round("me")
    assert state(cy) == "asked"
    search_service.stop(cy.pk)
    RefusedPair.objects.update(until=now() - 1)
    paired(ada, bob)


def test_blocked_people_never_meet(ada, bob, searches):
    Block.objects.create(blocker=ada, blocked=bob, at=now())
    searches(ada)
    searches(bob)
    run_round("me")
    assert (state(ada), state(bob)) == ("looking", "looking")


def test_who_is_blocked_between_question_and_answer_gets_no_game(ada, bob, searches):
    searches(ada)
    searches(bob)
    paired(ada, bob)
    say(ada)
    Block.objects.create(blocker=ada, blocked=bob, at=now())
    say(bob)
    assert (state(ada), state(bob)) == ("looking", "looking")
    assert not Game.objects.exists()
    run_round("me")
    assert (state(ada), state(bob)) == ("looking", "looking")


def test_a_common_choice_is_needed_and_the_longer_waiting_one_chooses(ada, bob, searches):
    searches(ada, BLOTTO, SLOWER, PINCER, created=now() - 9_000)
    searches(bob, PINCER, SLOWER)
    cy = someone("cy")
    searches(cy, ("amazons", "fischer:600:5"))
    paired(ada, bob)
    assert (of(ada).rules, of(ada).clock) == SLOWER
    assert state(cy) == "looking"


def test_a_search_that_no_page_follows_is_neither_counted_nor_paired(ada, bob, searches):
    search_service.start(ada, [PINCER])
    searches(bob)
    run_round("me")
    assert (state(ada), state(bob)) == ("looking", "looking")
    Search.objects.filter(user=ada).update(created=now() - START_MS - 1)
    assert search_service.active_search(ada.pk) is None
    run_round("me")
    assert state(ada) == "ended left"


def test_a_search_of_a_process_that_died_is_dropped(ada, bob, searches):
    searches(ada)
    searches(bob)
    Search.objects.filter(user=ada).update(seen=now() - STALE_MS - 1)
    run_round("me")
    assert (state(ada), state(bob)) == ("ended left", "looking")


def test_a_closed_page_withdraws_its_search_unless_another_page_follows_it(ada, searches):
    searches(ada)
    closed_at = now() - 2_500
    search_service.withdraw(ada.pk, closed_at)
    assert state(ada) == "looking"
    Search.objects.update(seen=closed_at)
    search_service.withdraw(ada.pk, closed_at)
    assert state(ada) == "ended left"
    search_service.return_to(ada.pk, False)
    assert state(ada) == "looking"


@pytest.mark.parametrize("why", ["stopped", "declined", "no_answer"])
def test_a_page_that_comes_back_takes_up_only_what_it_has_left(ada, searches, why):
    searches(ada)
    Search.objects.update(state="ended", why=why)
    search_service.return_to(ada.pk, False)
    assert of(ada).state == "ended"


def test_who_plays_the_computer_meanwhile_has_ten_seconds(ada, bob, searches):
    searches(ada)
    searches(bob)
    search_service.return_to(ada.pk, True)
    before = now()
    paired(ada, bob)
    assert of(bob).deadline >= before + BUSY_ANSWER_MS
    pass_time(ANSWER_MS)
    run_round("me")
    assert state(ada) == "asked"


def test_who_begins_another_game_searches_no_longer(ada, bob, searches):
    searches(ada)
    searches(bob)
    paired(ada, bob)
    say(ada)
    open_quick_game(bob, someone("cy"), "pincer", fischer_clock(3, 2))
    say(bob)
    assert (state(ada), state(bob)) == ("looking", "ended playing")
    assert Game.objects.count() == 1


def test_who_plays_already_is_not_asked(ada, bob, searches):
    searches(ada)
    searches(bob)
    open_quick_game(bob, someone("cy"), "pincer", fischer_clock(3, 2))
    run_round("me")
    assert (state(ada), state(bob)) == ("looking", "ended playing")


def test_stopping_while_asked_gives_the_other_their_place_back(ada, bob, searches):
    searches(ada)
    searches(bob)
    paired(ada, bob)
    say(bob)
    search_service.stop(ada.pk)
    search_service.stop(ada.pk)
    assert (state(ada), state(bob)) == ("ended stopped", "looking")
    assert not of(bob).is_answered


def test_two_tabs_are_one_search_and_the_first_answer_names_the_tab(ada, bob, searches):
    first = searches(ada)
    assert searches(ada, SLOWER, PINCER).pk == first.pk
    searches(bob)
    paired(ada, bob)
    say(ada, tab="one")
    say(ada, tab="two")
    assert of(ada).tab == "one"
    say(bob)
    assert Game.objects.count() == 1


def test_a_user_who_was_deleted_leaves_the_partner_searching(ada, bob, searches):
    searches(ada)
    searches(bob)
    paired(ada, bob)
    say(bob)
    ada.delete()
    pass_time(ANSWER_MS)
    run_round("me")
    assert state(bob) == "looking"


@pytest.mark.parametrize(
    "choices",
    [
        [],
        [("chess", "fischer:180:2")],
        [("pincer", "days:1")],
        [("pincer", "none")],
        [("pincer", "fischer:181:2")],
        [PINCER] * 33,
    ],
)
def test_only_games_on_offer_are_searched_for(ada, choices):
    with pytest.raises(Refused) as refused:
        search_service.start(ada, choices)
    assert refused.value.reason == LobbyReason.MALFORMED
    assert not Search.objects.exists()


def test_a_game_that_was_withdrawn_meanwhile_pairs_nobody(ada, bob, searches):
    searches(ada)
    searches(bob)
    Search.objects.update(choices=[["withdrawn", "fischer:180:2"]])
    run_round("me")
    assert (state(ada), state(bob)) == ("looking", "looking")


def test_one_process_at_a_time_pairs(ada, bob, searches):
    searches(ada)
    searches(bob)
    assert run_round("one")
    assert not run_round("two")
    leases.give_back(pairing_round.LEASE, "one")
    assert run_round("two")
    Lease.objects.update(until=now() - 1)
    assert run_round("three")


def test_the_lease_and_heartbeats_are_written_every_other_second(ada, searches):
    searches(ada)
    at = now()
    assert leases.take(pairing_round.LEASE, "one", at, pairing_round.LEASE_MS)
    note_seen([ada.pk], at)
    for later_ms, is_written in ((1_000, False), (2_000, True)):
        leases.take(pairing_round.LEASE, "one", at + later_ms, pairing_round.LEASE_MS)
        note_seen([ada.pk], at + later_ms)
        assert (Lease.objects.get().until > at + pairing_round.LEASE_MS) is is_written
        assert (of(ada).seen == at + later_ms) is is_written


def test_old_searches_are_deleted_but_not_those_that_go_on(ada, bob, searches):
    searches(ada)
    searches(bob)
    search_service.stop(bob.pk)
    Search.objects.update(changed=1)
    note_seen([ada.pk], now())
    pairing_round.delete_old(now())
    assert list(Search.objects.values_list("user__username", flat=True)) == ["ada"]


def test_a_hundred_who_search_at_once_all_play(searches):
    users = [User.objects.create(username=f"user-{number}") for number in range(100)]
    for user in users:
        searches(user)
    run_round("me")
    for user in users:
        say(user)
    assert Game.objects.count() == 50
