"""Users in the admin: access, contents and suspension."""

import re

import pytest
from asgiref.sync import sync_to_async
from django.core.management import call_command
from django.test import Client

from accounts.account_service import restore, suspend
from accounts.models import Revocation, User
from tests.support import account_events as noted
from tests.support.game_page_client import Page
from tests.support.page_visitors import has_word
from tests.support.second_factor import browser_with_rights, code_of, has_app, staff_browser
from tests.support.sign_up_forms import PASSWORD, a_guest, account, who

pytestmark = pytest.mark.django_db
USERS = "/admin/accounts/user/"


@pytest.fixture
def keeper() -> Client:
    """A superuser's browser."""
    return staff_browser(account("keeper", is_staff=True, is_superuser=True))


@pytest.fixture
def moderator() -> Client:
    """The browser of somebody who may change users, and no more."""
    return browser_with_rights("mona", "change_user", "view_user")


def act(browser: Client, action: str, *users: User):
    form = {"action": action, "_selected_action": [user.pk for user in users]}
    return browser.post(USERS, form, follow=True)


def test_the_admin_has_no_door_of_its_own(client, keeper) -> None:
    for address in ("/admin/", USERS):
        response = client.get(address, follow=True)
        assert response.redirect_chain[-1][0].startswith("/log-in/?next=/admin/")
    a_guest(client)  # a guest may be a keeper who has not signed in yet
    response = client.get("/admin/", follow=True)
    assert response.redirect_chain[-1][0] == "/log-in/?next=/admin/"
    has_app(account("boss", is_staff=True))
    form = {"login": "boss", "password": PASSWORD, "next": "/admin/"}
    assert client.post("/log-in/", form).headers["Location"] == "/log-in/code/"
    answer = client.post("/log-in/code/", {"code": code_of()})
    assert answer.headers["Location"] == "/admin/"
    assert client.get("/admin/").status_code == 200
    assert keeper.get("/admin/login/?next=https://evil.example/").headers["Location"] == "/admin/"
    assert keeper.get("/admin/password_change/").headers["Location"] == "/password/"


def test_staff_without_the_right_get_a_refusal(client) -> None:
    client.force_login(account())
    assert client.get("/admin/", follow=True).status_code == 403


def test_no_password_is_shown_in_any_form(keeper) -> None:
    user = account("ada")
    for address in (USERS, f"{USERS}{user.pk}/change/"):
        page = keeper.get(address).content.decode()
        assert user.password not in page
        assert not has_word(page, user.password.split("$")[0])
        assert user.password[-8:] not in page


def test_people_are_found_by_name(keeper) -> None:
    account("ada")
    account("bob")
    page = keeper.get(f"{USERS}?q=AD").content.decode()
    assert re.findall(r'/change/[^>]*">([^<]+)</a></th>', page) == ["ada"]


def test_nobody_is_made_or_deleted(keeper) -> None:
    user = account("ada")
    assert keeper.get(f"{USERS}add/").status_code == 403
    assert keeper.post(f"{USERS}{user.pk}/delete/", {"post": "yes"}).status_code == 403
    assert User.objects.filter(pk=user.pk).exists()


def test_a_suspended_user_is_out_everywhere_and_stays_out(
    keeper, client, account_events, django_capture_on_commit_callbacks
) -> None:
    user = account("ada")
    client.post("/log-in/", {"login": "ada", "password": PASSWORD})
    with django_capture_on_commit_callbacks(execute=True):
        act(keeper, "suspend", user)
    assert account_events == [("sessions_ended", user.pk, "")]
    assert (noted.revocations, Revocation.objects.count()) == ([0], 1)  # written last
    assert "Sign in" in client.get("/").content.decode()
    refused = client.post("/log-in/", {"login": "ada", "password": PASSWORD})
    assert refused.headers["Location"] == "/suspended/"
    act(keeper, "restore", user)
    user.refresh_from_db()
    assert user.is_active
    assert "Sign in" in client.get("/").content.decode()  # the old session stays ended
    fresh = Client()
    fresh.post("/log-in/", {"login": "ada", "password": PASSWORD})
    assert who(fresh) == user.pk


