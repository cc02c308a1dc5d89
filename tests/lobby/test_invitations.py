"""Invitations to a friend: the form, the page of the friend, and everything that can go wrong."""

import re
from dataclasses import replace

import pytest
from django.test import Client

from accounts.account_service import suspend
from accounts.models import Block, User
from accounts.refusals import Refused
from lobby.lobbies import lobby_presence, lobby_service
from lobby.lobbies.lobby_view import lobby_frame
from lobby.lobbies.rematch import rematch
from lobby.lobby_options import Options
from lobby.lobby_refusals import LobbyReason
from lobby.models import AWAY_INVITED_MS, AWAY_LIVE_MS, Lobby
from play.domain.clocks import now
from play.models import Game
from play.time_controls import NO_CLOCK, days_clock, fischer_clock, limit_clock, long_clock_label
from tests.support.page_visitors import at_home, text_of
from tests.support.sign_up_forms import account

pytestmark = pytest.mark.django_db
INVITATION = Options("amazons-8x8", fischer_clock(5, 3), "white", False)
FORM = {
    "game": "amazons-8x8",
    "side": "lot",
    "visibility": "link",
    "clock": "fischer:300:3",
    "page": "friend",
}
JSON = {"Accept": "application/json"}


@pytest.fixture
def invitation(ada) -> Lobby:
    return lobby_service.create(ada, INVITATION)


def frame_of(lobby: Lobby, user: User | None) -> dict:
    return lobby_frame(Lobby.objects.with_games().get(pk=lobby.pk), user and user.pk)


def counts() -> tuple[int, int]:
    return User.objects.count(), Game.objects.count()


# The form


def test_an_invitation_is_unlisted_unless_somebody_chooses_otherwise(client) -> None:
    page = client.get("/play/friend/").content.decode()
    assert 'value="link" checked' in page
    assert 'value="lot" checked' in page
    assert "Create invitation link" in page
    assert 'value="public" checked' in client.get("/new/").content.decode()


def test_the_game_of_the_address_is_preselected(client) -> None:
    page = client.get("/play/friend/?game=blotto").content.decode()
    assert 'name="game" value="blotto"' in page
    assert client.get("/play/friend/?game=chess").status_code == 200


def test_game_and_clock_are_remembered(ada) -> None:
    browser = Client()
    browser.force_login(ada)
    lobby_service.create(ada, Options("pincer", days_clock(1), "white", True))
    page = browser.get("/play/friend/").content.decode()
    assert 'name="game" value="pincer"' in page
    assert 'value="days:1" checked' in page
    assert 'value="link" checked' in page  # the default of invitations
    other = browser.get("/play/friend/?game=blotto").content.decode()
    assert 'value="limit:30" checked' in other


def test_a_clock_that_is_no_preset_and_a_withdrawn_game_are_not_preselected(ada) -> None:
    browser = Client()
    browser.force_login(ada)
    lobby_service.create(ada, Options("pincer", fischer_clock(7, 7), "white", True))
    assert 'value="fischer:180:2" checked' in browser.get("/play/friend/").content.decode()
    Lobby.objects.update(rules="withdrawn")
    assert browser.get("/play/friend/").status_code == 200


def test_a_host_without_an_account_chooses_a_name(client) -> None:
    client.post("/lobbies/", FORM | {"name": "Ana"})
    assert Lobby.objects.get().host.username == "Ana"
    assert Lobby.objects.get().host.is_guest


def test_a_host_whose_name_is_refused_keeps_the_form(client) -> None:
    answer = client.post("/lobbies/", FORM | {"name": "a"})
    assert answer.status_code == 400
    assert "Nothing was created" in text_of(answer)
    assert "Create invitation link" in text_of(answer)
    assert counts() == (0, 0)


# The page of the friend


def test_the_page_says_who_invites_to_what(client, invitation) -> None:
    answer = client.get(invitation.get_absolute_url())
    page = answer.content.decode()
    assert "<title>ada invites you to Amazons 8×8 · Quiver</title>" in page
    assert '<meta property="og:title" content="ada invites you to Amazons 8×8">' in page
    image = '<meta property="og:image" content="https?://[^/"]+(/preview/amazons-8x8.png)">'
    found = re.search(image, page)
    assert found
    assert client.get(found[1])["Content-Type"] == "image/png"
    assert "5 min + 3 s. You move second." in text_of(answer)
    assert "Shut your opponent in" in text_of(answer)
    assert page.count('class="seating"') == page.count('data-show="shows_seats" hidden')


