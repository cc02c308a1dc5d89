"""Export of a person's data, and deletion of an account."""

import asyncio
import json
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from asgiref.sync import sync_to_async
from django.contrib.auth.hashers import make_password
from django.test import Client
from django.utils import timezone

from accounts.account_service import UNPLAYED_GUEST_LIFE, AccountInUse, delete_user, forget_guests
from accounts.forms import Rename
from accounts.models import Session, User
from accounts.people.guests import new_guest
from chat import chat_service as talk
from chat.models import Line, Report
from lobby.lobbies.lobby_service import create
from lobby.lobby_options import Options
from lobby.models import Lobby
from lobby.pairing import search_service
from lobby.pairing.models import Search
from pages.cleanup import cleanup_sessions, delete_sessions
from pages.deletion_tasks import finish_deletions
from play.domain.clocks import now
from play.models import Game
from play.sockets.send_queue import SIGNED_OUT_CODE
from play.storage.last_seen import recently_renamed
from play.time_controls import NO_CLOCK
from tests.support.game_page_client import Page
from tests.support.loop_runtime import game_service, runtime
from tests.support.page_client import page_of
from tests.support.page_visitors import game_of, has_word, someone, text_of
from tests.support.servers.server_process import Visitor, start_game
from tests.support.sign_up_forms import PASSWORD, a_guest, account, who

pytestmark = pytest.mark.django_db
EXPORT, DELETE = "/settings/export/", "/settings/delete/"


def signed_in(name: str = "ada", **about: object) -> tuple[User, Client]:
    """Somebody with an account older than an hour, and the browser."""
    user, browser = account(name, **about), Client()
    User.objects.filter(pk=user.pk).update(date_joined=timezone.now() - timedelta(days=1))
    browser.force_login(user)
    user.refresh_from_db()
    return user, browser


def copy_of(browser: Client, password: str = PASSWORD) -> dict:
    """The copy that a browser downloads."""
    response = browser.post(EXPORT, {"password": password})
    assert response.status_code == 200
    assert response["Content-Disposition"].startswith("attachment")
    return json.loads(response.content)


# The copy.


def test_the_copy_holds_what_is_ones_own() -> None:
    ada, browser = signed_in(email="ada@example.org")
    EmailAddress.objects.create(user=ada, email="ada@example.org", verified=True)
    game = game_of(ada, someone("bob"))
    create(ada, Options("blotto", NO_CLOCK, "white", False))
    talk.say("game", game.slug, ada.pk, "1", "my own words", "")
    copy = copy_of(browser)
    assert copy["profile"]["name"] == "ada"
    assert copy["profile"]["e-mail"] == [{"address": "ada@example.org", "confirmed": True}]
    assert [(g["id"], g["white"], g["black"], g["you"]) for g in copy["games"]] == [
        (game.slug, "ada", "bob", "white")
    ]
    assert [lobby["game"] for lobby in copy["lobbies"]] == ["blotto"]
    assert [line["text"] for line in copy["talk"]["lines"]] == ["my own words"]


def test_the_copy_holds_nothing_of_others() -> None:
    ada, browser = signed_in()
    bob = account("bob", email="bob@secret.example")
    User.objects.filter(pk=bob.pk).update(date_joined=timezone.now() - timedelta(days=1))
    game = game_of(ada, bob)
    talk.say("game", game.slug, bob.pk, "1", "words of bob", "")
    game_of(bob, someone("cy"), "blotto")
    text = json.dumps(copy_of(browser))
    for secret in ("bob@secret.example", "words of bob", "cy", ada.password, bob.password):
        assert secret not in text, secret


async def test_the_copy_holds_no_seal_of_the_opponent(at_work) -> None:
    def sit():
        (ada, browser), (bob, his) = signed_in(), signed_in("bob")
        return ada, browser, bob, his, game_of(ada, bob, "blotto")

    ada, browser, bob, his, game = await game_service().run_in_db_thread(sit)
    async with Page(game.slug, bob) as page:
        await page.until(0)
        await page.act("troops 1 8 1")
    hers = await sync_to_async(copy_of)(browser)
    assert "1 8 1" not in json.dumps(hers)
    assert hers["games"][0]["your_seal"] is None
    assert (await sync_to_async(copy_of)(his))["games"][0]["your_seal"] == "troops 1 8 1"
    async with Page(game.slug, ada) as page:
        await page.until(1)
        await page.act("troops 4 3 3")
    revealed = (await sync_to_async(copy_of)(browser))["games"][0]["steps"]
    assert revealed == [{"white": "troops 4 3 3", "black": "troops 1 8 1"}]


def test_the_copy_takes_the_password_and_is_made_a_few_times_only() -> None:
    _, browser = signed_in()
    assert browser.post(EXPORT, {"password": "wrong"}).status_code == 400
    assert browser.get(EXPORT).status_code == 200
    codes = [browser.post(EXPORT, {"password": PASSWORD}).status_code for _ in range(4)]
    assert codes == [200, 200, 429, 429]


