"""Several processes send mails, and one is killed in the middle of a batch."""

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import connection, connections

from notices.mail import mail_queue, sender
from notices.models import Post
from tests.support.mail_people import NOON, mail_post, mailed_person
from tests.support.servers.smtp_sink import smtp_sink
from tests.support.waiting import wait_until_sync

pytestmark = [pytest.mark.django_db]
PEOPLE = 40
SITE = Path(sender.__file__).parents[2]
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": f"{SITE}{os.pathsep}{SITE.parent}",
    "DJANGO_SETTINGS_MODULE": "config.settings",
}
PROGRAM = """
import django
django.setup()
from django.conf import settings
settings.DATABASES["default"].update({database!r})
settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", {port}, 5
settings.SENDS_MAIL = True
from notices.mail import sender
sender.MIN_INTERVAL_S = {pause}
sender.send_due("another", {at})
"""


@pytest.fixture
def smtp(settings):
    """The site's mail server."""
    with smtp_sink() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        settings.EMAIL_TIMEOUT = 5
        yield server


@pytest.mark.django_db(transaction=True)
def test_two_processes_send_each_mail_once(smtp, monkeypatch) -> None:
    monkeypatch.setattr(sender, "MIN_INTERVAL_S", 0)
    monkeypatch.setattr(sender, "MAX_MAILS", 3)
    for number in range(PEOPLE):
        person = mailed_person(f"p{number}")
        mail_post(person), mail_post(person)
    start = threading.Barrier(2)

    def work(name: str) -> int:
        start.wait()
        sent = 0
        try:
            while mail_queue.waiting_mails().filter(due__lte=NOON).exists():
                sent += sender.send_due(name, NOON)
        finally:
            connections.close_all()
        return sent

    with ThreadPoolExecutor(2) as pool:
        sent = list(pool.map(work, ("one", "two")))
    assert sum(sent) == PEOPLE
    assert max(Counter(mail["To"] for mail in smtp.mails).values()) == 1
    assert len(smtp.mails) == PEOPLE
    assert set(Post.objects.values_list("state", flat=True)) == {"sent"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.nightly
@pytest.mark.processes
@pytest.mark.embedded("the other process opens the same file")
def test_a_process_that_is_killed_in_a_batch_costs_no_mail_and_repeats_one_at_most(
    smtp, monkeypatch, tmp_path
) -> None:
    monkeypatch.setattr(sender, "MIN_INTERVAL_S", 0)
    for number in range(PEOPLE):
        mail_post(mailed_person(f"p{number}"))
    copy = tmp_path / "copy.sqlite3"
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(copy)])
    database = {"NAME": str(copy)}
    program = PROGRAM.format(database=database, port=smtp.port, pause=0.02, at=NOON)
    with subprocess.Popen([sys.executable, "-c", program], env=ENVIRONMENT) as process:
        try:
            wait_until_sync(lambda: len(smtp.mails) >= 7, "seven mails are sent", timeout_s=60)
        finally:
            process.send_signal(signal.SIGKILL)
    before = len(smtp.mails)
    assert 7 <= before < PEOPLE
    again = PROGRAM.format(
        database=database,
        port=smtp.port,
        pause=0,
        at=NOON + mail_queue.CLAIM_MS + PEOPLE,
    )
    subprocess.run([sys.executable, "-c", again], env=ENVIRONMENT, check=True, timeout=60)
    counts = Counter(mail["To"] for mail in smtp.mails)
    ids = {mail["Message-ID"] for mail in smtp.mails}
    assert len(counts) == len(ids) == PEOPLE
    assert len(smtp.mails) <= PEOPLE + 1