@pytest.mark.parametrize("key", ["amazons-10x10", "amazons-8x8", "amazons", "blotto", "pincer"])
def test_every_game_has_two_lines_of_rules_and_a_first_picture(client, ada, key) -> None:
    lobby = lobby_service.create(ada, Options(key, NO_CLOCK, "lot", False))
    answer = client.get(lobby.get_absolute_url())
    page = answer.content.decode()
    assert page.count("<li>", page.index('id="short-rules"'), page.index("invitation-form")) == 2
    assert f'"key": "{key}", "view"' in page
    assert "Random sides" in text_of(answer)


def test_looking_makes_no_guest(client, invitation) -> None:
    for _ in range(3):
        client.get(invitation.get_absolute_url())
    assert counts() == (1, 0)


def test_a_friend_types_a_name_and_plays(client, invitation) -> None:
    answer = client.post(f"{invitation.get_absolute_url()}sit/", {"name": " Ben "})
    game = Game.objects.get()
    assert answer.headers["Location"] == game.get_absolute_url()
    names = set(game.seats.values_list("user__username", flat=True))
    assert names == {"ada", "Ben"}
    assert User.objects.get(username="Ben").is_guest


def test_a_friend_who_clears_the_name_gets_a_generated_one(client, invitation) -> None:
    client.post(f"{invitation.get_absolute_url()}sit/", {"name": "  "})
    assert User.objects.get(is_guest=True).username.count("-") == 2


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("a", "3 to 20 letters"),
        ("Ana María", "3 to 20 letters"),
        ("x" * 21, "3 to 20 letters"),
        ("<b>bold</b>", "3 to 20 letters"),
        ("admin", "reserved"),
        ("ADA", "taken"),
    ],
)
def test_a_name_that_cannot_be_is_refused_and_makes_no_guest(
    client, invitation, name, says
) -> None:
    url = f"{invitation.get_absolute_url()}sit/"
    answer = client.post(url, {"name": name})
    assert answer.status_code == 400
    assert says in text_of(answer)
    assert 'aria-invalid="true"' in answer.content.decode()
    assert client.post(url, {"name": name}, headers=JSON).json()["refused"]["reason"] == "name"
    assert counts() == (1, 0)
    assert Lobby.objects.get().rev == invitation.rev


def test_a_friend_whose_name_is_taken_is_offered_a_free_one(client, invitation) -> None:
    url = f"{invitation.get_absolute_url()}sit/"
    page = client.post(url, {"name": "Ada"})
    assert "That name is taken. How about Ada-2?" in text_of(page)
    assert 'name="name" value="Ada-2"' in page.content.decode()
    refused = client.post(url, {"name": "Ada"}, headers=JSON).json()["refused"]
    assert (refused["reason"], refused["name"]) == ("name", "Ada-2")
    client.post(url, {"name": refused["name"]})
    assert User.objects.get(is_guest=True).username == "Ada-2"


def test_the_next_ana_who_invites_a_friend_loses_nothing_of_the_form(client) -> None:
    account("Ana")
    form = {
        "game": "pincer",
        "side": "black",
        "visibility": "link",
        "watch": "no",
        "page": "friend",
    }
    custom = {"clock": "custom", "minutes": "7", "seconds": "9"}
    page = client.post("/lobbies/", {**form, **custom, "name": "Ana"})
    assert "That name is taken. How about Ana-2?" in text_of(page)
    html = page.content.decode()
    assert 'name="name" value="Ana-2"' in html and "Play a friend" in html
    checked = re.findall(r'name="(\w+)" id="[\w-]+" value="([\w-]+)" checked', html)
    assert dict(checked).items() >= {
        ("side", "black"), ("visibility", "link"), ("watch", "no"), ("clock", "custom")
    }  # fmt: skip
    assert 'name="minutes" min="0.17" max="180" step="any" value="7"' in html
    assert counts()[0] == 1  # no guest was made