def test_a_guest_needs_no_password_and_a_stranger_has_nothing(client) -> None:
    assert client.post(EXPORT)["Location"] == client.post(DELETE)["Location"] == "/settings/"
    guest = a_guest(client)
    assert json.loads(client.post(EXPORT).content)["profile"]["name"] == guest.username


# Leaving.


def test_the_page_says_what_will_happen_and_changes_nothing() -> None:
    ada, browser = signed_in()
    game_of(ada, someone("bob"))
    page = text_of(browser.get(DELETE))
    assert "You resign the 1 game" in page
    assert "Finished games stay" in page
    assert browser.post(DELETE, {"password": "wrong"}).status_code == 400
    assert User.objects.get(pk=ada.pk).username == "ada"


def test_a_deleted_account_leaves_an_anonymous_row() -> None:
    ada, browser = signed_in(email="ada@example.org")
    EmailAddress.objects.create(user=ada, email="ada@example.org", verified=True)
    other = Client()
    other.force_login(ada)
    page = text_of(browser.post(DELETE, {"password": PASSWORD}))
    left = User.objects.get(pk=ada.pk)
    assert left.username.startswith("deleted-")
    assert left.username in page
    assert (left.email, left.is_active, left.is_guest) == ("", False, True)
    assert not left.has_usable_password()
    assert not EmailAddress.objects.filter(user=ada).exists()
    assert who(browser) is None
    assert "Sign in" in text_of(other.get("/"))
    assert browser.get("/u/ada/").status_code == 404
    assert browser.get(f"/u/{left.username}/").status_code == 404
    form = {"login": "ada", "password": PASSWORD}
    assert browser.post("/log-in/", form).status_code == 200  # as for anybody unknown
    account("ada")  # the name is free


async def test_running_games_are_resigned_and_finished_ones_replay(at_work) -> None:
    def sit():
        ada, browser = signed_in()
        game = game_of(ada, someone("bob"), "blotto")
        search_service.start(ada, [("pincer", "fischer:180:2")])
        return ada, browser, game

    ada, browser, game = await game_service().run_in_db_thread(sit)
    async with Page(game.slug, ada) as page, Page(game.slug, None) as watcher:
        await page.until(0)
        await page.act("troops 4 3 3")
        await sync_to_async(browser.post)(DELETE, {"password": PASSWORD})
        await finish_deletions(runtime())
        state = await watcher.until(2)
    assert state["outcome"]["winner"] == "black"
    name = (await User.objects.aget(pk=ada.pk)).username
    over = await sync_to_async(Client().get)(f"/g/{game.slug}/")
    assert name in over.content.decode()
    assert not has_word(text_of(over), "ada")
    record = await sync_to_async(Client().get)(f"/g/{game.slug}/record.json")
    assert record.json()["white"] == name
    assert (await User.objects.aget(pk=ada.pk)).leaving is None
    assert not await Search.objects.aexists()
    await finish_deletions(runtime())  # once more is harmless


async def test_no_id_that_a_page_can_send_keeps_a_game_from_being_resigned(at_work) -> None:
    def sit():
        ada, browser = signed_in()
        return ada, browser, game_of(ada, someone("bob"), "pincer")

    ada, browser, game = await game_service().run_in_db_thread(sit)
    async with Page(game.slug, ada) as page:
        await page.until(0)
        for number, id in enumerate((f"departure-{ada.pk}", "departure", "site-departure")):
            await page.say(t="draw", do="withdraw" if number % 2 else "offer", id=id)
            assert await page.next("receipt")
        await sync_to_async(browser.post)(DELETE, {"password": PASSWORD})
        await finish_deletions(runtime())
    assert (await Game.objects.aget(pk=game.pk)).reason == "resigned"
    record = await sync_to_async(Client().get)(f"/g/{game.slug}/ledger.json")
    last = json.loads(record.json()["entries"][-1]["text"])
    assert (last["kind"], last["id"]) == ("resign", "site:departure")


async def test_lobbies_are_closed_and_seats_in_others_free(at_work) -> None:
    def gather():
        (ada, browser), (bob, _) = signed_in(), signed_in("bob")
        own = create(ada, Options("pincer", NO_CLOCK, "white", True))
        other = create(bob, Options("pincer", NO_CLOCK, "white", True))
        Lobby.objects.filter(pk=other.pk).update(two=ada)
        browser.post(DELETE, {"password": PASSWORD})
        return own, other

    own, other = await game_service().run_in_db_thread(gather)
    await finish_deletions(runtime())
    await own.arefresh_from_db()
    await other.arefresh_from_db()
    assert own.status == Lobby.Status.CLOSED
    assert (other.status, other.two_id) == (Lobby.Status.OPEN, None)


async def test_words_are_deleted_and_reports_keep_the_pseudonym(at_work) -> None:
    def speak():
        (ada, browser), (bob, _) = signed_in(), signed_in("bob")
        game = game_of(ada, bob)
        said = talk.say("game", game.slug, ada.pk, "1", "bad words", "")
        talk.say("game", game.slug, bob.pk, "2", "other words", "")
        talk.report("game", game.slug, bob.pk, said.line, "insult")
        browser.post(DELETE, {"password": PASSWORD})
        return ada

    ada = await game_service().run_in_db_thread(speak)
    await finish_deletions(runtime())
    name = (await User.objects.aget(pk=ada.pk)).username
    assert [line.text async for line in Line.objects.all()] == ["other words"]
    lines = (await Report.objects.aget()).context["lines"]
    assert [(line["by"], line["text"]) for line in lines if line["user"] == ada.pk] == [
        (name, "bad words")
    ]


