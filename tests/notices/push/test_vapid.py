"""The VAPID key: one for all machines, encrypted, or of the environment."""

import pytest
from cryptography.hazmat.primitives import serialization
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.template import Context, Template

from notices.models import VapidKey
from notices.push import keys, vapid


def test_the_key_is_made_once_and_its_halves_belong_together(db) -> None:
    public = vapid.make_key().public
    assert vapid.public_key() == vapid.make_key().public == public
    assert keys.public_text(vapid.private_key()) == public
    assert VapidKey.objects.count() == 1
    assert len(keys.decode_base64url(public)) == 65


def test_two_processes_that_need_a_key_at_once_get_the_same(db, monkeypatch) -> None:
    found = vapid.make_key()
    VapidKey.objects.all().delete()
    make = keys.make_private

    def make_late() -> str:
        VapidKey.objects.create(pk=1, private=found.private, public=found.public)
        return make()

    monkeypatch.setattr(keys, "make_private", make_late)
    assert vapid.make_key().public == found.public


def test_a_page_makes_no_key_and_finds_the_one_that_is_made_later(db) -> None:
    assert vapid.public_key() == ""
    assert not VapidKey.objects.exists()
    made = vapid.make_key().public
    assert vapid.public_key() == made


def test_the_database_holds_no_readable_private_key(db, settings) -> None:
    private = vapid.private_key().private_numbers().private_value.to_bytes(32, "big")
    assert keys.encode_base64url(private) not in VapidKey.objects.get().private
    settings.SECRET_KEY = "another secret key of the site, long enough"
    with pytest.raises(ImproperlyConfigured, match="QUIVER_SECRET"):
        vapid.private_key()


def test_the_environment_may_hold_the_key(db, settings) -> None:
    settings.VAPID = keys.make_private()
    assert vapid.public_key() == keys.public_text(vapid.private_key())
    assert not VapidKey.objects.exists()


def test_the_key_may_be_pem_in_one_line() -> None:
    key = keys.parse_private(keys.make_private())
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()
    for text in (pem, pem.replace("\n", "\\n")):
        assert keys.public_text(keys.parse_private(text)) == keys.public_text(key)


@pytest.mark.parametrize("text", ["x", "A" * 42, "A" * 44, "é", "-----BEGIN X-----", "+" * 43])
def test_what_is_no_key_is_refused(text) -> None:
    with pytest.raises(ValueError):
        keys.parse_private(text)


@pytest.mark.parametrize(
    "mail, origin, contact",
    [
        ("ada@example.org", "https://a.example", "mailto:ada@example.org"),
        ("", "https://a.example", "https://a.example"),
        ("", "http://localhost:8000", "mailto:webmaster@localhost"),
    ],
)
def test_a_push_service_is_told_whom_to_ask(settings, mail, origin, contact) -> None:
    settings.OPERATOR_EMAIL, settings.ORIGIN = mail, origin
    assert vapid.contact() == contact


def test_pages_get_the_public_key(db) -> None:
    made = vapid.make_key().public
    page = Template("{% load push_tags %}{% vapid_key as key %}{{ key }}")
    assert page.render(Context()) == made


def test_a_reset_makes_another_key(db) -> None:
    first = vapid.make_key().public
    call_command("resetpush")
    vapid.forget_public_key()
    assert vapid.public_key() == ""
    assert vapid.make_key().public != first
