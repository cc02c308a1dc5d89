"""Standing offers: kept games, acceptance, limits, expiry, and races."""

from functools import partial

import pytest
from django.test import Client

from accounts.models import Block, User
from accounts.refusals import Refused
from lobby.lobbies import lobby_service
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby
from lobby.offers import offer_service, visits
from lobby.offers.models import MAX_OPEN_GAMES, StandingOffer
from lobby.offers.offer_service import BY_NETWORK, keep
from play.domain.abandonment import OFFER_LIFE_MS
from play.domain.clocks import now
from play.models import Game
from play.time_controls import days_clock, fischer_clock
from tests.lobby.test_lobby import at_once
from tests.support.page_visitors import at_home, ended, mine_of, someone

pytestmark = pytest.mark.django_db
NETWORK = "203.0.113.7"


@pytest.fixture(autouse=True)
def no_visitors() -> None:
    visits.visitors.clear()


def waiting(user: User | None = None) -> list[str]:
    """The codes of the games that wait, the oldest first."""
    lobbies = Lobby.objects.waiting().order_by("pk")
    rows = lobbies.filter(host=user) if user else lobbies
    return list(rows.values_list("code", flat=True))


def refusal(act, *args, **kwargs) -> LobbyReason:
    """The reason of a refusal, which has to come and to change nothing."""
    before = list(StandingOffer.objects.values()), list(Lobby.objects.values())
    with pytest.raises(Refused) as refused:
        act(*args, **kwargs)
    assert (list(StandingOffer.objects.values()), list(Lobby.objects.values())) == before
    return refused.value.reason


def test_an_offer_keeps_public_games_with_days_open(ada) -> None:
    offer = keep(ada, "pincer", days_clock(2), "black", 3)
    lobbies = Lobby.objects.filter(offer=offer)
    assert len(lobbies) == 3
    assert {lobby.options for lobby in lobbies} == {offer.options}
    assert all(lobby.places[0].user == ada and lobby.places[0].is_ready for lobby in lobbies)
    assert (offer.clock, offer.options.public) == (days_clock(2), True)


def test_the_usual_offer_has_three_days_and_random_sides(ada) -> None:
    offer = keep(ada, "blotto")
    assert (offer.days, offer.side, offer.count) == (3, "lot", 1)


def test_the_same_request_repeated_changes_nothing(ada) -> None:
    first = keep(ada, "pincer", days_clock(2), "white", 2)
    assert keep(ada, "pincer", days_clock(2), "white", 1) == first
    assert keep(ada, "pincer") == first
    assert (StandingOffer.objects.get().count, len(waiting())) == (2, 2)


def test_a_higher_number_raises_the_offer(ada) -> None:
    keep(ada, "pincer")
    keep(ada, "pincer", count=4)
    assert (StandingOffer.objects.get().count, len(waiting())) == (4, 4)


def test_whoever_joins_starts_the_game_while_the_owner_is_away(ada, bob) -> None:
    keep(ada, "pincer", side="white")
    after = lobby_service.sit(waiting()[0], bob)
    assert after.status == Lobby.Status.PLAYING
    assert (after.game.clock, after.game.is_public) == (days_clock(3), True)
    assert set(after.game.seats.values_list("user__username", flat=True)) == {"ada", "bob"}


def test_a_game_in_play_counts_and_its_end_opens_another(ada, bob) -> None:
    offer = keep(ada, "pincer", count=2)
    game = lobby_service.sit(waiting()[0], bob).game
    offer_service.refill(offer.pk)
    assert len(waiting()) == 1
    ended(game)
    offer_service.refill(offer.pk)
    assert len(waiting()) == 2
    assert offer_service.refill_all() == 0


def test_fewer_games_close_the_newest_that_wait_and_none_in_play(ada, bob) -> None:
    offer = keep(ada, "pincer", count=4)
    first, second, *_ = waiting()
    game = lobby_service.sit(first, bob).game
    offer_service.change_count(ada, offer.pk, 2)
    assert waiting() == [second]
    offer_service.change_count(ada, offer.pk, 1)
    assert waiting() == []
    assert Game.objects.get(pk=game.pk).ended is None
    assert offer_service.refill_all() == 0


def test_a_removed_offer_closes_its_games_and_leaves_those_in_play(ada, bob) -> None:
    offer = keep(ada, "pincer", count=2)
    game = lobby_service.sit(waiting()[0], bob).game
    offer_service.remove(ada, offer.pk)
    assert waiting() == []
    assert not StandingOffer.objects.exists()
    assert Game.objects.get(pk=game.pk).ended is None
    offer_service.remove(ada, offer.pk)


def test_ones_own_offer_is_refused(ada) -> None:
    keep(ada, "pincer")
    assert refusal(lobby_service.sit, waiting()[0], ada) == LobbyReason.OWN_OFFER


