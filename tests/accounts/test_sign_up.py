"""Signing up and in, passwords and addresses; a guest who signs up stays the same user."""

import re
import threading

import pytest
from django.contrib.auth.hashers import identify_hasher, make_password
from django.core import mail
from django.db import connection
from django.test import Client

from accounts.account_service import SignedUpAlready, sign_up
from accounts.login.backends import MAX_ACCOUNTS_PER_ADDRESS
from accounts.models import User
from accounts.people.name_claims import NameTaken
from accounts.people.names import validate_name
from lobby.models import Lobby
from play.models import Seat
from tests.accounts.test_accounts import Browser
from tests.support.page_visitors import at_home, game_of, someone, text_of
from tests.support.sign_up_forms import LOBBY, NEW, PASSWORD, a_guest, account, links_in, who

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
FOREIGN = ["https://evil.example/", "//evil.example", "javascript:alert(1)", "\\\\evil.example",
           "/\\evil.example", "http:///evil.example", " //evil.example"]  # fmt: skip
HOSTILE = ["\0", "a\0b", "x" * 10_000, "<b>x</b>", "ann bob", "  ", "a", "Admin", "аnna", "../up"]


# Read at a glance, each is a name of the site, its keepers or its computer players.
LOOKALIKES = ["admin-", "_Admin_", "m0derator", "M0D", "moderat0r_", "5taff", "q-u-i-v-e-r",
              "Quiver_", "SYSTEM-", "sy5tem", "offlclal", "officiaI-", "KestreI", "f1nch", "EagIe",
              "deleted_7f3a02", "de1eted-7f3a02", "deIeted_x"]  # fmt: skip
OTHERS = ["adminton", "white-swan", "blackbird", "teams", "eagle-eye", "modern", "mod-squad",
          "jay42", "delegate", "botany", "hosting", "robin"]  # fmt: skip


@pytest.mark.parametrize("name", LOOKALIKES)
def test_a_name_that_looks_like_one_of_the_sites_own_is_refused(client, name) -> None:
    answer = client.post("/sign-up/", NEW | {"username": name})
    assert "That name is reserved." in text_of(answer)
    assert not User.objects.exists()


@pytest.mark.parametrize("name", OTHERS)
def test_a_name_that_only_contains_one_is_free(name) -> None:
    validate_name(name)


def test_a_stranger_signs_up_and_is_inside(client) -> None:
    response = client.post("/sign-up/", NEW)
    assert response.headers["Location"] == "/"
    user = User.objects.get()
    assert (user.username, user.is_account, user.email) == ("magnus", True, "")
    assert user.check_password(PASSWORD)
    assert who(client) == user.pk
    assert mail.outbox == []


def test_a_guest_who_signs_up_stays_the_same_user(
    client, account_events, django_capture_on_commit_callbacks
) -> None:
    guest = a_guest(client)
    game, key = game_of(guest, someone("bob")), client.session.session_key
    with django_capture_on_commit_callbacks(execute=True):
        response = client.post("/sign-up/", NEW | {"next": "/watch/"})
    assert response.headers["Location"] == "/watch/"
    user = User.objects.get(pk=guest.pk)
    assert (user.username, user.is_guest, user.born_of) == ("magnus", False, None)
    assert user.date_joined > guest.date_joined
    assert User.objects.count() == 2
    assert who(client) == guest.pk
    assert client.session.session_key != key
    assert Seat.objects.get(user=user).game == game
    assert Lobby.objects.get().host == user
    assert "magnus" in client.get("/").content.decode()
    assert account_events == [("renamed", guest.pk)]


def test_the_old_session_of_a_guest_is_worth_nothing_afterwards(client) -> None:
    a_guest(client)
    thief = Client()
    thief.cookies["sessionid"] = client.cookies["sessionid"].value
    client.post("/sign-up/", NEW)
    assert "Log out" not in thief.get("/").content.decode()


