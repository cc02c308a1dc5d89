"""Staff: the second factor before the admin, sessions of twelve hours, codes before changes."""

import time
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Permission
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts.login.sessions import digest_of
from accounts.login.staff_access import CODE_ACCEPTED, LOGGED_IN_AT
from accounts.models import Revocation, Session, User
from pages.cleanup import delete_sessions
from tests.support.second_factor import code_of, has_app, staff_browser
from tests.support.sign_up_forms import PASSWORD, a_guest, account, who

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
HOUR = 3600
USERS = "/admin/accounts/user/"


def age(browser: Client, seconds: float) -> None:
    """Moves all times in a session into the past."""
    session = browser.session
    session[LOGGED_IN_AT] -= seconds
    if CODE_ACCEPTED in session:
        session[CODE_ACCEPTED] = {
            **session[CODE_ACCEPTED],
            "at": session[CODE_ACCEPTED]["at"] - seconds,
        }
    for record in session["account_authentication_methods"]:
        record["at"] -= seconds
    session.set_expiry(session.get_expiry_date() - timedelta(seconds=seconds))
    session.save()


def boss() -> User:
    """A superuser with an authenticator app."""
    return has_app(account("boss", is_staff=True, is_superuser=True))


def test_the_story_of_a_keeper(client, monkeypatch, capsys) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
    call_command(
        "createsuperuser", interactive=False, username="keeper", email="k@example.org", verbosity=0
    )
    keeper = User.objects.get()
    # The password alone opens nothing: the admin leads to the page of the authenticator app.
    client.post("/log-in/", {"login": "keeper", "password": PASSWORD})
    enrol = client.get("/admin/", follow=True)
    assert enrol.redirect_chain[-2][0] == "/settings/two-factor/app/?next=/admin/"
    assert enrol.redirect_chain[-1][0].startswith("/log-in/again/?next=")
    again = enrol.redirect_chain[-1][0]
    app = client.post(
        again, {"password": PASSWORD, "next": "/settings/two-factor/app/?next=/admin/"}
    )
    app = client.get(app.headers["Location"])
    secret = app.context["form"].secret
    form = {"code": code_of(secret), "next": "/admin/"}
    codes = client.post("/settings/two-factor/app/", form)
    assert codes.headers["Location"] == "/settings/two-factor/recovery-codes/?next=%2Fadmin%2F"
    page = client.get(codes.headers["Location"])
    assert 'href="/admin/">Done' in page.content.decode()
    # The app has to prove itself once in this session, with a code that was not used to set it up.
    assert (
        client.get("/admin/", follow=True).redirect_chain[-1][0].startswith("/log-in/again/code/")
    )
    used = client.post("/log-in/again/code/", {**form, "next": "/admin/"})
    assert used.context["form"].errors
    cache.clear()  # as if the app showed another code by now
    new = client.post("/log-in/again/code/", {"code": code_of(secret), "next": "/admin/"})
    assert new.headers["Location"] == "/admin/"
    assert client.get("/admin/").status_code == 200
    # Twelve hours after log-in the session is over, here and on the whole site.
    age(client, 12 * HOUR - 60)
    assert client.get("/admin/").status_code == 200
    age(client, 120)
    assert client.get("/admin/", follow=True).redirect_chain[-1][0] == "/log-in/?next=/admin/"
    assert who(client) is None
    # A log-in takes both; and a change takes a recent code.
    browser = Client()
    cache.clear()
    first = browser.post("/log-in/", {"login": "keeper", "password": PASSWORD, "next": USERS})
    assert first.headers["Location"] == "/log-in/code/"
    assert who(browser) is None
    second = browser.post("/log-in/code/", {"code": code_of(secret)})
    assert second.headers["Location"] == USERS
    # A command on the server removes the second factor and ends the sessions.
    call_command("resetmfa", "KEEPER")
    assert "keeper" in capsys.readouterr().out
    assert "Sign in" in browser.get("/").content.decode()
    assert not Authenticator.objects.filter(user=keeper).exists()


