"""Database errors that count as outages, and their logging."""

import logging
import sqlite3
from contextlib import closing

import pytest
from django.core.cache import cache
from django.db import DatabaseError, connection, transaction
from django.test import Client, RequestFactory

from accounts.models import User
from config.backing_services import caches
from config.cache import SharedCache
from config.server_errors import unavailable
from play.models import Step
from play.process_models import Heartbeat
from telemetry.outage_log import DATABASE, REDIS, OutageLog, note_outage, outage_kind
from tests.support.servers.server_process import free_port

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _closed():
    end_outages()  # of tests before these
    yield
    end_outages()


def end_outages() -> None:
    for log in (DATABASE, REDIS):
        log.succeed()


def error_of(*statements: str) -> DatabaseError:
    """The error of the last of some statements, on a connection that is closed afterwards."""
    try:
        with connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
    except DatabaseError as error:
        return error
    finally:
        connection.close()
    raise AssertionError("nothing failed")


def duplicate() -> None:
    User.objects.create(username="ada")
    User.objects.create(username="ada")


def dangling() -> None:
    Step.objects.create(game_id=1, number=0, joint="", at=0, spent="")
    connection.check_constraints()


def forced() -> None:
    Heartbeat(pk=99, at=1).save(force_update=True)


@pytest.mark.parametrize("fault", [duplicate, dangling, forced])
def test_an_integrity_error_is_no_outage(fault) -> None:
    with pytest.raises(DatabaseError) as raised:
        fault()
    assert not note_outage(raised.value)
    assert not DATABASE.is_open


@pytest.mark.parametrize("statement", ["SELECT * FROM nowhere", "SELEKT 1"])
def test_wrong_sql_is_a_bug(statement) -> None:
    assert outage_kind(error_of(statement)) == ""


@pytest.mark.embedded("the errors of SQLite")
def test_the_outages_of_sqlite_have_kinds(tmp_path, settings) -> None:
    insert = "INSERT INTO play_heartbeat (at) VALUES (1)"
    assert outage_kind(error_of("PRAGMA query_only = on", insert)) == "read_only"
    fill = "CREATE TABLE big AS SELECT zeroblob(9999999)"
    assert outage_kind(error_of("PRAGMA max_page_count = 1", fill)) == "disk_full"
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert outage_kind(error_of("PRAGMA busy_timeout = 10", insert)) == "locked"
        other.execute("ROLLBACK")
    broken = tmp_path / "broken.sqlite3"
    broken.write_text("no database " * 1_000)
    assert outage_kind(error_of(f"ATTACH '{broken}' AS b", "SELECT * FROM b.a")) == "corrupt"
    nowhere = tmp_path / "no" / "folder"
    assert outage_kind(error_of(f"ATTACH '{nowhere}' AS c")) == "cannot_open"


@pytest.mark.networked("the errors of PostgreSQL")
def test_the_outages_of_postgresql_have_kinds() -> None:
    insert = "INSERT INTO play_heartbeat (at) VALUES (1)"
    read_only = error_of("BEGIN READ ONLY", insert)
    assert outage_kind(read_only) == "read_only"
    ended = error_of("SELECT pg_terminate_backend(pg_backend_pid())")
    assert outage_kind(ended) == "unreachable"
    User.objects.create(username="ada")
    lock = "SELECT * FROM accounts_user FOR UPDATE NOWAIT"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT * FROM accounts_user FOR UPDATE")
        assert outage_kind(error_elsewhere(lock)) == "locked"


@pytest.mark.networked("the errors of PostgreSQL")
def test_a_query_that_is_cancelled_is_no_outage() -> None:
    slow = error_of("BEGIN", "SET LOCAL statement_timeout = 10", "SELECT pg_sleep(5)")
    assert outage_kind(slow) == ""


@pytest.mark.parametrize(
    ("method", "path", "again"),
    [("get", "/watch/?page=2", "/watch/?page=2"), ("post", "/lobbies/", "/"),
     ("get", "//evil.example/", "/%2Fevil.example/")],
)  # fmt: skip
def test_the_page_of_an_outage_leads_back_to_what_was_asked_for(method, path, again) -> None:
    request = getattr(RequestFactory(), method)(path)
    request.path = request.path_info = path.partition("?")[0]
    assert f'href="{again}">Try again' in unavailable(request).content.decode()


def error_elsewhere(statement: str) -> DatabaseError:
    """The error of a statement on another connection."""
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute(statement)
    except DatabaseError as error:
        return error
    finally:
        other.close()
    raise AssertionError("nothing failed")


def test_a_bug_is_still_500_and_logged(caplog) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE accounts_user RENAME TO gone")
    try:
        answer = Client(raise_request_exception=False).get("/u/ada/")
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE gone RENAME TO accounts_user")
    assert answer.status_code == 500
    assert any(record.name == "django.request" for record in caplog.records)
    assert not DATABASE.is_open


def test_an_outage_is_logged_when_it_begins_and_when_it_has_been_quiet(caplog) -> None:
    outage = OutageLog("The test", "test", "quiver.test")
    caplog.set_level(logging.DEBUG)
    for _ in range(3_000):
        outage.fail("locked", OSError("password=secret"), refused=1)
    outage.succeed(quiet_s=60)
    assert [record.event for record in caplog.records] == ["test_unavailable"]
    assert "OSError" in caplog.text and "secret" not in caplog.text
    assert not outage.is_failing
    outage.succeed()
    outage.succeed()
    events = [record.event for record in caplog.records]
    assert events == ["test_unavailable", "test_available"]
    assert caplog.records[-1].getMessage().endswith("Requests refused meanwhile: 3000.")


def test_a_redis_that_is_away_is_logged_once(caplog, monkeypatch, settings) -> None:
    settings.CACHES = caches(f"redis://127.0.0.1:{free_port()}/0")
    for _ in range(3):
        monkeypatch.setattr(SharedCache, "away_until", 0.0)
        cache.get("x")
    events = [record.event for record in caplog.records if hasattr(record, "event")]
    assert events == ["redis_unavailable"]
