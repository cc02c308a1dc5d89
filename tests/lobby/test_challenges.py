"""Challenges: a seat reserved for one person, silent refusals across a block, declining."""

import pytest
from django.test import Client

from accounts.account_service import delete_user
from accounts.models import User
from accounts.people import relations
from accounts.people.relations import RelationReason
from lobby.lobbies import challenges, lobby_service
from lobby.lobbies.challenges import MAX_CHALLENGES, MAX_GUESTS_CHALLENGES, challenge, decline
from lobby.lobbies.lobby_view import lobby_frame
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from lobby.models import Lobby
from play.time_controls import fischer_clock
from tests.lobby.refusals import refusal
from tests.support.page_visitors import browser_of
from watch.own_games import games_under_way, own_games_frame

OPTIONS = Options("pincer", fischer_clock(3, 2), "lot", False)
FORM = {"game": "pincer", "clock": "fischer:180:2", "side": "lot"}


@pytest.fixture
def cy(db) -> User:
    return User.objects.create(username="cyn")


def shown(lobby: Lobby, viewer: User | None) -> dict:
    fresh = Lobby.objects.with_games().get(pk=lobby.pk)
    return lobby_frame(fresh, viewer.pk if viewer else None)


def test_only_the_challenged_person_may_join(ada, bob, cy) -> None:
    lobby = challenge(ada, "BOB", OPTIONS)
    assert refusal(lobby_service.sit, lobby.code, cy) is LobbyReason.RESERVED
    assert all(seat["sit"] is None for seat in shown(lobby, cy)["seats"])
    assert all(seat["sit"] is None for seat in shown(lobby, None)["seats"])
    assert [seat["sit"] is not None for seat in shown(lobby, bob)["seats"]] == [False, True]
    game = lobby_service.sit(lobby.code, bob).game
    assert {seat.user for seat in game.seats.all()} == {ada, bob}


def test_a_stranger_becomes_no_guest_by_trying_to_join(ada, bob) -> None:
    lobby = challenge(ada, "bob", OPTIONS)
    answer = Client().post(f"/l/{lobby.code}/sit/")
    assert answer.status_code == 409
    assert "This game isn’t available." in answer.content.decode()
    assert not User.objects.filter(is_guest=True).exists()


def test_a_challenge_is_never_public(ada, bob) -> None:
    lobby = challenge(ada, "bob", OPTIONS)
    public = Options("pincer", fischer_clock(3, 2), "lot", True)
    assert refusal(lobby_service.choose, lobby.code, ada, public) is LobbyReason.MALFORMED
    Lobby.objects.filter(pk=lobby.pk).update(is_public=True)
    assert not Lobby.objects.listed(lobby.created).exists()


def test_the_challenged_person_finds_it_among_their_games_and_in_the_header(ada, bob, cy) -> None:
    lobby = challenge(ada, "bob", OPTIONS)
    frames = {user: own_games_frame(games_under_way(user)) for user in (ada, bob, cy)}
    (row,) = frames[bob]["rows"]
    assert (row["is_challenge"], row["waits"], row["is_game"]) == (True, True, False)
    assert (row["title"], row["url"]) == ("Challenge from ada", lobby.get_absolute_url())
    assert frames[ada]["rows"][0]["title"] == "Your challenge to bob"
    assert not frames[ada]["rows"][0]["is_challenge"]
    assert frames[cy]["rows"] == []
    assert "Challenges (1)" in browser_of(bob).get("/watch/").content.decode()
    assert "Challenges (1)" not in browser_of(ada).get("/watch/").content.decode()


def test_the_page_says_who_waits_for_whom(ada, bob, cy) -> None:
    lobby = challenge(ada, "bob", OPTIONS)
    assert shown(lobby, ada)["say"] == "Waiting for bob to accept your challenge."
    asked = shown(lobby, bob)
    assert asked["heading"] == "ada invites you to Pincer"
    assert asked["say"] == "3 min + 2 s. Random sides."
    assert shown(lobby, cy)["say"] == shown(lobby, None)["say"] == "ada challenges bob."
    assert [shown(lobby, user)["may"]["decline"] for user in (ada, bob, cy)] == [False, True, False]
    assert not any(seat["computer"] for seat in shown(lobby, ada)["seats"])
    decline(lobby.code, bob)
    assert shown(lobby, ada)["say"] == "bob declined the challenge."
    assert refusal(lobby_service.sit, lobby.code, bob) is LobbyReason.CLOSED
    assert own_games_frame(games_under_way(bob))["rows"] == []


def test_only_the_challenged_person_declines_and_only_before_joining(ada, bob, cy) -> None:
    lobby = challenge(ada, "bob", OPTIONS)
    assert refusal(decline, lobby.code, ada) is refusal(decline, lobby.code, cy)
    lobby_service.unready(lobby.code, ada)
    lobby_service.sit(lobby.code, bob)
    assert refusal(decline, lobby.code, bob) is LobbyReason.NOT_SEATED


def test_a_second_challenge_of_the_same_two_leads_to_the_first(ada, bob) -> None:
    lobby = challenge(ada, "bob", OPTIONS)
    assert challenge(ada, "bob", OPTIONS) == lobby
    back = challenge(bob, "ada", OPTIONS)
    assert back != lobby


