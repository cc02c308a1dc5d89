"""Passwords: one Unicode form, whatever the keyboard sends."""

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AbstractUser
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from tests.support.sign_up_forms import account, who

pytestmark = pytest.mark.django_db
COMPOSED, APART = "sieben st\u00fcrme \u00fcber", "sieben stu\u0308rme u\u0308ber"
SPELLINGS = [COMPOSED, APART]


def signs_in(name: str, password: str) -> bool:
    """Whether the form of the log-in accepts a password."""
    browser = Client()
    browser.post("/log-in/", {"login": name, "password": password})
    return who(browser) == User.objects.get(username=name).pk


@pytest.mark.parametrize("chosen", SPELLINGS)
@pytest.mark.parametrize("typed", SPELLINGS)
def test_a_password_is_the_same_from_every_keyboard(chosen, typed) -> None:
    form = {"username": "ada", "password1": chosen, "password2": typed}
    assert Client().post("/sign-up/", form).status_code == 302
    assert signs_in("ada", typed) and signs_in("ada", chosen)
    browser = Client()
    browser.post("/log-in/", {"login": "ada", "password": typed})
    new = {"oldpassword": typed, "password1": chosen + "!", "password2": typed + "!"}
    assert browser.post("/password/", new).status_code == 302
    assert signs_in("ada", typed + "!") and not signs_in("ada", typed)


@pytest.mark.parametrize("before", SPELLINGS)
def test_a_password_that_was_hashed_as_typed_still_works(before) -> None:
    User.objects.filter(pk=account("ada").pk).update(password=make_password(before))
    assert signs_in("ada", before)


@pytest.mark.parametrize("typed", SPELLINGS)
def test_commands_hash_the_composed_password(typed) -> None:
    assert User.objects.create_superuser("root1", "", typed).check_password(COMPOSED)
    assert AbstractUser.check_password(User.objects.create_user("ada", "", typed), COMPOSED)


def test_a_short_password_is_not_longer_in_parts() -> None:
    short = "u\u0308" * 7
    answer = Client().post("/sign-up/", {"username": "ada", "password1": short, "password2": short})
    assert answer.status_code == 200 and not User.objects.filter(username="ada").exists()


def test_a_password_in_parts_takes_as_long_for_a_known_name_as_for_none(hashed) -> None:
    counts = []
    account("ada")
    for login in ("ada", "nobody"):
        cache.clear()
        hashed.clear()
        Client().post("/log-in/", {"login": login, "password": APART})
        counts.append(len(hashed))
    assert counts[0] == counts[1]