def test_a_suspended_guest_loses_the_session_for_good(client) -> None:
    guest = a_guest(client)
    suspend(guest.pk)
    restore(guest.pk)
    assert "Log out" not in client.get("/").content.decode()


def test_the_form_suspends_and_renames_as_well(
    keeper, account_events, django_capture_on_commit_callbacks
) -> None:
    user = account("ada")
    with django_capture_on_commit_callbacks(execute=True):
        keeper.post(f"{USERS}{user.pk}/change/", {"username": "better"})
    user.refresh_from_db()
    assert (user.username, user.is_active, user.era) == ("better", False, 1)
    assert ("renamed", user.pk) in account_events


@pytest.mark.django_db(transaction=True)
def test_a_moderator_suspends_people_but_gives_no_rights(moderator, keeper) -> None:
    boss = User.objects.get(username="keeper")
    user = account("ada")
    act(moderator, "suspend", user, boss, User.objects.get(username="mona"))
    active = dict(User.objects.values_list("username", "is_active"))
    assert active == {"ada": False, "keeper": True, "mona": True}
    form = {"username": "ada", "is_active": "on", "is_superuser": "on", "is_staff": "on"}
    moderator.post(f"{USERS}{user.pk}/change/", form)
    user.refresh_from_db()
    assert (user.is_staff, user.is_superuser) == (False, False)
    assert moderator.post(f"{USERS}{boss.pk}/change/", {"username": "boss"}).status_code == 403


@pytest.mark.django_db(transaction=True)
def test_the_first_keeper_is_made_on_the_command_line(monkeypatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command(
        "createsuperuser", interactive=False, username="keeper", email="k@example.org", verbosity=0
    )
    user = User.objects.get()
    assert (user.is_superuser, user.is_account) == (True, True)
    client = Client()
    client.post("/log-in/", {"login": "k@example.org", "password": PASSWORD})
    assert who(client) == user.pk


@pytest.mark.django_db
class TestSockets:
    """Open pages follow what happens to their user."""

    async def test_a_guest_who_signs_up_plays_on_over_the_same_socket(self, table, people) -> None:
        game = await table("pincer")
        ada = people[0]
        client = Client()
        await sync_to_async(User.objects.filter(pk=ada.pk).update)(is_guest=True)
        await sync_to_async(client.force_login)(ada)
        async with (
            Page(game.slug, ada, session=client.session.session_key) as page,
            Page(game.slug, people[1]) as other,
        ):
            await page.until(0)
            await other.until(0)
            form = {"username": "magnus", "password1": PASSWORD, "password2": PASSWORD}
            response = await sync_to_async(client.post)("/sign-up/", form)
            assert response.status_code == 302
            while (await other.next("game"))["seats"]["white"]["name"] != "magnus":
                pass
            assert (await page.act("move 1 5 2 5", "move 1 7 1 6"))["t"] == "receipt"
            await sync_to_async(client.post)("/log-out/")
            await _until_closed(page)

    async def test_suspending_cuts_the_sockets_off(self, table, people) -> None:
        game = await table("pincer")
        client = Client()
        await sync_to_async(client.force_login)(people[0])
        async with (
            Page(game.slug, people[0], session=client.session.session_key) as page,
            Page(game.slug, people[1]) as other,
        ):
            await page.until(0)
            await other.until(0)
            await sync_to_async(suspend)(people[0].pk)
            await _until_closed(page)
            assert all(
                frame["t"] == "people" or frame["t"] == "game" for frame in await other.quiet()
            )

    async def test_who_signs_in_to_an_account_leaves_the_guests_sockets(
        self, table, people
    ) -> None:
        game = await table("pincer")
        client = Client()
        await sync_to_async(User.objects.filter(pk=people[0].pk).update)(is_guest=True)
        await sync_to_async(client.force_login)(people[0])
        await sync_to_async(account)("old-hand")
        async with Page(game.slug, people[0], session=client.session.session_key) as page:
            await page.until(0)
            form = {"login": "old-hand", "password": PASSWORD}
            assert (await sync_to_async(client.post)("/log-in/", form)).status_code == 302
            await _until_closed(page)


async def _until_closed(page: Page) -> None:
    while True:
        event = await page.socket.receive_output(timeout=5)
        if event["type"] == "websocket.close":
            assert event["code"] == 4401
            return
