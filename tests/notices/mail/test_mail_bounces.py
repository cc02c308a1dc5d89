"""Refusals of the mail server: for good, for now, and of the connection."""

import smtplib
import socket
from collections.abc import Iterator

import pytest
from aiosmtpd.controller import Controller
from allauth.account.models import EmailAddress

from notices.mail import mail_queue, schedule, sender
from notices.mail.bounces import note_bounce
from notices.models import Post, Preferences
from tests.support.mail_people import HOUR, MINUTE, NOON, mail_post, mailed_person, states
from tests.support.servers.server_process import free_port
from tests.support.sign_up_forms import PASSWORD

pytestmark = pytest.mark.django_db


class Refusing:
    """An SMTP server with a reply for receivers and texts that have one."""

    def __init__(self) -> None:
        self.to: dict[str, str] = {}
        self.data = "250 OK"
        self.taken: list[str] = []
        self.connections: set[object] = set()

    async def handle_RCPT(self, server, session, envelope, address, options) -> str:
        self.connections.add(session.peer)
        reply = self.to.get(address, "250 OK")
        if reply.startswith("250"):
            envelope.rcpt_tos.append(address)
        return reply

    async def handle_DATA(self, server, session, envelope) -> str:
        if self.data.startswith("250"):
            self.taken += envelope.rcpt_tos
        return self.data


@pytest.fixture
def smtp(settings) -> Iterator[Refusing]:
    """The site's mail server."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
    settings.EMAIL_TIMEOUT = 0.5
    handler = Refusing()
    controller = Controller(handler, hostname="127.0.0.1", port=settings.EMAIL_PORT)
    controller.start()
    yield handler
    controller.stop()


def has_bounced(user) -> bool:
    return Preferences.objects.get(user=user).mail_bounced is not None


def test_a_batch_takes_one_connection(smtp) -> None:
    for number in range(5):
        mail_post(mailed_person(f"p{number}"))
    assert sender.send_due("test", NOON) == 5
    assert (len(smtp.taken), len(smtp.connections)) == (5, 1)


def test_a_receiver_that_is_refused_for_good_gets_no_more_mail(smtp) -> None:
    ada, bob = mailed_person(), mailed_person("bob")
    mail_post(ada), mail_post(bob)
    smtp.to["ada@example.org"] = "550 no such user"
    assert sender.send_due("test", NOON) == 1
    assert (has_bounced(ada), has_bounced(bob)) == (True, False)
    mail_post(ada)
    assert sender.send_due("test", NOON + HOUR) == 0
    assert states(ada) == ["given_up", "withdrawn"]
    assert smtp.taken == ["bob@example.org"]


def test_a_text_that_is_refused_for_good_stops_mail(smtp) -> None:
    ada = mailed_person()
    mail_post(ada)
    smtp.data = "554 not wanted here"
    assert sender.send_due("test", NOON) == 0
    assert has_bounced(ada)


@pytest.mark.parametrize("where", ["to", "data"])
def test_a_refusal_for_now_is_tried_again_with_longer_waits(smtp, where) -> None:
    ada = mailed_person()
    mail_post(ada)
    if where == "to":
        smtp.to["ada@example.org"] = "451 try later"
    else:
        smtp.data = "451 try later"
    at, waits = NOON, []
    for _ in range(9):
        assert sender.send_due("test", at) == 0
        again = Post.objects.get().due
        waits.append((again - at) // MINUTE)
        at = again
    assert waits == [1, 2, 4, 8, 16, 32, 64, 120, 120]
    assert not has_bounced(ada)
    smtp.to.clear()
    smtp.data = "250 OK"
    assert sender.send_due("test", at) == 1


def test_a_mail_that_would_come_too_late_is_given_up(smtp) -> None:
    ada = mailed_person()
    mail_post(ada, deadline=NOON + 2 * MINUTE)
    smtp.to["ada@example.org"] = "451 try later"
    sender.send_due("test", NOON)
    sender.send_due("test", NOON + MINUTE + 5_000)
    assert states(ada) == ["given_up"]


def test_a_server_that_is_away_lets_all_mails_wait(settings, caplog) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
    people = [mailed_person(f"p{number}") for number in range(3)]
    for person in people:
        mail_post(person)
    assert sender.send_due("test", NOON) == 0
    assert [states(person) for person in people] == [["waiting"]] * 3
    due = set(Post.objects.values_list("due", flat=True))
    assert all(NOON + MINUTE <= each < NOON + 2 * MINUTE for each in due)
    assert not any(has_bounced(person) for person in people)
    assert "mail_unreachable" in [getattr(record, "event", "") for record in caplog.records]


def test_a_server_that_hangs_is_given_up_in_time(settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_TIMEOUT = 0.2
    with socket.create_server(("127.0.0.1", 0)) as hung:
        settings.EMAIL_HOST, settings.EMAIL_PORT = hung.getsockname()
        ada = mailed_person()
        mail_post(ada)
        assert sender.send_due("test", NOON) == 0
    assert states(ada) == ["waiting"]


def test_a_wrong_password_of_the_site_blames_no_receiver() -> None:
    for error in (
        smtplib.SMTPAuthenticationError(535, b"no"),
        smtplib.SMTPSenderRefused(550, b"no", "us@example.org"),
        smtplib.SMTPServerDisconnected("gone"),
        smtplib.SMTPConnectError(554, b"no"),
        smtplib.SMTPRecipientsRefused({"ada@example.org": (421, b"bye")}),
        TimeoutError(),
    ):
        assert not sender.classify(error)[1], error


def test_an_error_that_is_kept_or_logged_names_no_address(smtp, caplog) -> None:
    ada = mailed_person()
    mail_post(ada)
    smtp.to["ada@example.org"] = "550 ada@example.org is unknown"
    sender.send_due("test", NOON)
    said = " ".join(record.getMessage() for record in caplog.records)
    assert Post.objects.get().error == "SMTPRecipientsRefused 550"
    assert "example.org" not in said


def test_another_address_or_a_confirmation_ends_a_bounce(client) -> None:
    ada = mailed_person()
    ada.set_password(PASSWORD)
    ada.save()
    client.force_login(ada)
    note_bounce(ada.pk, NOON)
    address = EmailAddress.objects.get(user=ada)
    address.verified = False
    address.save()
    from allauth.account.models import EmailConfirmationHMAC

    client.post(f"/e-mail/{EmailConfirmationHMAC(address).key}/")
    assert EmailAddress.objects.get(user=ada).verified
    assert not has_bounced(ada)
    note_bounce(ada.pk, NOON)
    asked = client.post("/e-mail/", {"email": "ada@example.org", "action_remove": ""})
    client.post(asked.headers["Location"], {"password": PASSWORD})
    assert not has_bounced(ada)


def test_a_user_can_ask_for_mails_again_and_nobody_else_can(client) -> None:
    ada = mailed_person()
    note_bounce(ada.pk, NOON)
    assert client.get("/notifications/mail/resume/").url == "/notifications/"
    client.post("/notifications/mail/resume/")
    assert has_bounced(ada)
    client.force_login(ada)
    client.post("/notifications/mail/resume/")
    assert not has_bounced(ada)


def test_waits_are_bounded() -> None:
    waits = [schedule.backoff_ms(tries) for tries in (0, 1, 2, 100, 10**9)]
    assert waits == [MINUTE, MINUTE, 2 * MINUTE, 2 * HOUR, 2 * HOUR]
    assert sender.SEND_S * 1000 < mail_queue.CLAIM_MS
