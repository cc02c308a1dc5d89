"""Another QUIVER_SECRET: sessions, second factors and the push key live on."""

import secrets

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.contrib.auth import HASH_SESSION_KEY
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.login.sessions import SessionStore, digest_of
from accounts.models import Session, User
from notices.models import VapidKey
from notices.push import vapid

pytestmark = pytest.mark.django_db
OLD, NEW = secrets.token_urlsafe(48), secrets.token_urlsafe(48)


@pytest.fixture
def old_secret(settings):
    """The site before the change."""
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = OLD, []
    settings.VAPID = ""
    return settings


def change_secret(settings, *fallbacks: str) -> None:
    """Starts the site with the new secret."""
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, list(fallbacks)
    vapid.forget_public_key()


def logged_in() -> tuple[Client, User, str]:
    """A browser with a session, its user and its key."""
    user = User.objects.create(username="ada")
    browser = Client()
    browser.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return browser, user, browser.cookies["sessionid"].value


def is_logged_in(browser: Client, user: User) -> bool:
    """Whether a page knows the user of the browser."""
    return browser.get("/learn/").wsgi_request.user == user


def test_a_session_lives_on_under_a_fallback(old_secret) -> None:
    browser, user, _ = logged_in()
    change_secret(old_secret, OLD)
    assert is_logged_in(browser, user)
    assert is_logged_in(browser, user)  # with the key that Django has given it


def test_without_a_fallback_it_ends(old_secret) -> None:
    browser, user, _ = logged_in()
    change_secret(old_secret)
    assert not is_logged_in(browser, user)


def test_a_renewed_session_keeps_its_key_and_needs_no_fallback(old_secret, capsys) -> None:
    browser, user, key = logged_in()
    change_secret(old_secret, OLD)
    call_command("renewsecrets")
    assert "1 sessions" in capsys.readouterr().out
    change_secret(old_secret)
    assert is_logged_in(browser, user)
    assert browser.cookies["sessionid"].value == key
    assert Session.objects.filter(pk=digest_of(key), user=user.pk).exists()


def test_an_ended_log_in_is_not_revived(old_secret) -> None:
    browser, user, key = logged_in()
    store = SessionStore(key)
    store[HASH_SESSION_KEY] = "0" * 64  # of a password that was changed since
    store.save()
    change_secret(old_secret, OLD)
    call_command("renewsecrets")
    assert not is_logged_in(browser, user)


def test_second_factors_and_the_push_key_are_encrypted_anew(old_secret) -> None:
    user = User.objects.create(username="ada")
    for kind, field in (("totp", "secret"), ("recovery_codes", "seed")):
        data = {field: get_adapter().encrypt("kumquat"), "used_mask": 5}
        Authenticator.objects.create(user=user, type=kind, data=data)
    vapid.make_key()
    public = VapidKey.objects.get().public
    change_secret(old_secret, OLD)
    call_command("renewsecrets")
    change_secret(old_secret)
    for each in Authenticator.objects.all():
        text = each.data.get("secret") or each.data["seed"]
        assert get_adapter().decrypt(text) == "kumquat" and each.data["used_mask"] == 5
    assert vapid.private_key() and VapidKey.objects.get().public == public


def test_what_nobody_can_decrypt_is_said_and_stays(old_secret) -> None:
    user = User.objects.create(username="ada")
    data = {"secret": get_adapter().encrypt("kumquat")}
    Authenticator.objects.create(user=user, type="totp", data=data)
    change_secret(old_secret)
    with pytest.raises(CommandError, match="QUIVER_SECRET_FALLBACKS"):
        call_command("renewsecrets")
    assert Authenticator.objects.get().data == data
