"""Environment variables are typed, bounded and described in one place."""

import re
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.env import markdown_table, read_environment, variables

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "site" / "docs" / "running.md"  # has the table of variables
READERS = (  # of Python's os.environ
    *("config/settings.py", "config/asgi.py", "runbots.py"),
    *("commands/serve.py", "service_manager.py"),  # systemd's own variables
    *("code_compiler.py", "daphne_import.py"),  # for a child; a switch of Autobahn
    "web_parent.py",  # the parent of `serve`, which loads no settings: the port, and systemd's
)


def test_the_page_has_the_table_that_the_command_prints() -> None:
    assert f"\n{markdown_table()}\n" in PAGE.read_text(encoding="utf-8"), (
        f"copy what `manage.py env` prints to {PAGE.name}"
    )


def test_an_empty_variable_is_one_that_is_not_set() -> None:
    empty = {each.name: "" for each in variables()}
    assert read_environment(empty) == read_environment({})


def test_texts_become_values() -> None:
    found = read_environment(
        {"QUIVER_PORT": "08001", "QUIVER_TLS": "1", "QUIVER_TALK": "0", "QUIVER_HOSTS": " a, b ,,"}
    )
    assert (found.port, found.tls, found.talk, found.hosts) == (8001, True, False, ("a", "b"))
    assert found.proxies is None
    assert read_environment({"QUIVER_PROXIES": "0"}).proxies == 0


@pytest.mark.parametrize("text", ["-1", "+8", " 8", "8 ", "1_0", "8.0", "1e3", "³", "٣", "9" * 10])
@pytest.mark.parametrize(
    "name", ["QUIVER_POOL", "QUIVER_PORT", "QUIVER_PROXIES", "QUIVER_BOTS", "QUIVER_METRICS"]
)
def test_digits_alone_make_a_number(name, text) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"{name} is a whole number"):
        read_environment({name: text})


@pytest.mark.parametrize("name", ["QUIVER_PORT", "QUIVER_METRICS"])
def test_a_port_that_does_not_exist_is_refused(name) -> None:
    assert read_environment({name: "65535"})
    with pytest.raises(ImproperlyConfigured, match=f"{name} is a whole number, from . to 65535"):
        read_environment({name: "65536"})


@pytest.mark.parametrize("text", ["yes", "on", "true", "True", "tru", "2", "01", " 1", "1 ", "-"])
@pytest.mark.parametrize(
    "name",
    ["QUIVER_TLS", "QUIVER_DEBUG", "QUIVER_TALK", "QUIVER_EXHIBITION", "QUIVER_ACCESS_LOG"],
)
def test_a_switch_is_1_or_0(name, text) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"{name} is 1 or 0; it is {text!r}"):
        read_environment({name: text})


def test_all_wrong_values_are_named_together() -> None:
    wrong = {"QUIVER_TLS": "yes", "QUIVER_PORT": "http", "QUIVER_LOG": "xml"}
    with pytest.raises(ImproperlyConfigured) as refused:
        read_environment(wrong)
    assert [line.split()[0] for line in str(refused.value).splitlines()] == [
        "QUIVER_PORT",
        "QUIVER_TLS",
        "QUIVER_LOG",
    ]


def test_no_secret_is_shown_where_the_environment_is_printed() -> None:
    secrets = {"QUIVER_SECRET": "hush-1", "DATABASE_URL": "postgres://a:hush-2@h/n"}
    assert "hush" not in repr(read_environment(secrets))


def test_each_variable_has_a_sentence() -> None:
    for each in variables():
        assert each.type_words and each.description.endswith("."), each.name


def test_nothing_else_of_the_site_reads_the_environment() -> None:
    readers = {
        path.relative_to(ROOT / "site").as_posix()
        for path in (ROOT / "site").rglob("*.py")
        if re.search(r"\bos\.(environ|getenv)\b", path.read_text(encoding="utf-8"))
    }
    assert all(reader.endswith(READERS) for reader in readers), readers
