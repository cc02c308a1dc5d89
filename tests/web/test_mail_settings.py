"""How the environment says where mail goes."""

import pytest

from config.mail import BadMailUrl, mail_settings, sends_mail


def test_without_a_word_mail_is_printed() -> None:
    for said in ({}, {"QUIVER_MAIL_URL": ""}, {"QUIVER_MAIL_URL": "console"}):
        assert mail_settings(said)["EMAIL_BACKEND"].endswith("console.EmailBackend")
        assert sends_mail(said)


def test_a_site_may_choose_to_send_none() -> None:
    off = {"QUIVER_MAIL_URL": "off"}
    assert mail_settings(off)["EMAIL_BACKEND"].endswith("dummy.EmailBackend")
    assert not sends_mail(off)


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
    found = mail_settings({"QUIVER_MAIL_URL": url})
    assert (found["EMAIL_HOST"], found["EMAIL_PORT"]) == ("mail.example.org", port)
    assert (found["EMAIL_USE_TLS"], found["EMAIL_USE_SSL"]) == (tls, ssl)


def test_user_password_and_sender_are_read() -> None:
    found = mail_settings(
        {"QUIVER_MAIL_URL": "smtps://me%40x:p%3Aw@h", "QUIVER_MAIL_FROM": "Q <q@example.org>"}
    )
    assert (found["EMAIL_HOST_USER"], found["EMAIL_HOST_PASSWORD"]) == ("me@x", "p:w")
    assert found["DEFAULT_FROM_EMAIL"] == "Q <q@example.org>"


@pytest.mark.parametrize(
    "url", ["mail.example.org", "http://x", "smtp://", "smtp://h:port", "smtp", "OFF", "none"]
)
def test_a_wrong_address_is_said_without_its_password(url: str) -> None:
    with pytest.raises(BadMailUrl) as caught:
        mail_settings({"QUIVER_MAIL_URL": url})
    assert "QUIVER_MAIL_URL is like" in str(caught.value)