def test_a_user_is_not_asked_for_a_name(invitation) -> None:
    _, browser = at_home("bob")
    page = browser.get(invitation.get_absolute_url()).content.decode()
    assert 'id="invitation-form"' in page
    assert 'name="name"' not in page
    browser.post(f"{invitation.get_absolute_url()}sit/", {"name": "Robert"})
    assert not User.objects.filter(username="Robert").exists()
    assert Game.objects.get().seats.filter(user__username="bob").exists()


def test_a_second_click_of_a_friend_finds_the_same_guest(invitation) -> None:
    browser = Client()
    browser.get(invitation.get_absolute_url())
    url = f"{invitation.get_absolute_url()}sit/"
    browser.post(url, {"name": "Ben"})
    del browser.cookies["sessionid"]  # the answer that the second click cut off
    second = browser.post(url, {"name": "Ben"})
    assert second.headers["Location"] == Game.objects.get().get_absolute_url()
    assert User.objects.filter(is_guest=True).count() == 1


# The host's page


def test_the_host_gets_link_and_qr_code_and_nobody_else_does(client, ada, invitation) -> None:
    browser = Client()
    browser.force_login(ada)
    answer = browser.get(invitation.get_absolute_url())
    page = answer.content.decode()
    assert '<h1 data-text="heading">Invite a friend</h1>' in page
    assert "Waiting for your friend… Keep this page open." in text_of(answer)
    assert 'class="share-qr"' in page
    assert page.index('id="link"') < page.index('class="seats"')
    assert 'class="share-qr"' not in client.get(invitation.get_absolute_url()).content.decode()


def test_an_invitation_waits_for_an_hour_and_a_public_game_for_five_minutes(
    ada, monkeypatch
) -> None:
    monkeypatch.setattr(lobby_presence, "started", 0)
    at = now() + 10 * AWAY_INVITED_MS
    invited = lobby_service.create(ada, INVITATION)
    public = lobby_service.create(ada, Options("pincer", fischer_clock(3, 2), "white", True))
    Lobby.objects.update(host_seen=at - AWAY_LIVE_MS - 1)
    assert lobby_presence.close_abandoned(at) == 1
    public.refresh_from_db()
    assert public.status == Lobby.Status.CLOSED
    Lobby.objects.update(host_seen=at - AWAY_INVITED_MS - 1)
    assert lobby_presence.close_abandoned(at) == 1
    assert frame_of(invited, None)["say"] == "The host was away for an hour."


# Failures


def test_ones_own_invitation_is_to_be_sent_to_a_friend(ada, invitation) -> None:
    browser = Client()
    browser.force_login(ada)
    answer = browser.post(f"{invitation.get_absolute_url()}sit/")
    assert answer.status_code == 409
    assert "That’s your own invitation. Send it to a friend." in text_of(answer)
    assert Lobby.objects.get().rev == invitation.rev


def test_of_two_friends_with_one_link_the_second_is_told_and_may_watch(invitation) -> None:
    first, second = Client(), Client()
    url = invitation.get_absolute_url()
    for friend in (first, second):
        assert "Play" in text_of(friend.get(url))
    assert first.post(f"{url}sit/", {"name": "Ben"}).status_code == 302
    late = second.post(f"{url}sit/", {"name": "Cleo"})
    assert late.status_code == 409
    assert "This game is full" in text_of(late)
    assert Game.objects.get().get_absolute_url() in late.content.decode()
    assert "Create a game" in text_of(late)
    assert not User.objects.filter(username="Cleo").exists()


def test_a_link_that_was_forwarded_leads_to_a_page_that_says_the_game_is_full(
    client, bob, invitation
) -> None:
    lobby_service.sit(invitation.code, bob)
    answer = client.get(invitation.get_absolute_url())
    assert answer.status_code == 200
    assert "Someone else has joined. You can watch." in text_of(answer)
    shown = frame_of(invitation, None)
    game = Game.objects.get().get_absolute_url()
    assert (shown["full"], shown["game"]) == ({"watch": game}, None)
    assert not shown["shows_seats"]
    assert frame_of(invitation, bob)["game"] == game


