"""Guests: made by a first POST, under a free name, and by nothing else."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import RequestFactory

from accounts import guests, names
from accounts.models import User

pytestmark = pytest.mark.django_db
FORM = {"game": "pincer", "side": "white", "visibility": "public", "clock": "none"}


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
    assert len("-".join((*longest, "9999"))) <= names.LONGEST
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


def test_when_every_name_is_taken_that_is_said_aloud(monkeypatch) -> None:
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


def test_logging_out_takes_a_post_and_ends_the_session(client) -> None:
    client.post("/lobbies/", FORM)
    name = User.objects.get().username
    assert client.get("/log-out/").status_code == 405
    assert name in client.get("/new/").content.decode()
    assert client.post("/log-out/").headers["Location"] == "/"
    assert name not in client.get("/new/").content.decode()


def test_no_header_offers_what_is_not_built_yet(client) -> None:
    page = client.get("/").content.decode()
    assert "Sign in" not in page
    assert "Log out" not in page
