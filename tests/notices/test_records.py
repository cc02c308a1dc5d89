"""Notices are recorded once, closed, read and deleted; each change moves the inbox's rev."""

import threading

import pytest
from django.db import connection

from accounts.models import User
from notices import records
from notices.models import Inbox, Kind, Notice
from notices.records import Batch
from play.domain.clocks import DAY_MS
from tests.support.notice_games import record_notice
from tests.support.page_visitors import someone

pytestmark = pytest.mark.django_db
DATA = {"rules": "pincer", "opponent": "bob", "deadline": None, "is_first": False}
AT = 1_000_000_000_000


def rev(user) -> int:
    return Inbox.objects.filter(pk=user.pk).values_list("rev", flat=True).first() or 0


def record(user: int, kind: Kind, subject: str, serial=0, *, data=DATA, at=AT, due=None) -> bool:
    """Record one notice; return whether it is new."""
    return record_notice(user, kind, subject, serial, data=data, at=at, due=due)


def close(subject: str, at: int = AT) -> None:
    """Close the notices about a subject."""
    found = Notice.objects.filter(subject=subject).values_list("pk", flat=True)
    records.write(Batch(closing=list(found)), at)


def test_a_notice_is_recorded_once_and_moves_the_rev_once(ada) -> None:
    assert record(ada.pk, Kind.TURN, "game", 3, data=DATA, at=AT)
    assert not record(ada.pk, Kind.TURN, "game", 3, data={}, at=AT + 1)
    (notice,) = Notice.objects.all()
    assert (notice.data, notice.created, notice.due, notice.expires) == (DATA, AT, AT, None)
    assert rev(ada) == 1


def test_another_serial_kind_subject_or_user_is_another_notice(ada, bob) -> None:
    for user, kind, subject, serial in [
        (ada, Kind.TURN, "game", 0),
        (bob, Kind.TURN, "game", 0),
        (ada, Kind.HALF, "game", 0),
        (ada, Kind.TURN, "other", 0),
        (ada, Kind.TURN, "game", 1),
    ]:
        assert record(user.pk, kind, subject, serial, data=DATA)
    assert (rev(ada), rev(bob)) == (4, 1)


@pytest.mark.django_db(transaction=True)
def test_two_processes_at_once_record_one_notice(ada) -> None:
    start, found = threading.Barrier(2), []

    def process() -> None:
        start.wait()
        found.append(record(ada.pk, Kind.TURN, "game", 3, data=DATA, at=AT))
        connection.close()

    threads = [threading.Thread(target=process) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [False, True]
    assert (Notice.objects.count(), rev(ada)) == (1, 1)


@pytest.mark.parametrize(
    "columns",
    [{"is_active": False}, {"is_bot": True, "level": 77}, {"is_guest": True}],
    ids=["suspended", "computer", "guest without a session"],
)
def test_nobody_who_cannot_read_it_is_told(db, columns) -> None:
    user = User.objects.create(username="somebody", **columns)
    assert records.may_be_told([user.pk, user.pk + 1]) == set()


def test_a_guest_with_a_session_is_told(client) -> None:
    guest = User.objects.create(username="guest-1", is_guest=True)
    client.force_login(guest)
    assert records.may_be_told([guest.pk]) == {guest.pk}


def test_a_notice_is_closed_once(ada, bob) -> None:
    for user, subject in ((ada, "game"), (ada, "other"), (bob, "game")):
        record(user.pk, Kind.TURN, subject)
    before = rev(ada), rev(bob)
    for at in (AT + 1, AT + 2):
        close("game", at)
    closed = dict(Notice.objects.filter(user=ada.pk).values_list("subject", "closed"))
    assert closed == {"game": AT + 1, "other": None}
    assert (rev(ada), rev(bob)) == (before[0] + 1, before[1] + 1)


def test_a_read_notice_keeps_the_time_of_its_first_reading(ada, bob) -> None:
    for serial, due in ((1, AT), (2, AT), (3, AT + 50)):
        record(ada.pk, Kind.TURN, "game", serial, data=DATA, at=AT, due=due)
    one, *_ = Notice.objects.order_by("serial")
    assert records.mark_read(bob.pk, [one.pk], AT + 9) == 0
    assert records.mark_read(ada.pk, [one.pk], AT + 10) == 1
    assert records.mark_read(ada.pk, None, AT + 20) == 1
    assert records.mark_read(ada.pk, None, AT + 30) == 0
    read = Notice.objects.order_by("serial").values_list("read", flat=True)
    assert list(read) == [AT + 10, AT + 20, None]
    assert (rev(ada), rev(bob)) == (5, 0)


def test_old_notices_are_deleted_but_not_those_whose_state_lasts(ada) -> None:
    at = AT + 100 * DAY_MS
    kept = [
        record(ada.pk, Kind.TURN, "young", data=DATA, at=at - 59 * DAY_MS),
        record(ada.pk, Kind.CHALLENGE, "lasting", data=DATA, at=AT),
        record(ada.pk, Kind.TURN, "closed", data=DATA, at=at - 8 * DAY_MS),
    ]
    old = [
        record(ada.pk, Kind.ENDED, "old", data=DATA, at=at - 61 * DAY_MS),
        record(ada.pk, Kind.TURN, "long closed", data=DATA, at=at - 9 * DAY_MS),
    ]
    assert all(kept + old)
    close("closed", at=at - 6 * DAY_MS)
    close("long closed", at=at - 8 * DAY_MS)
    assert records.delete_old(at) == 2
    assert records.delete_old(at) == 0
    left = set(Notice.objects.values_list("subject", flat=True))
    assert left == {"young", "lasting", "closed"}


def test_a_hint_follows_each_change(ada, monkeypatch) -> None:
    hints = []
    monkeypatch.setattr(records, "publish", hints.append)
    record(ada.pk, Kind.TURN, "game", data=DATA)
    record(ada.pk, Kind.TURN, "game", data=DATA)
    records.mark_read(ada.pk, None, Notice.objects.get().due)
    close("game")
    assert hints == [("notices", str(ada.pk))] * 3


def test_users_are_told_apart_in_one_batch(ada) -> None:
    others = [someone(f"user{number}") for number in range(3)]
    drafts = [records.Draft(user.pk, Kind.TURN, "game", 0, DATA, AT, AT) for user in (ada, *others)]
    assert len(records.write(records.Batch(drafts=drafts), AT)) == 4
    assert records.write(records.Batch(drafts=drafts), AT) == set()
    assert {rev(user) for user in (ada, *others)} == {1}