def test_a_full_game_without_spectators_cannot_be_watched(client, ada, bob) -> None:
    closed = Options("pincer", NO_CLOCK, "white", False, watch=False)
    lobby = lobby_service.create(ada, closed)
    lobby_service.sit(lobby.code, bob)
    shown = frame_of(lobby, None)
    assert (shown["full"], shown["game"]) == ({"watch": None}, None)
    assert "Spectators aren’t allowed" in shown["say"]
    assert "Create a game" in text_of(client.get(lobby.get_absolute_url()))


@pytest.mark.parametrize("is_host_blocking", [True, False])
def test_a_block_is_an_ordinary_refusal(ada, bob, invitation, is_host_blocking) -> None:
    blocker, blocked = (ada, bob) if is_host_blocking else (bob, ada)
    Block.objects.create(blocker=blocker, blocked=blocked, at=now())
    with pytest.raises(Refused) as refused:
        lobby_service.sit(invitation.code, bob)
    assert refused.value.say == "This game isn’t available."
    assert Game.objects.count() == 0
    lobby_service.close(invitation.code, ada)
    with pytest.raises(Refused) as closed:
        lobby_service.sit(invitation.code, bob)
    assert (closed.value.reason, closed.value.say) == (refused.value.reason, refused.value.say)


def test_nobody_joins_a_host_who_is_suspended(ada, bob) -> None:
    lobby = lobby_service.create(ada, replace(INVITATION, public=True, clock=days_clock(3)))
    assert Lobby.objects.listed(now()).exists()
    suspend(ada.pk)
    assert not Lobby.objects.listed(now()).exists()
    with pytest.raises(Refused) as refused:
        lobby_service.sit(lobby.code, bob)
    assert refused.value.say == "This game isn’t available."
    assert not Game.objects.exists()


def test_a_block_ends_readiness_and_rematches(ada, bob) -> None:
    lobby = lobby_service.create(ada, INVITATION)
    lobby_service.unready(lobby.code, ada)
    lobby_service.sit(lobby.code, bob)
    lobby_service.unready(lobby.code, bob)
    block = Block.objects.create(blocker=ada, blocked=bob, at=now())
    with pytest.raises(Refused) as refused:
        lobby_service.ready(lobby.code, bob)
    assert refused.value.reason is LobbyReason.CLOSED
    block.delete()
    lobby_service.ready(lobby.code, bob)
    lobby_service.ready(lobby.code, ada)
    Game.objects.update(ended=1, winner="white", reason="resigned")
    Block.objects.create(blocker=ada, blocked=bob, at=now())
    with pytest.raises(Refused):
        rematch(lobby.code, bob)
    assert Game.objects.count() == 1


def test_a_closed_invitation_says_so_and_shows_nobody(client, ada, invitation) -> None:
    lobby_service.close(invitation.code, ada)
    answer = client.get(invitation.get_absolute_url())
    assert "This game is closed" in text_of(answer)
    assert "The host closed this game." in text_of(answer)
    shown = frame_of(invitation, None)
    assert (shown["shows_seats"], shown["shows_people"], shown["shows_options"]) == (False,) * 3
    assert shown["is_done"]
    assert frame_of(invitation, ada)["say"] == "You closed this game."
    refused = client.post(f"{invitation.get_absolute_url()}sit/", {"name": "Ben"})
    assert "This game isn’t available." in text_of(refused)
    assert counts() == (1, 0)


def test_a_host_who_is_not_ready_shows_the_seats_instead(ada, invitation) -> None:
    lobby_service.unready(invitation.code, ada)
    shown = frame_of(invitation, None)
    assert shown["invitation"] is None
    assert shown["shows_seats"]
    assert shown["heading"] == "ada’s lobby"


@pytest.mark.parametrize(
    ("key", "clock", "label"),
    [
        ("pincer", fischer_clock(5, 3), "5 min + 3 s"),
        ("pincer", fischer_clock(1 / 6, 0), "10 s + 0 s"),
        ("pincer", fischer_clock(2.5, 7), "2 min 30 s + 7 s"),
        ("blotto", limit_clock(30), "30 s a round"),
        ("pincer", days_clock(2), "2 days a turn"),
        ("pincer", NO_CLOCK, "no clock"),
    ],
)
def test_the_clock_of_an_invitation_has_units(key, clock, label) -> None:
    assert long_clock_label(key, clock) == label
