"""Database settings from the environment."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.backing_services import database
from config.env import read_environment

HERE = Path("/somewhere")


def test_without_a_word_it_is_a_file_in_the_data_folder() -> None:
    found = database(read_environment({}), HERE)
    assert found["NAME"] == HERE / "quiver.sqlite3"
    assert "IMMEDIATE" in str(found["OPTIONS"]) and "synchronous=FULL" in str(found["OPTIONS"])


def test_a_url_leads_to_postgresql_with_a_pool_and_no_lasting_connections() -> None:
    url = "postgres://ada:secret@db.example:6432/quiver"
    found = database(read_environment({"DATABASE_URL": url}), HERE)
    assert (found["HOST"], found["PORT"], found["NAME"]) == ("db.example", 6432, "quiver")
    assert found["CONN_MAX_AGE"] == 0 and found["CONN_HEALTH_CHECKS"]
    assert found["OPTIONS"]["pool"]["max_size"] == 12


@pytest.mark.parametrize("size", ["2", "0", "-1", "many", "3.5", "³"])
def test_a_pool_that_is_none_is_refused(size) -> None:
    with pytest.raises(ImproperlyConfigured, match="QUIVER_POOL"):
        read_environment({"DATABASE_URL": "postgres://h/n", "QUIVER_POOL": size})


@pytest.mark.parametrize("url", ["mysql://root:hush@db/x", "db.example", "postgresql:/x"])
def test_another_database_is_refused_without_repeating_a_password(url) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL is like") as refused:
        database(read_environment({"DATABASE_URL": url}), HERE)
    assert "hush" not in str(refused.value)


def test_several_hosts_are_passed_on_and_the_one_that_takes_writes_is_chosen() -> None:
    url = "postgres://ada:se%2Ccret@one.example:6432,two.example,[::1]:7000/quiver?sslmode=require"
    found = database(read_environment({"DATABASE_URL": url}), HERE)
    assert found["HOST"] == "one.example,two.example,::1"
    assert found["PORT"] == "6432,5432,7000"
    assert (found["NAME"], found["PASSWORD"]) == ("quiver", "se,cret")
    assert found["OPTIONS"]["target_session_attrs"] == "read-write"
    assert found["OPTIONS"]["sslmode"] == "require"


def test_what_the_url_says_of_several_hosts_holds() -> None:
    url = "postgres://ada@one,two/quiver?target_session_attrs=primary"
    found = database(read_environment({"DATABASE_URL": url}), HERE)
    assert found["OPTIONS"]["target_session_attrs"] == "primary"


def test_one_host_is_not_asked_whether_it_takes_writes() -> None:
    found = database(read_environment({"DATABASE_URL": "postgres://ada@one/quiver"}), HERE)
    assert "target_session_attrs" not in found["OPTIONS"]


@pytest.mark.parametrize("hosts", ["one,", "one,two:many", ",two", "one:70000,two"])
def test_hosts_that_are_none_are_refused_without_repeating_a_password(hosts) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL is like") as refused:
        database(read_environment({"DATABASE_URL": f"postgres://root:hush@{hosts}/n"}), HERE)
    assert "hush" not in str(refused.value)
