"""Fixtures of the site's tests, such as pages without collected files."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import cache, caches
from django.utils import translation

from tests.support.log_records import Records


@pytest.fixture(scope="session")
def no_static_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder: WhiteNoise reads all of its folder anew for each test client."""
    return tmp_path_factory.mktemp("static")


@pytest.fixture(autouse=True)
def plain_static_files(settings, no_static_files) -> None:
    """Pages are drawn without collected files; the hashed names have a test in a real server."""
    settings.STATIC_ROOT = no_static_files
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def fresh_rate_limits(settings) -> None:
    """The counts of the rate limits begin anew, each process of tests with its own; by a setting,
    because each thread has a cache object of its own."""
    own = {"KEY_PREFIX": f"tests-{os.getpid()}"}
    settings.CACHES = {name: {**cache, **own} for name, cache in settings.CACHES.items()}
    cache.clear()


@pytest.fixture(autouse=True)
def fresh_pages(monkeypatch) -> None:
    """Pages are drawn anew: rows of a test that is rolled back stay on no list, and settings of a
    test on no page; a change shows at once instead of a second later."""
    from pages import page_lists

    monkeypatch.setattr(page_lists, "LIFE_S", 0.0)
    caches["template_fragments"].clear()


@pytest.fixture
def kept_lists(monkeypatch) -> None:
    """The lists of the front page and the watch page are read once in a test."""
    from pages import page_lists

    monkeypatch.setattr(page_lists, "_newest", {})
    monkeypatch.setattr(page_lists, "LIFE_S", 1e9)


@pytest.fixture
def ada(db):
    """Somebody with an account."""
    from tests.support.page_visitors import someone

    return someone("ada")


@pytest.fixture
def bob(db):
    """Somebody else."""
    from tests.support.page_visitors import someone

    return someone("bob")


@pytest.fixture
def engine(monkeypatch):
    """Puts an odd engine in the place of all computer players: `engine("slow")`."""
    from games.players.levels import levels_of
    from tests.support.faulty_engines import sit_down

    yield lambda kind: sit_down(kind, monkeypatch)
    levels_of.cache_clear()  # what was asked meanwhile was told of the odd engine's levels


@pytest.fixture(autouse=True)
def deactivated_translation() -> Iterator[None]:
    """A request leaves its language behind; the next test begins without."""
    yield
    translation.deactivate()


@pytest.fixture
def records() -> Iterator[Records]:
    """The records of the site's log during a test, as JSON and as lines."""
    with Records().listening(logging.getLogger()) as records:
        yield records
