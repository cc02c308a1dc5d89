"""Environment variables are typed and bounded."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.env import read_environment, variables


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
