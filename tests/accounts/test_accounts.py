"""Guests: created by a first POST only, under a free name."""

import re
import threading
import time
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.test import Client, RequestFactory

from accounts.models import User
from accounts.people import guests, names

pytestmark = pytest.mark.django_db
FORM = {"game": "pincer", "side": "white", "visibility": "public", "clock": "none"}
SECOND = timedelta(seconds=1)


class Browser(Client):
    """A browser with cookies and forms; `lose` is an answer that never arrived."""

    def __init__(self) -> None:
        super().__init__(enforce_csrf_checks=True)

    def form(self, page: str = "/new/") -> dict[str, str]:
        """The hidden token of a page's form."""
        content = self.get(page).content.decode()
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', content)
        return {"csrfmiddlewaretoken": token[1]}

    def lose(self) -> None:
        del self.cookies["sessionid"]


def test_looking_around_makes_no_user_and_no_session(client) -> None:
    for page in ("/", "/watch/", "/learn/", "/new/", "/robots.txt", "/nowhere/"):
        client.get(page)
        client.head(page)
    assert User.objects.count() == 0
    assert "sessionid" not in client.cookies


def test_the_first_post_makes_one_guest_who_is_known_from_then_on(client) -> None:
    client.post("/lobbies/", FORM)
    client.post("/lobbies/", FORM)
    guest = User.objects.get()
    assert guest.is_guest
    assert not guest.has_usable_password()
    assert guest.username in client.get("/").content.decode()


def test_a_post_that_is_refused_for_its_form_leaves_no_guest(client) -> None:
    assert client.post("/lobbies/", FORM | {"game": "chess"}).status_code == 400
    assert User.objects.count() == 0


def test_a_get_may_not_make_a_guest() -> None:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    with pytest.raises(RuntimeError):
        guests.user_of(request)
    assert User.objects.count() == 0


def test_every_friendly_name_is_one_that_may_be_had() -> None:
    longest = max(names.FIRST, key=len), max(names.SECOND, key=len)
    assert len("-".join((*longest, "9999"))) <= names.MAX_NAME_CHARS
    for digits in (2, 4):
        for _ in range(200):
            name = names.friendly(digits)
            names.validate_name(name)
            assert re.fullmatch(rf"[a-z]+-[a-z]+-[0-9]{{{digits}}}", name)


def test_a_taken_name_is_drawn_again(monkeypatch) -> None:
    User.objects.create(username="amber-heron-47")
    drawn = iter(["amber-heron-47", "AMBER-heron-47", "calm-otter-12"])
    monkeypatch.setattr(guests, "friendly", lambda digits: next(drawn))
    assert guests.new_guest().username == "calm-otter-12"


def test_a_taken_name_does_not_spoil_the_transaction_around_it(monkeypatch) -> None:
    drawn = iter(["amber-heron-47", "calm-otter-12"])
    monkeypatch.setattr(guests, "friendly", lambda digits: next(drawn))
    with transaction.atomic():
        User.objects.create(username="amber-heron-47")
        guests.new_guest()
    assert User.objects.count() == 2


def test_guests_are_refused_with_an_error_when_every_name_is_taken(monkeypatch) -> None:
    User.objects.create(username="amber-heron-47")
    monkeypatch.setattr(guests, "friendly", lambda digits: "amber-heron-47")
    with pytest.raises(IntegrityError):
        guests.new_guest()
    assert User.objects.count() == 1


def test_names_that_differ_only_in_case_are_one_name() -> None:
    User.objects.create(username="Ada")
    with pytest.raises(IntegrityError):
        User.objects.create(username="ADA")


@pytest.mark.parametrize("name", ["abc", "A-b_9", "x" * 20])
def test_a_plain_name_is_fine(name: str) -> None:
    User(username=name, password="!").full_clean()


@pytest.mark.parametrize(
    "name",
    ["ab", "x" * 21, "ann bob", "ann\n", "änn", "ann\u202e", "аnna", "<b>x</b>", "Admin", "WHITE"],
)
def test_a_name_that_misleads_or_breaks_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        User(username=name, password="!").full_clean()


def test_a_name_is_stored_in_one_unicode_spelling() -> None:
    decomposed = "e\u0301va"
    assert User.normalize_username(decomposed) == "\u00e9va"


@pytest.mark.parametrize("page", ["/sign-up/", "/settings/name/"])
def test_a_name_of_endless_accents_costs_no_time(client, page: str) -> None:
    client.post("/lobbies/", FORM)
    began = time.process_time()
    response = client.post(page, {"username": "a" + "\u0315\u0300" * 60_000})
    assert b"3 to 20 letters" in response.content
    assert time.process_time() - began < 5  # composing them takes a minute


