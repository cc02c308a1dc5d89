"""Bounds on repeated log lines, and filtered messages of other libraries."""

import asyncio
import gc
import logging

import pytest
from django.test import Client
from twisted.internet.defer import fail
from twisted.logger import globalLogPublisher

from server.daphne import log_failure
from tests.support.log_records import Records

SECRET = "kumquat-marmalade"
security = logging.getLogger("quiver.security")


def test_a_flood_of_one_event_is_cut_and_said_once(monkeypatch) -> None:
    monkeypatch.setattr(security, "propagate", False)  # the handler of the settings says so too
    with Records(limits={"origin": 3}).listening(security) as records:
        for _ in range(50):
            security.warning("a socket was refused", extra={"event": "origin"})
        security.warning("a log-in failed", extra={"event": "login_failed"})
    told = records.as_json()
    assert [line["event"] for line in told] == ["origin"] * 3 + ["log_limit", "login_failed"]
    assert told[3]["kind"] == "origin"


def test_a_flood_from_one_network_hides_nothing_from_another() -> None:
    with Records(limits={"login_failed": 8}).listening(security) as records:
        for network in ["192.0.2.1"] * 50 + ["198.51.100.7"]:
            about = {"event": "login_failed", "network": network}
            security.warning("a log-in failed", extra=about)
    told = records.as_json()
    written = [line["network"] for line in told if line["event"] == "login_failed"]
    assert written == ["192.0.2.1"] * 2 + ["198.51.100.7"]


@pytest.mark.django_db
def test_wrong_hosts_fill_no_log(records) -> None:
    client = Client()
    for number in range(30):
        host = f"{SECRET}{number}.example"
        assert client.get(f"/g/{SECRET}/", headers={"host": host}).status_code == 400
    (line,) = [line for line in records.as_json() if line.get("event") == "host"]
    assert "exception" not in line and SECRET not in records.text()


@pytest.mark.django_db
def test_a_refused_form_is_told_without_headers(records) -> None:
    browser = Client(enforce_csrf_checks=True)
    for origin in ("https://kumquat-marmalade.example", None):
        headers = {"origin": origin} if origin else {}
        assert browser.post(f"/l/{SECRET}/sit/", headers=headers).status_code == 403
    told = [line for line in records.as_json() if line.get("event") == "csrf"]
    assert [line["reason"] for line in told] == ["Origin checking failed", "CSRF token missing."]
    assert SECRET not in records.text()


def test_a_traceback_in_a_message_of_a_library_keeps_its_places_alone(records) -> None:
    import traceback

    try:
        raise ValueError(SECRET)
    except ValueError:
        logging.getLogger("daphne.http_protocol").error(traceback.format_exc())
    (line,) = records.as_json()
    kind, *places = line["exception"].splitlines()
    assert kind == "Traceback: ValueError" and "test_log_filters.py" in places[-1]
    assert SECRET not in records.text()
    assert "Traceback" in records.lines[0] and "test_log_filters.py" in records.lines[0]


async def test_a_task_that_nobody_waited_for_is_told_without_its_words(records) -> None:
    async def broken() -> None:
        raise ValueError(SECRET)

    task = asyncio.create_task(broken(), name=SECRET)
    await asyncio.wait({task})
    del task
    gc.collect()
    (line,) = [line for line in records.as_json() if line["logger"] == "asyncio"]
    assert line["message"] == "Task exception was never retrieved"
    assert "ValueError" in line["exception"]
    assert SECRET not in records.text()


def test_exceptions_that_twisted_catches_are_logged(records) -> None:
    globalLogPublisher.addObserver(log_failure)
    try:
        deferred = fail(ValueError(SECRET))
        del deferred
        gc.collect()
    finally:
        globalLogPublisher.removeObserver(log_failure)
    (line,) = [line for line in records.as_json() if line.get("event") == "exception"]
    assert "ValueError" in line["exception"] and SECRET not in records.text()