def test_the_admin_takes_a_change_only_after_a_recent_code_and_then_carries_it_out() -> None:
    browser, ada = staff_browser(boss()), account("ada")
    change = f"{USERS}{ada.pk}/change/"
    assert browser.post(change, {"username": "ada-1", "is_active": "on"}).status_code == 302
    ada.refresh_from_db()
    assert ada.username == "ada-1"
    age(browser, 301)
    assert browser.get(change).status_code == 200  # looking takes none
    late = browser.post(change, {"username": "ada-2", "is_active": "on"})
    ada.refresh_from_db()
    assert (late.headers["Location"], ada.username) == (
        f"/log-in/again/code/?next={change.replace('/', '%2F')}",
        "ada-1",
    )
    cache.clear()
    wrong = browser.post("/log-in/again/code/", {"code": "000000", "next": change})
    assert wrong.context["form"].errors
    browser.post("/log-in/again/code/", {"code": code_of(), "next": change})
    ada.refresh_from_db()
    assert ada.username == "ada-2"


def test_the_password_is_not_enough_where_there_is_an_app() -> None:
    browser = staff_browser(boss())
    age(browser, 301)
    assert browser.get("/log-in/again/").headers["Location"] == "/log-in/again/code/"
    browser.post("/log-in/again/", {"password": PASSWORD})
    answer = browser.post("/settings/two-factor/app/off/")
    assert answer.headers["Location"].startswith("/log-in/again/code/")
    assert Authenticator.objects.exists()


@pytest.mark.parametrize(
    "page",
    ["", "accounts/user/", "accounts/user/1/change/", "chat/report/", "jsi18n/", "nothing/at/all/"],
)
def test_no_page_of_the_admin_opens_without_the_second_factor(page) -> None:
    browser = Client()
    browser.force_login(boss())
    for answer in (browser.get(f"/admin/{page}"), browser.post(f"/admin/{page}")):
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith("/admin/login/")


def test_logging_out_of_the_admin_takes_no_code() -> None:
    browser = staff_browser(boss())
    age(browser, 301)
    assert browser.post("/admin/logout/").status_code == 200
    assert who(browser) is None


def test_a_staff_session_lasts_twelve_hours_and_is_not_prolonged(client) -> None:
    account("boss", is_staff=True)  # without an app: the password is enough for the site itself
    client.post("/log-in/", {"login": "boss", "password": PASSWORD})
    ends = client.session.get_expiry_date()
    left = (ends - timezone.now()).total_seconds()
    assert 12 * HOUR - 60 < left <= 12 * HOUR
    session = client.session
    session["touched"] = True
    session.save()
    assert client.session.get_expiry_date() == ends
    assert Session.objects.get(pk=digest_of(client.session.session_key)).expire_date == ends
    other = Client()
    account("ada")
    other.post("/log-in/", {"login": "ada", "password": PASSWORD})
    assert (other.session.get_expiry_date() - timezone.now()).days > 300


def test_a_staff_session_with_both_factors_lasts_twelve_hours() -> None:
    left = staff_browser(boss()).session.get_expiry_date() - timezone.now()
    assert timedelta(hours=11, minutes=59) < left <= timedelta(hours=12)


def test_the_sockets_of_a_staff_session_end_with_it() -> None:
    browser = staff_browser(boss())
    account("ada")
    regular = Client()
    regular.post("/log-in/", {"login": "ada", "password": PASSWORD})
    key = digest_of(browser.session.session_key)
    Revocation.objects.all().delete()
    assert delete_sessions() == 0
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert delete_sessions() == 2
    assert list(Revocation.objects.values_list("session", flat=True)) == [key]