def test_logging_out_takes_a_post_and_ends_the_session(client) -> None:
    client.post("/lobbies/", FORM)
    name = User.objects.get().username
    assert client.get("/log-out/").status_code == 405
    assert name in client.get("/new/").content.decode()
    assert client.post("/log-out/").headers["Location"] == "/"
    assert name not in client.get("/new/").content.decode()


def grown_old(guest: User) -> None:
    User.objects.filter(pk=guest.pk).update(
        date_joined=guest.date_joined - guests.NONCE_LIFE - SECOND
    )


def test_a_guest_whose_answer_was_lost_is_the_same_when_he_presses_again() -> None:
    browser = Browser()
    form = browser.form()
    browser.post("/lobbies/", FORM | form)
    browser.lose()
    assert browser.post("/lobbies/", FORM | form).status_code == 302
    assert User.objects.get().username in browser.get("/").content.decode()


def test_two_browsers_are_two_guests_even_at_the_same_moment() -> None:
    for browser in (Browser(), Browser()):
        browser.post("/lobbies/", FORM | browser.form())
    assert User.objects.filter(is_guest=True).count() == 2


def test_a_browser_is_recognized_for_two_minutes_only() -> None:
    browser = Browser()
    form = browser.form()
    browser.post("/lobbies/", FORM | form)
    old = User.objects.get()
    grown_old(old)
    browser.lose()
    browser.post("/lobbies/", FORM | form)
    new = User.objects.exclude(pk=old.pk).get()
    old.refresh_from_db()
    assert old.born_of is None
    assert new.born_of


def test_a_form_sent_after_a_log_out_does_not_log_in_again() -> None:
    browser = Browser()
    form = browser.form()
    browser.post("/lobbies/", FORM | form)
    browser.post("/log-out/", form)
    assert User.objects.get().born_of is None
    browser.post("/lobbies/", FORM | form)
    assert User.objects.count() == 2


def test_an_account_is_never_entered_without_its_password() -> None:
    browser = Browser()
    form = browser.form()
    browser.post("/lobbies/", FORM | form | {"visibility": "link"})
    account = User.objects.get()
    account.is_guest = False
    account.set_password("a long secret")
    account.save()
    browser.lose()
    browser.post("/lobbies/", FORM | form | {"visibility": "link"})
    assert account.username not in browser.get("/").content.decode()
    assert User.objects.filter(is_guest=True).count() == 1


def test_the_cookies_themselves_are_not_in_the_database() -> None:
    browser = Browser()
    browser.post("/lobbies/", FORM | browser.form())
    for name in ("csrftoken", "guest-nonce"):
        assert browser.cookies[name].value not in User.objects.get().born_of


@pytest.mark.django_db(transaction=True)
def test_two_presses_at_the_same_moment_make_one_guest() -> None:
    for step in range(6):
        gate, made = threading.Barrier(2), []

        def press(gate=gate, made=made, born_of=f"{step}") -> None:
            gate.wait()
            try:
                made.append(guests.new_guest(born_of).pk)
            finally:
                connection.close()

        threads = [threading.Thread(target=press) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(made) == 2
        assert len(set(made)) == 1


def test_a_form_loaded_before_the_first_post_of_a_stranger_stays_good() -> None:
    browser = Browser()
    first, second = browser.form(), browser.form()
    assert browser.post("/lobbies/", FORM | first).status_code == 302
    assert browser.post("/lobbies/", FORM | second | {"game": "blotto"}).status_code == 302
    assert User.objects.count() == 1


def test_the_header_offers_strangers_to_sign_in_and_leads_back(client) -> None:
    page = client.get("/watch/?x=1").content.decode()
    assert "Log out" not in page
    assert page.count('href="/log-in/?next=%2Fwatch%2F%3Fx%3D1"') == 2  # wide and phone


@pytest.mark.django_db(transaction=True)
def test_the_header_offers_a_guest_to_keep_the_games(client) -> None:
    client.post("/lobbies/", FORM)
    page = client.get("/").content.decode()
    assert page.count('href="/sign-up/?next=%2F"') == 2
    assert f"/u/{User.objects.get().username}/" not in page


def test_the_header_of_an_account_leads_to_profile_and_settings(client) -> None:
    client.force_login(User.objects.create(username="ada"))
    page = client.get("/").content.decode()
    assert "Sign in" not in page
    for address in ('href="/u/ada/"', 'href="/settings/"', 'action="/log-out/"'):
        assert page.count(address) == 2


def test_a_page_that_answers_a_post_is_nowhere_to_come_back_to(client) -> None:
    page = client.post("/lobbies/", FORM | {"game": "chess"}).content.decode()
    assert 'href="/log-in/"' in page