async def test_a_server_that_dies_on_the_way_continues_with_it(at_work) -> None:
    def leave():
        ada, _ = signed_in()
        game = game_of(ada, someone("bob"))
        delete_user(ada.pk)
        return ada, game

    ada, game = await game_service().run_in_db_thread(leave)  # and here the server dies
    assert (await User.objects.aget(pk=ada.pk)).leaving is not None
    await finish_deletions(runtime())
    assert (await Game.objects.aget(pk=game.pk)).reason == "resigned"


async def test_open_pages_are_closed_and_do_nothing_more(at_work) -> None:
    def sit():
        ada, browser = signed_in()
        return ada, browser, browser.session.session_key, game_of(ada, someone("bob"))

    ada, browser, session, game = await game_service().run_in_db_thread(sit)
    async with Page(game.slug, ada, session=session) as page:
        await page.until(0)
        await sync_to_async(browser.post)(DELETE, {"password": PASSWORD})
        await page.say(t="act", id="late", step=0, actions=["move 1 5 2 5"])
        while (event := await page.socket.receive_output(5))["type"] != "websocket.close":
            assert json.loads(event["text"])["t"] != "receipt"
        assert event["code"] == SIGNED_OUT_CODE
    assert not await game.steps.aexists()


@pytest.mark.processes
@pytest.mark.nightly
async def test_a_real_server_resigns_for_who_is_gone_and_tells_the_opponent(shared_server) -> None:
    ada, bob = Visitor(shared_server), Visitor(shared_server)
    game = await start_game(ada, bob, "pincer", "none")
    page = page_of(shared_server, game.strip("/").split("/")[-1], "bob", "black", bob.session)
    page.open()
    await page.until(lambda state: state["status"] == "live")
    token = {"X-CSRFToken": ada.client.cookies["csrftoken"]}
    answer = await ada.client.post(DELETE, headers=token)
    assert "Your account is deleted" in answer.text
    state = await asyncio.wait_for(page.until(lambda state: state["status"] == "over"), 60)
    assert (state["outcome"]["winner"], state["outcome"]["reason"]) == ("black", "resigned")
    await page.close()
    record = (await bob.get(f"{game}record.json")).json()
    assert record["white"].startswith("deleted-")
    for visitor in (ada, bob):
        await visitor.client.aclose()


def test_a_process_without_hints_learns_of_the_name_of_whoever_has_left() -> None:
    """Pages show the old name until hints come again, as with every other new name."""
    since = now()
    for user in (someone("ada"), new_guest()):
        delete_user(user.pk)
        assert user.pk in recently_renamed(since)


def test_keepers_computers_and_the_gone_are_not_deleted() -> None:
    boss, browser = signed_in("boss", is_staff=True)
    response = browser.post(DELETE, {"password": PASSWORD})
    assert response.status_code == 409
    assert "This account can’t be deleted yet" in text_of(response)
    ada = someone("ada")
    delete_user(ada.pk)
    for user in (boss, ada, User.objects.create(username="Wren", is_bot=True)):
        with pytest.raises(AccountInUse):
            delete_user(user.pk)


def test_nobody_may_be_called_like_one_who_is_gone() -> None:
    assert "reserved" in str(Rename({"username": "Deleted-1234"}).errors)


def test_a_guest_deletes_himself_with_one_press(client) -> None:
    guest = a_guest(client)
    assert client.post(DELETE).status_code == 200
    assert User.objects.get(pk=guest.pk).username.startswith("deleted-")
    assert who(client) is None


# Sweeping.


def test_guests_who_never_played_are_forgotten_after_a_time() -> None:
    def came(name: str, **about: object) -> User:
        days = timezone.now() - UNPLAYED_GUEST_LIFE - timedelta(days=1)
        return User.objects.create(
            username=name,
            date_joined=days,
            **{"is_guest": True, "password": make_password(None), **about},
        )

    came("idle")
    player, host = came("player"), came("host")
    came("account", is_guest=False)
    came("leaving", leaving=timezone.now())
    User.objects.create(username="fresh", is_guest=True)
    game_of(player, someone("bob"))
    create(host, Options("pincer", NO_CLOCK, "white", True))
    assert forget_guests() == 1
    left = set(User.objects.values_list("username", flat=True))
    assert left == {"player", "host", "account", "leaving", "fresh", "bob"}


async def test_sessions_that_have_run_out_are_swept(at_work) -> None:
    at = timezone.now()
    await Session.objects.acreate(session_key="old", session_data="", expire_date=at)
    await Session.objects.acreate(
        session_key="new", session_data="", expire_date=at + timedelta(days=1)
    )
    await cleanup_sessions(runtime())
    assert [each.session_key async for each in Session.objects.all()] == ["new"]
    assert await game_service().run_in_db_thread(delete_sessions) == 0