def test_a_guest_may_keep_the_guests_name(client) -> None:
    guest = a_guest(client)
    assert client.post("/sign-up/", NEW | {"username": guest.username}).status_code == 302
    assert User.objects.get().is_account


def test_no_guest_can_take_another_guests_name_or_any(client) -> None:
    a_guest(client)
    other = Client()
    taken = a_guest(other).username
    for name in (taken, taken.upper(), someone("bob").username, "BOB"):
        response = client.post("/sign-up/", NEW | {"username": name})
        assert response.status_code == 200
        assert "That name is taken." in text_of(response)
    assert User.objects.filter(is_guest=True).count() == 2


def test_the_same_form_sent_twice_is_one_account_and_signed_in(client) -> None:
    guest = a_guest(client)
    again = Client()
    again.cookies["sessionid"] = client.cookies["sessionid"].value
    client.post("/sign-up/", NEW)
    assert again.post("/sign-up/", NEW).status_code == 302
    assert who(again) == guest.pk
    assert User.objects.count() == 1


def test_the_same_name_with_another_password_is_just_taken(client) -> None:
    Client().post("/sign-up/", NEW)
    other = "eight dull archers"
    response = client.post("/sign-up/", NEW | {"password1": other, "password2": other})
    assert "That name is taken." in text_of(response)
    assert who(client) is None


def test_signing_up_is_no_way_to_try_passwords_of_old_accounts(client) -> None:
    account("magnus", date_joined="2020-01-01T00:00Z")
    response = client.post("/sign-up/", NEW)
    assert "That name is taken." in text_of(response)
    assert who(client) is None


def test_a_guests_row_becomes_one_account_only() -> None:
    guest = someone("amber-heron-47")
    User.objects.filter(pk=guest.pk).update(is_guest=True)
    sign_up("first", PASSWORD, guest=guest)
    with pytest.raises(SignedUpAlready):
        sign_up("second", PASSWORD, guest=guest)
    assert User.objects.get().username == "first"


def test_a_suspended_guest_cannot_sign_up_out_of_it() -> None:
    guest = User.objects.create(username="amber-heron-47", is_guest=True, is_active=False)
    with pytest.raises(SignedUpAlready):
        sign_up("first", PASSWORD, guest=guest)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("names", [("one", "two"), ("same", "SAME")])
