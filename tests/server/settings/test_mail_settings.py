"""Mail settings from the environment."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.backing_services import mail_settings

SENDER = "Q <q@example.org>"


def test_without_a_word_mail_is_printed() -> None:
    for url in ("", "console"):
        assert mail_settings(url, SENDER)["EMAIL_BACKEND"].endswith("console.EmailBackend")


def test_a_site_may_choose_to_send_none() -> None:
    assert mail_settings("off", SENDER)["EMAIL_BACKEND"].endswith("dummy.EmailBackend")


@pytest.mark.parametrize(
    ("url", "port", "tls", "ssl"),
    [
        ("smtp://mail.example.org", 25, False, False),
        ("smtp+tls://mail.example.org", 587, True, False),
        ("smtps://mail.example.org", 465, False, True),
        ("smtps://mail.example.org:2465", 2465, False, True),
    ],
)
def test_the_scheme_says_how_to_speak(url: str, port: int, tls: bool, ssl: bool) -> None:
    found = mail_settings(url, SENDER)
    assert (found["EMAIL_HOST"], found["EMAIL_PORT"]) == ("mail.example.org", port)
    assert (found["EMAIL_USE_TLS"], found["EMAIL_USE_SSL"]) == (tls, ssl)


def test_user_password_and_sender_are_read() -> None:
    found = mail_settings("smtps://me%40x:p%3Aw@h", SENDER)
    assert (found["EMAIL_HOST_USER"], found["EMAIL_HOST_PASSWORD"]) == ("me@x", "p:w")
    assert found["DEFAULT_FROM_EMAIL"] == found["SERVER_EMAIL"] == SENDER


@pytest.mark.parametrize(
    "url",
    ["mail.example.org", "http://x", "http://x:25", "smtp://", "smtp://h:port", "smtp", "OFF"],
)
def test_a_wrong_address_is_said_without_its_password(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="QUIVER_MAIL_URL is like"):
        mail_settings(url, SENDER)