@pytest.mark.parametrize("who", ["ada", "bob"])
def test_a_blocked_person_is_refused_whoever_has_blocked(ada, bob, who) -> None:
    keep(ada, "pincer")
    pair = (ada, bob) if who == "ada" else (bob, ada)
    Block.objects.create(blocker=pair[0], blocked=pair[1], at=now())
    assert refusal(lobby_service.sit, waiting()[0], bob) == LobbyReason.CLOSED
    assert Game.objects.count() == 0
    assert str(Refused(LobbyReason.CLOSED).say) == "This game isn’t available."


def test_nobody_joins_a_game_of_a_suspended_owner(ada, bob) -> None:
    keep(ada, "pincer")
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert refusal(lobby_service.sit, waiting()[0], bob) == LobbyReason.CLOSED


def test_the_second_of_two_is_told_that_somebody_was_faster(ada, bob) -> None:
    keep(ada, "pincer")
    code = waiting()[0]
    lobby_service.sit(code, bob)
    assert refusal(lobby_service.sit, code, someone("cy")) == LobbyReason.FASTER
    answer = Client().post(f"/l/{code}/sit/", HTTP_ACCEPT="application/json")
    assert answer.status_code == 409
    assert answer.json()["refused"]["say"] == "Someone else was faster."
    assert not User.objects.filter(is_guest=True).exists()


@pytest.mark.parametrize(
    ("key", "clock", "side", "count", "reason"),
    [
        ("chess", None, None, 1, LobbyReason.MALFORMED),
        ("", None, None, 1, LobbyReason.MALFORMED),
        ("pincer", fischer_clock(5, 3), None, 1, LobbyReason.MALFORMED),
        ("pincer", None, "left", 1, LobbyReason.MALFORMED),
        ("pincer", None, None, 0, LobbyReason.TOO_MANY_OPEN),
        ("pincer", None, None, -1, LobbyReason.TOO_MANY_OPEN),
        ("pincer", None, None, MAX_OPEN_GAMES + 1, LobbyReason.TOO_MANY_OPEN),
    ],
)
def test_a_malformed_offer_is_refused(ada, key, clock, side, count, reason) -> None:
    assert refusal(keep, ada, key, clock, side, count) == reason


def test_twenty_games_of_a_user_are_the_most_over_all_offers(ada, bob) -> None:
    keep(ada, "pincer", count=15)
    offer = keep(ada, "blotto", count=5)
    assert refusal(keep, ada, "amazons") == LobbyReason.TOO_MANY_OPEN
    assert refusal(offer_service.change_count, ada, offer.pk, 6) == LobbyReason.TOO_MANY_OPEN
    assert len(waiting()) == MAX_OPEN_GAMES
    keep(bob, "amazons")


def test_a_hundred_open_games_from_one_network_are_refused(db) -> None:
    people = [someone(f"user-{number}") for number in range(5)]
    for user in people[:3]:
        keep(user, "pincer", count=20, network=NETWORK)
    for user in people[3:]:
        assert refusal(keep, user, "pincer", count=20, network=NETWORK) == LobbyReason.TOO_MANY_HERE
    assert len(waiting()) == BY_NETWORK.most == 60
    assert "network" in Refused(LobbyReason.TOO_MANY_HERE).say
    keep(people[3], "pincer", count=20, network="198.51.100.9")


def test_a_refused_request_uses_up_nothing_of_the_network(ada, bob) -> None:
    keep(ada, "pincer", count=20, network=NETWORK)
    keep(bob, "pincer", count=20, network=NETWORK)
    cy, dee = someone("cy"), someone("dee")
    keep(cy, "pincer", count=15, network=NETWORK)
    assert refusal(keep, dee, "pincer", count=6, network=NETWORK) == LobbyReason.TOO_MANY_HERE
    keep(dee, "pincer", count=5, network=NETWORK)


def test_an_offer_of_somebody_else_cannot_be_changed_or_removed(ada, bob) -> None:
    offer = keep(ada, "pincer", count=2)
    with pytest.raises(StandingOffer.DoesNotExist):
        offer_service.change_count(bob, offer.pk, 1)
    offer_service.remove(bob, offer.pk)
    assert len(waiting()) == 2


def test_an_offer_expires_after_thirty_days_without_a_visit(ada) -> None:
    keep(ada, "pincer", count=2)
    at = now()
    assert offer_service.remove_expired(at + OFFER_LIFE_MS - 60_000) == 0
    assert offer_service.remove_expired(at + OFFER_LIFE_MS + 60_000) == 1
    assert waiting() == []
    assert set(Lobby.objects.values_list("why", flat=True)) == {"away"}


def test_a_visit_keeps_an_offer_alive(ada) -> None:
    keep(ada, "pincer")
    long_ago = now() - OFFER_LIFE_MS - 1
    StandingOffer.objects.update(visited=long_ago)
    Lobby.objects.update(host_seen=long_ago)
    browser = Client()
    browser.force_login(ada)
    browser.get("/")
    offer_service.note_visits(visits.visitors)
    assert offer_service.remove_expired(now()) == 0
    assert Lobby.objects.listed(now()).count() == 1