def test_of_two_at_the_same_moment_one_wins(names) -> None:
    for step in range(4):
        guest = User.objects.create(username=f"amber-heron-{step}", is_guest=True)
        gate, ends = threading.Barrier(2), []

        def press(name: str, gate=gate, ends=ends, guest=guest, step=step) -> None:
            gate.wait()
            try:
                ends.append(sign_up(f"{name}{step}", PASSWORD, guest=guest).pk)
            except (SignedUpAlready, NameTaken) as error:
                ends.append(type(error))
            finally:
                connection.close()

        threads = [threading.Thread(target=press, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(ends) == 2
        assert ends.count(guest.pk) == 1
        assert User.objects.count() == step + 1


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_out_of_order_is_said_beside_the_field(client, name: str) -> None:
    guest = a_guest(client)
    response = client.post("/sign-up/", NEW | {"username": name})
    page = response.content.decode()
    assert response.status_code == 200
    assert 'id="id_username_error"' in page
    field = re.search(r'<input[^>]*name="username"[^>]*>', page.split("<h1>")[1])[0]
    assert "id_username_error" in field
    assert 'aria-invalid="true"' in field
    assert User.objects.get().username == guest.username


@pytest.mark.parametrize(
    ("password", "says"),
    [
        ("short", "too short"),
        ("password1", "too common"),
        ("magnus12", "too similar"),
        ("x" * 10_000, "at most 256 characters"),
        ("\0" * 9, "Null"),
    ],
)
def test_a_bad_password_is_refused_with_a_reason(client, password: str, says: str) -> None:
    response = client.post("/sign-up/", NEW | {"password1": password, "password2": password})
    assert says in text_of(response)
    assert User.objects.count() == 0


def test_two_different_passwords_are_refused(client) -> None:
    response = client.post("/sign-up/", NEW | {"password2": "another one"})
    assert "same password" in text_of(response)
    assert User.objects.count() == 0


@pytest.mark.parametrize("address", FOREIGN)
@pytest.mark.parametrize("door", ["/sign-up/", "/log-in/"])
def test_nobody_is_led_to_a_foreign_site(client, door: str, address: str) -> None:
    account()
    form = NEW if door == "/sign-up/" else {"login": "ada", "password": PASSWORD}
    assert client.post(door, form | {"next": address}).headers["Location"] == "/"
    inside = client.get(door, {"next": address})  # an account at the door goes on
    assert inside.headers["Location"] == "/"


def test_a_strange_next_that_stays_here_is_harmless(client) -> None:
    for number, address in enumerate(("/\r\nSet-Cookie: a=b", "/\0", "/" + "x" * 5_000)):
        form = NEW | {"username": f"magnus{number}", "next": address}
        response = client.post("/sign-up/", form)
        assert response.status_code == 302
        assert "Set-Cookie: a" not in str(response.headers.get("Location")).split("\n")[1:]
        assert response.headers["Location"].startswith("/")
        client.logout()


@pytest.mark.parametrize("page", ["/sign-up/", "/log-in/", "/password/reset/", "/settings/name/"])
def test_forms_without_their_token_do_nothing(page: str) -> None:
    browser = Browser()
    assert browser.post(page, NEW | {"login": "ada", "email": "a@example.org"}).status_code == 403
    assert User.objects.count() == 0


def test_one_signs_in_by_name_in_any_case_and_by_address() -> None:
    user = account("Ada", "ada@example.org")
    for login in ("Ada", "ada", " ADA ", "ada@example.org", "ADA@Example.org"):
        client = Client()
        response = client.post(
            "/log-in/", {"login": login, "password": PASSWORD, "next": "/learn/"}
        )
        assert response.headers["Location"] == "/learn/", login
        assert who(client) == user.pk


@pytest.mark.parametrize("login", ["ada", "nobody", "ada@example.org", "no@example.org", *HOSTILE])
def test_a_wrong_sign_in_tells_nothing_of_who_is_known(client, login: str) -> None:
    account("ada", "ada@example.org")
    response = client.post("/log-in/", {"login": login, "password": "wrong"})
    assert response.status_code == 200
    assert who(client) is None
    if 1 < len(login.strip("\0 ")) < 200 and "\0" not in login:
        assert "Wrong name or password." in text_of(response)


def test_a_guest_is_warned_before_signing_in_and_leaves_the_guest_behind(client) -> None:
    guest, user = a_guest(client), account()
    page = text_of(client.get("/log-in/?next=/watch/"))
    warning = f"Signing in leaves the games of guest {guest.username} behind."
    assert page.index(warning) < page.index("Password")
    page = text_of(client.post("/log-in/", {"login": "ada", "password": "wrong"}))
    assert page.index("Wrong name or password.") < page.index(warning)  # the error comes first
    client.post("/log-in/", {"login": "ada", "password": PASSWORD})
    assert who(client) == user.pk
    guest.refresh_from_db()
    assert guest.is_guest
    assert guest.born_of is None  # the next form does not find the guest again
    assert Lobby.objects.get().host == guest


def test_nobody_signs_in_as_a_guest_or_a_computer_player(client) -> None:
    for name in ("guest-one", "robo-one"):
        user = User(username=name, is_guest=name == "guest-one", is_bot=name != "guest-one")
        user.set_unusable_password()
        user.save()
        assert (
            client.post("/log-in/", {"login": name, "password": user.password}).status_code == 200
        )
    assert who(client) is None


def test_too_many_wrong_passwords_are_stopped_even_before_the_right_one(client) -> None:
    account()
    for _ in range(5):
        client.post("/log-in/", {"login": "ada", "password": "wrong"})
    response = client.post("/log-in/", {"login": "ada", "password": PASSWORD})
    assert "Too many failed attempts" in text_of(response)
    assert who(client) is None


def test_many_sign_ups_from_one_place_are_stopped(client) -> None:
    codes = [client.post("/sign-up/", {"username": "x"}).status_code for _ in range(41)]
    assert codes[:40] == [200] * 40
    assert codes[40] == 429


def test_signing_up_never_tells_whose_address_is_known(client) -> None:
    account("ada", "ada@example.org")
    response = client.post("/sign-up/", NEW | {"email": "ada@example.org"})
    assert response.status_code == 302
    assert "ada@example.org" not in text_of(client.get("/settings/"))


def test_every_wrong_sign_in_takes_as_long(client, monkeypatch) -> None:
    account("ada", "ada@example.org")
    account("robo", is_active=False)
    hashed = []
    for name in ("check_password", "set_password"):
        monkeypatch.setattr(User, name, lambda user, word: hashed.append(user) or False)
    for login in ("ada", "nobody", "ada@example.org", "no@example.org", "robo"):
        hashed.clear()
        client.post("/log-in/", {"login": login, "password": "wrong"})
        assert len(hashed) == 2, login  # one for each backend


def test_very_many_accounts_of_one_address_cost_no_more_than_a_few(client, monkeypatch) -> None:
    """Anybody may name any address at sign-up, as often as they like."""
    ada, *_ = [account(f"ada-{n}", "ada@example.org") for n in range(MAX_ACCOUNTS_PER_ADDRESS + 3)]
    tried = []
    monkeypatch.setattr(User, "check_password", lambda user, word: tried.append(user) or False)
    client.post("/log-in/", {"login": "ada@example.org", "password": "wrong"})
    assert (tried[0], len(tried)) == (ada, MAX_ACCOUNTS_PER_ADDRESS)
    client.post("/password/reset/", {"email": "ada@example.org"})
    assert len(mail.outbox) == MAX_ACCOUNTS_PER_ADDRESS


def test_a_new_password_by_mail(client) -> None:
    user = account("ada", "ada@example.org")
    elsewhere = Client()
    elsewhere.force_login(user)
    sent = client.post("/password/reset/", {"email": "ADA@example.org"})
    assert sent.headers["Location"] == "/password/reset/sent/"
    assert "we’ve sent it a link" in text_of(client.get("/password/reset/sent/"))
    (message,) = mail.outbox
    (link,) = (link for link in links_in(message.body) if "reset" in link)
    form = client.get(link).headers["Location"]
    new = {"password1": "ten sharp arrows", "password2": "ten sharp arrows"}
    assert "Save password" in text_of(client.get(form))
    assert client.post(form, new).headers["Location"] == "/password/reset/done/"
    assert "You" not in client.session
    user.refresh_from_db()
    assert user.check_password("ten sharp arrows")
    assert "Sign in" in text_of(elsewhere.get("/"))  # every browser is logged out
    used = client.get(link)
    assert "This link no longer works" in text_of(used)
    assert client.get("/password/reset/done/").status_code == 200


def test_a_new_password_for_an_unknown_address_looks_the_same(client) -> None:
    account("ada", "ada@example.org")
    known = client.post("/password/reset/", {"email": "ada@example.org"})
    unknown = client.post("/password/reset/", {"email": "bob@example.org"})
    assert known.headers["Location"] == unknown.headers["Location"]
    assert [message.to for message in mail.outbox] == [["ada@example.org"], ["bob@example.org"]]
    assert "/password/reset/" not in mail.outbox[1].body


@pytest.mark.parametrize("key", ["1-x", "zzzzzzzzzzzzz-abc", "0-" + "9" * 5_000, "1-set-password"])
def test_a_made_up_link_is_used_up(client, key: str) -> None:
    account()
    response = client.get(f"/password/reset/{key}/")
    assert response.status_code == 200
    assert "This link no longer works" in text_of(response)


def test_a_guest_who_opens_a_link_from_a_mail_stays_that_guest(client) -> None:
    guest = a_guest(client)
    account("ada", "ada@example.org")
    client.post("/password/reset/", {"email": "ada@example.org"})
    (link,) = (link for link in links_in(mail.outbox[0].body) if "reset" in link)
    form = client.get(link).headers["Location"]
    assert client.get(form).status_code == 200
    assert who(client) == guest.pk
    client.post(form, {"password1": "ten sharp arrows", "password2": "ten sharp arrows"})
    assert User.objects.get(username="ada").check_password("ten sharp arrows")
    assert who(client) == guest.pk


def test_an_address_is_confirmed_by_the_link_in_the_mail(client) -> None:
    client.post("/sign-up/", NEW | {"email": "Magnus@Example.org"})
    (message,) = mail.outbox
    assert message.to == ["magnus@example.org"]
    assert "Not confirmed yet" in text_of(client.get("/e-mail/"))
    (link,) = links_in(message.body)
    assert "Confirm magnus@example.org as the email address of magnus?" in text_of(client.get(link))
    done = client.post(link, follow=True)
    assert "magnus@example.org is confirmed." in text_of(done)
    assert "Confirmed." in text_of(client.get("/e-mail/"))
    assert "already used" in text_of(client.get(link))


def test_a_guest_who_confirms_an_address_stays_that_guest(client) -> None:
    Client().post("/sign-up/", NEW | {"email": "magnus@example.org"})
    (link,) = links_in(mail.outbox[0].body)
    guest = a_guest(client)
    client.get(link)
    assert client.post(link, follow=True).status_code == 200
    assert who(client) == guest.pk


def test_the_address_takes_the_password_to_change(client) -> None:
    user = account("ada")
    client.post("/log-in/", {"login": "ada", "password": PASSWORD})
    asked = client.post("/e-mail/", {"action_add": "", "email": "ada@example.org"})
    assert asked.headers["Location"].startswith("/log-in/again/")
    page = client.get(asked.headers["Location"])
    assert "Enter your password" in text_of(page)
    wrong = client.post(asked.headers["Location"], {"password": "wrong"})
    assert "Wrong password." in text_of(wrong)
    assert mail.outbox == []
    client.post(asked.headers["Location"], {"password": PASSWORD})
    assert mail.outbox[0].to == ["ada@example.org"]
    user.refresh_from_db()
    page = text_of(client.get("/e-mail/"))
    assert "ada@example.org" in page
    gone = client.post("/e-mail/", {"action_remove": "", "email": "ada@example.org"}, follow=True)
    assert "ada@example.org was removed." in text_of(gone)
    assert "You have no email address here." in text_of(client.get("/e-mail/"))


def test_an_address_of_somebody_else_is_refused_only_by_mail(client) -> None:
    account("bob", "bob@example.org")
    account("ada")
    client.post("/log-in/", {"login": "ada", "password": PASSWORD})
    again = "/log-in/again/?next=/e-mail/"
    client.post(again, {"password": PASSWORD})
    for email in ("bob@example.org", "free@example.org"):
        response = client.post("/e-mail/", {"action_add": "", "email": email})
        assert response.headers["Location"] == "/e-mail/"


def test_a_new_password_logs_every_other_browser_out(client) -> None:
    user = account("ada")
    client.post("/log-in/", {"login": "ada", "password": PASSWORD})
    elsewhere = Client()
    elsewhere.force_login(user)
    new = {"password1": "ten sharp arrows", "password2": "ten sharp arrows"}
    wrong = client.post("/password/", new | {"oldpassword": "wrong"})
    assert "Wrong current password." in text_of(wrong)
    done = client.post("/password/", new | {"oldpassword": PASSWORD}, follow=True)
    assert "Your password was changed." in text_of(done)
    assert who(client) == user.pk
    assert "Sign in" in text_of(elsewhere.get("/"))


@pytest.mark.parametrize("page", ["/password/", "/e-mail/", "/log-in/again/"])
def test_pages_of_accounts_send_guests_to_sign_up_and_strangers_to_sign_in(
    client, page: str
) -> None:
    assert client.get(page).headers["Location"] == f"/log-in/?next={page}"
    a_guest(client)
    for method in (client.get, client.post):
        assert method(page).headers["Location"] == f"/sign-up/?next={page}"
    assert client.get(page, follow=True).status_code == 200


def test_an_account_has_no_business_at_the_doors(client) -> None:
    client.force_login(account())
    for door in ("/log-in/", "/sign-up/"):
        assert client.get(door).headers["Location"] == "/"
        assert client.get(f"{door}?next=/learn/").headers["Location"] == "/learn/"
        assert client.post(door, NEW).headers["Location"] == "/"
    assert User.objects.count() == 1


def test_a_suspended_account_stays_out_and_is_told_so(client) -> None:
    account(is_active=False)
    response = client.post("/log-in/", {"login": "ada", "password": PASSWORD}, follow=True)
    assert "This account is suspended" in text_of(response)
    assert who(client) is None


PAGES = ("/sign-up/", "/log-in/", "/password/reset/", "/password/reset/sent/", "/suspended/",
         "/password/reset/done/", "/password/reset/1-x/", "/e-mail/abc/", "/settings/",
         "/password/", "/e-mail/", "/log-in/again/")  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_every_page_is_in_the_look_of_the_house(client, page: str) -> None:
    a_guest(guest := Client())
    inside = Client()
    inside.force_login(account())
    for visitor in (client, guest, inside):
        response = visitor.get(page, follow=True)
        content = response.content.decode()
        assert response.status_code == 200
        assert content.count("<h1") == 1
        assert content.count('class="button primary') <= 1
        assert re.search(r'<link rel="stylesheet" href="/static/css/pages/\w+', content)
        assert not re.search(r"<style| style=| on[a-z]+=|placeholder=", content)
        for field in re.findall(r'<input[^>]*class="field"[^>]*>', content):
            id = re.search(r'id="([^"]+)"', field)[1]
            assert f'<label for="{id}">' in content
            assert "autocomplete=" in field


def test_passwords_are_kept_with_argon2(client, settings) -> None:
    from config.settings import PASSWORD_HASHERS

    settings.PASSWORD_HASHERS = PASSWORD_HASHERS
    client.post("/sign-up/", NEW)
    assert identify_hasher(User.objects.get().password).algorithm == "argon2"
    old = account("ada")
    User.objects.filter(pk=old.pk).update(password=make_password(PASSWORD, None, "pbkdf2_sha256"))
    Client().post("/log-in/", {"login": "ada", "password": PASSWORD})
    old.refresh_from_db()
    assert identify_hasher(old.password).algorithm == "argon2"  # as of the next signing in


def test_a_mail_server_that_fails_spoils_nothing_else(client, monkeypatch, caplog) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr("django.core.mail.message.EmailMessage.send", fail)
    client.post("/sign-up/", NEW | {"email": "magnus@example.org"})
    assert who(client) == User.objects.get().pk
    assert "The email couldn’t be sent." in text_of(client.get("/settings/"))
    client.post("/log-out/")
    known = client.post("/password/reset/", {"email": "magnus@example.org"})
    assert known.headers["Location"] == "/password/reset/sent/"
    assert any("could not be sent" in record.message for record in caplog.records)


def test_no_address_is_on_any_page_of_others(client) -> None:
    ada, own = at_home("ada")
    User.objects.filter(pk=ada.pk).update(email="secret@example.org")
    bob, other = at_home("bob")
    game = game_of(ada, bob)
    own.post("/lobbies/", LOBBY)
    lobby = Lobby.objects.get().get_absolute_url()
    for page in ("/", "/watch/", "/u/ada/", game.get_absolute_url(), lobby, "/settings/"):
        for visitor in (client, other):
            assert "secret@example.org" not in visitor.get(page).content.decode(), page