def test_rights_given_or_taken_end_the_sessions_of_their_owner(client) -> None:
    ada = account("ada")
    client.post("/log-in/", {"login": "ada", "password": PASSWORD})
    keeper = staff_browser(boss())
    form = {"username": "ada", "is_active": "on", "is_staff": "on"}
    Revocation.objects.all().delete()
    keeper.post(f"{USERS}{ada.pk}/change/", form)
    ada.refresh_from_db()
    assert ada.is_staff
    assert list(Revocation.objects.values_list("user", "keep")) == [(ada.pk, "")]
    assert "Sign in" in client.get("/").content.decode()
    client.post("/log-in/", {"login": "ada", "password": PASSWORD})
    keeper.post(f"{USERS}{ada.pk}/change/", {"username": "ada", "is_active": "on"})
    assert "Sign in" in client.get("/").content.decode()


def test_a_user_made_staff_elsewhere_has_to_log_in_again(client) -> None:
    ada = account("ada")
    client.post("/log-in/", {"login": "ada", "password": PASSWORD})
    has_app(ada)
    User.objects.filter(pk=ada.pk).update(is_staff=True)
    answer = client.get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0] == "/log-in/?next=/admin/"
    assert who(client) is None


def test_the_admin_counts_twelve_hours_itself_whatever_the_session_says() -> None:
    browser = staff_browser(boss())
    age(browser, 12 * HOUR - 60)
    session = browser.session
    session.set_expiry(timedelta(days=365))
    session.save()
    assert browser.get("/admin/").status_code == 200
    session[LOGGED_IN_AT] -= 120
    session.save()
    assert browser.get("/admin/", follow=True).redirect_chain[-1][0] == "/log-in/?next=/admin/"
    assert who(browser) is None


def test_staff_who_were_guests_before_the_log_in_have_given_their_code(client) -> None:
    a_guest(client)
    assert staff_browser(boss(), client).get("/admin/").status_code == 200


def test_a_code_given_before_another_app_was_set_up_does_not_count() -> None:
    keeper = boss()
    browser = staff_browser(keeper)
    cache.clear()
    browser.post("/log-in/again/code/", {"code": code_of(), "next": "/"})
    assert browser.post("/settings/two-factor/app/off/").status_code == 302
    has_app(keeper)
    assert (
        browser.get("/admin/", follow=True).redirect_chain[-1][0].startswith("/log-in/again/code/")
    )


def test_rights_without_is_staff_do_not_open_the_admin() -> None:
    user = account("half", is_superuser=True)
    browser = staff_browser(user)
    assert browser.get("/admin/", follow=True).status_code == 403
    user.user_permissions.add(*Permission.objects.all()[:1])
    assert browser.get("/admin/", follow=True).status_code == 403


def test_secrets_of_second_factors_are_not_in_the_admin() -> None:
    browser = staff_browser(boss())
    assert "authenticator" not in browser.get("/admin/").content.decode().lower()
    assert browser.get("/admin/mfa/authenticator/").status_code == 404


def test_resetting_refuses_what_there_is_not() -> None:
    account("ada")
    with pytest.raises(CommandError, match="no user named 'nobody-here'"):
        call_command("resetmfa", "nobody-here")
    with pytest.raises(CommandError, match="ada has no second factor"):
        call_command("resetmfa", "ada")
    assert (User.objects.get().era, Revocation.objects.count()) == (0, 0)


def test_resetting_ends_sockets_and_is_logged(caplog) -> None:
    keeper = boss()
    with caplog.at_level("INFO", "quiver.security"):
        call_command("resetmfa", "boss", verbosity=0)
    assert list(Revocation.objects.values_list("user", "keep")) == [(keeper.pk, "")]
    told = [record for record in caplog.records if getattr(record, "event", "") == "mfa_reset"]
    assert [record.user for record in told] == [keeper.pk]
    assert "boss" not in caplog.text


def test_a_session_forged_for_another_user_carries_no_code(client) -> None:
    keeper = boss()
    client.post("/log-in/", {"login": "boss", "password": PASSWORD})
    client.post("/log-in/code/", {"code": code_of()})
    session = client.session
    session[CODE_ACCEPTED] = {"user": keeper.pk + 1, "at": time.time()}
    session.save()
    assert client.get("/admin/").headers["Location"].startswith("/admin/login/")