def test_a_block_and_a_full_list_and_a_suspension_are_refused_alike(ada, bob, cy) -> None:
    relations.block(bob, "ada")
    assert refusal(challenge, ada, "bob", OPTIONS) is LobbyReason.UNAVAILABLE
    assert refusal(challenge, bob, "ada", OPTIONS) is LobbyReason.UNAVAILABLE
    for number in range(MAX_CHALLENGES):
        challenge(User.objects.create(username=f"host-{number}"), "cyn", OPTIONS)
    assert refusal(challenge, ada, "cyn", OPTIONS) is LobbyReason.UNAVAILABLE
    User.objects.filter(pk=cy.pk).update(is_active=False)
    assert refusal(challenge, bob, "cyn", OPTIONS) is LobbyReason.UNAVAILABLE
    answers = [
        browser_of(ada).post(f"/u/{name}/challenge/", FORM).content.decode()
        for name in ("bob", "cyn")
    ]
    for answer in answers:
        assert "This player isn’t taking challenges right now." in answer


def test_guests_do_not_fill_the_list_of_challenges(ada, bob) -> None:
    for number in range(MAX_GUESTS_CHALLENGES):
        guest = User.objects.create(username=f"guest-{number}", is_guest=True)
        challenge(guest, "bob", OPTIONS)
    late = User.objects.create(username="late-guest", is_guest=True)
    assert refusal(challenge, late, "bob", OPTIONS) is LobbyReason.UNAVAILABLE
    assert challenge(ada, "bob", OPTIONS).invited == bob


def test_nobody_challenges_themselves_a_guest_a_computer_or_nobody(ada) -> None:
    User.objects.create(username="shy-owl-11", is_guest=True)
    User.objects.create(username="engine", is_bot=True)
    assert refusal(challenge, ada, "Ada", OPTIONS) is LobbyReason.YOURSELF
    assert refusal(challenge, ada, "shy-owl-11", OPTIONS) is LobbyReason.UNAVAILABLE
    assert refusal(challenge, ada, "engine", OPTIONS) is LobbyReason.UNAVAILABLE
    for name in ("nobody-here", "x\0y", "n" * 10_000):
        assert refusal(challenge, ada, name, OPTIONS) is RelationReason.NOBODY


@pytest.mark.django_db
def test_a_block_ends_a_challenge_that_waits(ada, bob) -> None:
    lobby = challenge(ada, "bob", OPTIONS)
    relations.block(ada, "bob")
    lobby.refresh_from_db()
    assert (lobby.status, lobby.why) == (Lobby.Status.CLOSED, Lobby.Why.DECLINED)


def test_a_deleted_account_has_no_challenge_left(ada, bob) -> None:
    lobby = challenge(ada, "bob", OPTIONS)
    delete_user(bob.pk)
    challenges.decline_all(bob)
    lobby.refresh_from_db()
    assert lobby.status == Lobby.Status.CLOSED


# The page.


def test_the_form_opens_a_lobby_and_keeps_its_choices(ada, bob) -> None:
    browser = browser_of(ada)
    assert browser.get("/play/friend/?to=bob&game=blotto")["Location"] == (
        "/u/bob/challenge/?game=blotto"
    )
    page = browser.get("/u/bob/challenge/?game=blotto").content.decode()
    assert "Challenge bob" in page
    assert 'value="limit:30" checked' in page
    answer = browser.post("/u/bob/challenge/", FORM)
    lobby = Lobby.objects.get(invited=bob)
    assert answer["Location"] == lobby.get_absolute_url()
    assert (lobby.host, lobby.is_public, lobby.side) == (ada, False, "lot")
    browser_of(bob).post(f"{lobby.get_absolute_url()}decline/")
    lobby.refresh_from_db()
    assert lobby.why == Lobby.Why.DECLINED


def test_a_wrong_form_changes_nothing_and_makes_no_guest(ada, bob) -> None:
    stranger = Client()
    for wrong in ({"game": "chess"}, {"clock": "never"}, {"side": "left"}):
        assert stranger.post("/u/bob/challenge/", {**FORM, **wrong}).status_code == 400
    assert stranger.post("/u/nobody-here/challenge/", FORM).status_code == 404
    assert stranger.get("/u/nobody-here/challenge/").status_code == 404
    assert stranger.get(f"/u/{'n' * 10_000}/challenge/").status_code == 404
    assert stranger.get("/play/friend/?to=no%00body").status_code == 404
    assert (Lobby.objects.count(), User.objects.filter(is_guest=True).count()) == (0, 0)
    assert stranger.post("/u/bob/challenge/", FORM).status_code == 302
    assert User.objects.get(is_guest=True) == Lobby.objects.get(invited=bob).host


def test_the_page_says_nothing_of_a_block(ada, bob) -> None:
    before = browser_of(ada).get("/u/bob/challenge/")
    relations.block(bob, "ada")
    after = browser_of(ada).get("/u/bob/challenge/")
    assert (before.status_code, after.status_code) == (200, 200)
    assert "isn’t" not in after.content.decode()


def test_the_options_and_the_link_say_who_may_join(ada, bob) -> None:
    lobby = challenge(ada, "bob", OPTIONS)
    frame = shown(lobby, ada)
    assert frame["options"]["visibility"]["say"] == "Only bob"
    assert frame["invite"] == "Only bob can join. Others with the link can watch."
    assert not frame["invites"]
