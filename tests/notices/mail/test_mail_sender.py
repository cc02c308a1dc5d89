"""Mails are sent once, in time, and to nobody who doesn't want them."""

from dataclasses import replace

import pytest
from allauth.account.models import EmailAddress
from django.core import mail

from accounts.account_service import delete_user, suspend
from notices.mail import mail_queue, sender
from notices.models import Kind, Notice, Post, Preferences
from tests.support.mail_people import (
    DAY,
    HOUR,
    MINUTE,
    NOON,
    mail_post,
    mailed_person,
    states,
    wants,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _without_pauses(monkeypatch) -> None:
    monkeypatch.setattr(sender, "MIN_INTERVAL_S", 0)


def send(at: int = NOON) -> int:
    return sender.send_due("test", at)


def test_posts_that_are_due_at_once_come_in_one_mail_and_once() -> None:
    ada = mailed_person()
    for _ in range(3):
        mail_post(ada)
    mail_post(ada, at=NOON + 1)
    assert (send(), send()) == (1, 0)
    assert states(ada) == ["sent", "sent", "sent", "waiting"]
    assert [each.to for each in mail.outbox] == [["ada@example.org"]]
    assert "your turn in 3 games" in mail.outbox[0].subject


def test_a_digest_comes_at_the_users_hour_and_once_a_day() -> None:
    ada = mailed_person(mail="digest", digest_hour=18)
    mail_post(ada)
    assert send() == 0
    assert send(NOON + 6 * HOUR - 1) == 0
    assert send(NOON + 6 * HOUR) == 1
    mail_post(ada, at=NOON + 6 * HOUR + MINUTE)
    Preferences.objects.update(digest_hour=20)
    assert send(NOON + 8 * HOUR) == 0
    assert send(NOON + DAY + 8 * HOUR) == 1


def test_a_digest_leaves_out_what_was_read_or_closed_or_is_over() -> None:
    ada = mailed_person(mail="digest", digest_hour=18)
    kept, read, closed, over = (mail_post(ada) for _ in range(4))
    send()
    Notice.objects.filter(pk=read.notice_id).update(read=NOON)
    Notice.objects.filter(pk=closed.notice_id).update(closed=NOON)
    Post.objects.filter(pk=over.pk).update(expires=NOON + HOUR)
    assert send(NOON + 6 * HOUR) == 1
    assert states(ada) == ["sent", "withdrawn", "withdrawn", "withdrawn"]
    assert kept.notice.subject in Notice.objects.get(pk=kept.notice_id).subject


def test_a_digest_without_anything_left_is_not_sent() -> None:
    ada = mailed_person(mail="digest", digest_hour=18)
    post = mail_post(ada)
    send()
    Notice.objects.filter(pk=post.notice_id).update(closed=NOON)
    assert send(NOON + 6 * HOUR) == 0
    assert mail.outbox == []
    assert Preferences.objects.get(user=ada).last_digest is None


def test_a_warning_is_mailed_at_once_if_the_turn_ends_before_the_digest() -> None:
    ada = mailed_person(mail="digest", digest_hour=18)
    mail_post(ada)
    mail_post(ada, Kind.LAST, deadline=NOON + 5 * HOUR)
    assert send() == 1
    assert states(ada) == ["waiting", "sent"]
    assert "may end before the next one" in mail.outbox[0].body
    assert send(NOON + 6 * HOUR) == 1, "the digest of the day still comes"


def test_a_warning_waits_for_a_digest_that_comes_in_time() -> None:
    ada = mailed_person(mail="digest", digest_hour=18)
    mail_post(ada, Kind.LAST, deadline=NOON + 12 * HOUR)
    assert send() == 0
    assert send(NOON + 6 * HOUR) == 1


@pytest.mark.parametrize("mode", ["digest", "at_once"])
def test_a_warning_breaks_quiet_hours_only_if_the_turn_ends_within_them(mode) -> None:
    ada = mailed_person(mail=mode, digest_hour=20, quiet_from=11 * 60, quiet_until=16 * 60)
    mail_post(ada, Kind.LAST, deadline=NOON + 5 * HOUR)
    assert send() == 0
    assert send(NOON + 4 * HOUR) == 1
    mail_post(ada, Kind.LAST, at=NOON + DAY, deadline=NOON + DAY + 3 * HOUR)
    assert send(NOON + DAY) == 1


def test_quiet_hours_put_a_mail_off_to_their_end() -> None:
    ada = mailed_person(quiet_from=11 * 60, quiet_until=16 * 60)
    mail_post(ada)
    assert (send(), send(NOON + 4 * HOUR - 1), send(NOON + 4 * HOUR)) == (0, 0, 1)


def test_nobody_is_mailed_without_a_confirmed_address_a_wish_and_an_account() -> None:
    people = {
        "unconfirmed": lambda user: EmailAddress.objects.filter(user=user).update(verified=False),
        "off": lambda user: Preferences.objects.filter(user=user).update(mail="off"),
        "bounced": lambda user: Preferences.objects.filter(user=user).update(mail_bounced=1),
        "unticked": lambda user: Preferences.objects.filter(user=user).update(
            channels={"turn": ["bell"]}
        ),
        "suspended": lambda user: suspend(user.pk),
        "deleted": lambda user: delete_user(user.pk),
    }
    for name, change in people.items():
        user = mailed_person(name)
        mail_post(user)
        change(user)
    assert send() == 0
    assert mail.outbox == []
    assert set(Post.objects.values_list("state", flat=True)) == {"withdrawn"}


def test_nothing_is_mailed_before_a_user_chooses_it() -> None:
    ada = mailed_person()
    Preferences.objects.all().delete()
    for kind in Kind:
        mail_post(ada, kind)
    assert (send(), send(NOON + 6 * HOUR), send(NOON + DAY)) == (0, 0, 0)
    assert mail.outbox == []


def test_the_site_never_mails_itself(settings) -> None:
    settings.DEFAULT_FROM_EMAIL = "Quiver <Ada@example.org>"
    ada = mailed_person()
    mail_post(ada)
    assert send() == 0
    assert states(ada) == ["withdrawn"]


def test_a_site_without_mail_piles_up_no_posts(settings) -> None:
    settings.SENDS_MAIL = False
    ada = mailed_person()
    mail_post(ada)
    mail_post(ada, at=NOON + DAY)
    assert send() == 0
    assert states(ada) == ["withdrawn", "withdrawn"]
    assert mail.outbox == []


def test_a_call_sends_a_bounded_batch(monkeypatch) -> None:
    monkeypatch.setattr(sender, "MAX_MAILS", 3)
    for number in range(7):
        mail_post(mailed_person(f"p{number}"))
    assert [send() for _ in range(4)] == [3, 3, 1, 0]


def test_the_latest_notice_of_a_turn_stands_for_the_earlier_ones() -> None:
    ada = mailed_person()
    wants(ada, Kind.TURN, Kind.HALF, Kind.LAST)
    for kind in (Kind.TURN, Kind.HALF, Kind.LAST):
        mail_post(ada, kind, subject="abc", deadline=NOON + 3 * HOUR)
    assert send() == 1
    assert states(ada) == ["sent"] * 3
    assert "3 hours left against bob" in mail.outbox[0].subject


def test_a_text_that_cannot_be_made_stops_no_other_mail(caplog) -> None:
    ada, bob = mailed_person(), mailed_person("bob")
    mail_post(ada, Kind.MODERATION, what="unheard of")
    mail_post(bob)
    assert send() == 1
    assert states(ada) == ["given_up"]
    assert "mail_broken" in [getattr(record, "event", "") for record in caplog.records]


def test_a_claim_that_another_process_has_taken_is_lost_whole() -> None:
    ada = mailed_person()
    first, _ = mail_post(ada), mail_post(ada)
    mails = mail_queue.claim_due(NOON, 10)
    assert mail_queue.claim_due(NOON, 10) == []
    late = replace(mails[0], tries=mails[0].tries - 1)
    mail_queue.note_sent(late, NOON)
    assert states(ada) == ["waiting", "waiting"], "a late process notes nothing"
    mail_queue.note_sent(mails[0], NOON)
    assert states(ada) == ["sent", "sent"]
    assert first.pk == mails[0].first_post


def test_a_mail_whose_process_died_is_sent_again_under_the_same_id() -> None:
    ada = mailed_person()
    first, second = mail_post(ada), mail_post(ada)
    mails = mail_queue.claim_due(NOON, 10)
    sender._send_one(mail.get_connection(), mails[0], NOON)
    Post.objects.update(state="waiting")  # the process died before it was noted
    mail_post(ada, at=NOON + 1)
    Post.objects.filter(pk=first.pk).update(state="withdrawn")
    after = NOON + mail_queue.CLAIM_MS + 1
    assert send(NOON + mail_queue.CLAIM_MS - 1) == 1, "the third post comes in a mail of its own"
    assert send(after) == 1
    ids = [each.extra_headers["Message-ID"] for each in mail.outbox]
    assert ids[0] == ids[2] != ids[1]
    assert Post.objects.get(pk=second.pk).state == "sent"


def test_clock_steps_send_nothing_twice() -> None:
    ada = mailed_person(mail="digest", digest_hour=18)
    mail_post(ada)
    assert [send(NOON + 6 * HOUR), send(NOON - DAY), send(NOON + 7 * HOUR)] == [1, 0, 0]
