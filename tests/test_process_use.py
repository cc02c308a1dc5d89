"""Tests that start processes, directly or by helpers, are left out of `make test`."""

import subprocess
import sys

import pytest

from tests.support.run.process_use import ProcessUse


def helper() -> None:
    """Starts a process."""
    subprocess.run([sys.executable, "--version"], check=True)


def outer() -> None:
    """Starts one by a function inside it."""

    def inner() -> None:
        helper()

    inner()


def harmless() -> str:
    """Starts none, and calls itself."""
    return harmless() if sys.argv == [] else "nothing"


class Starter:
    """Starts one in a method."""

    @property
    def process(self) -> object:
        """A process."""
        return subprocess.Popen([sys.executable])


class Child(Starter):
    """Inherits that."""


def by_child() -> object:
    """Uses the class that inherits it."""
    return Child()


@pytest.mark.parametrize("function", [helper, outer, by_child, Child])
def test_a_test_that_uses_a_process_helper_is_marked_processes(function) -> None:
    assert ProcessUse()._uses(function)


@pytest.mark.parametrize("function", [harmless, str, pytest.fail])
def test_a_test_that_starts_no_process_is_not_marked_processes(function) -> None:
    assert not ProcessUse()._uses(function)


@pytest.fixture
def version() -> None:
    helper()


def test_a_test_whose_fixture_starts_processes_is_marked(request, version) -> None:
    assert request.node.get_closest_marker("processes")


def test_a_test_without_is_not_marked(request) -> None:
    assert not request.node.get_closest_marker("processes")