def test_a_stranger_and_somebody_else_keep_nothing_alive(ada) -> None:
    keep(ada, "pincer")
    StandingOffer.objects.update(visited=1)
    Client().get("/")
    at_home("bob")[1].get("/")
    offer_service.note_visits(visits.visitors)
    assert offer_service.remove_expired(now()) == 1


def test_offers_of_suspended_users_and_of_withdrawn_rules_go(ada, bob) -> None:
    keep(ada, "pincer")
    keep(bob, "blotto")
    User.objects.filter(pk=ada.pk).update(is_active=False)
    StandingOffer.objects.filter(user=bob).update(rules="withdrawn")
    Lobby.objects.filter(host=bob).update(rules="withdrawn")
    assert offer_service.remove_expired(now()) == 2
    assert waiting() == []


def test_an_offer_of_withdrawn_rules_opens_nothing(ada) -> None:
    offer = keep(ada, "pincer")
    Lobby.objects.all().delete()
    StandingOffer.objects.update(rules="withdrawn")
    offer_service.refill(offer.pk)
    offer_service.refill_all()
    assert waiting() == []


def test_a_guest_keeps_an_offer_as_long_as_the_session(db) -> None:
    guest = User.objects.create(username="still-heron-12", is_guest=True)
    browser = Client()
    browser.force_login(guest)
    keep(guest, "pincer")
    assert offer_service.remove_expired(now()) == 0
    browser.logout()
    assert offer_service.remove_expired(now()) == 1


def test_kept_games_do_not_count_as_lobbies_and_are_not_among_ones_own(ada) -> None:
    keep(ada, "pincer", count=10)
    browser = Client()
    browser.force_login(ada)
    assert "Your lobby" not in mine_of(browser)
    lobby_service.create(ada, offer_service.StandingOffer.objects.get().options)


def test_the_list_has_one_game_of_each_offer_and_then_the_next(ada, bob) -> None:
    keep(ada, "pincer", count=3)
    keep(bob, "pincer", count=2)
    first = waiting(ada)[0]
    listed = set(Lobby.objects.listed(now()).values_list("code", flat=True))
    assert listed == {first, waiting(bob)[0]}
    lobby_service.sit(first, someone("cy"))
    listed = set(Lobby.objects.listed(now()).values_list("code", flat=True))
    assert listed == {waiting(ada)[0], waiting(bob)[0]}


def test_a_kept_game_is_not_listed_again_after_it_was_played(ada, bob) -> None:
    offer = keep(ada, "pincer")
    (code,) = waiting()
    ended(lobby_service.sit(code, bob).game)
    lobby_service.leave(code, bob)
    assert Lobby.objects.get(code=code).status == Lobby.Status.OPEN
    offer_service.refill(offer.pk)
    assert set(Lobby.objects.listed(now()).values_list("code", flat=True)) == set(waiting())


# Races


@pytest.mark.django_db(transaction=True)
def test_of_two_who_accept_at_once_one_plays() -> None:
    for number in range(10):
        people = [
            User.objects.create(username=f"{name}-{number}") for name in ("a-a", "b-b", "c-c")
        ]
        keep(people[0], "pincer")
        (code,) = waiting(people[0])
        results = at_once(*(partial(lobby_service.sit, code, user) for user in people[1:]))
        assert Game.objects.filter(lobby=code).count() == 1
        assert sum(result == LobbyReason.FASTER for result in results) == 1


@pytest.mark.django_db(transaction=True)
def test_two_processes_do_not_open_two_games() -> None:
    ada = User.objects.create(username="ada")
    offer = keep(ada, "pincer", count=3)
    for _ in range(5):
        Lobby.objects.all().delete()
        at_once(*[partial(offer_service.refill, offer.pk)] * 3)
        assert len(waiting()) == 3


@pytest.mark.django_db(transaction=True)
def test_two_requests_at_once_make_one_offer() -> None:
    for number in range(5):
        ada = User.objects.create(username=f"ada-{number}")
        at_once(*[partial(keep, ada, "pincer", days_clock(1), "white", 2)] * 2)
        assert StandingOffer.objects.filter(user=ada).count() == 1
        assert len(waiting(ada)) == 2


@pytest.mark.django_db(transaction=True)
def test_two_requests_at_once_do_not_exceed_twenty() -> None:
    ada = User.objects.create(username="ada")
    at_once(*(partial(keep, ada, key, count=15) for key in ("pincer", "blotto")))
    assert len(waiting(ada)) == 15


@pytest.mark.django_db(transaction=True)
def test_a_removal_and_an_acceptance_at_once_leave_no_open_game() -> None:
    for number in range(10):
        ada, bob = (User.objects.create(username=f"{name}-{number}") for name in ("ada", "bob"))
        offer = keep(ada, "pincer", count=2)
        code = waiting(ada)[0]
        _, accepted = at_once(
            partial(offer_service.remove, ada, offer.pk), partial(lobby_service.sit, code, bob)
        )
        assert waiting(ada) == []
        played = Game.objects.filter(lobby=code).count()
        assert played == (0 if accepted == LobbyReason.CLOSED else 1)
