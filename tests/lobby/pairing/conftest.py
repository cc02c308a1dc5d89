"""Fixtures of the tests of pairing: those of the site, and searches that pages follow."""

import pytest

from lobby.pairing import search_service
from lobby.pairing.search_presence import note_seen
from play.domain.clocks import now
from tests.support.site_fixtures import *  # noqa: F403

PINCER = ("pincer", "fischer:180:2")


@pytest.fixture
def searches():
    """Starts a search that a page follows: `searches(ada, ("pincer", "fischer:180:2"))`."""

    def begin(user, *choices, created: int | None = None):
        started = search_service.start(user, choices or [PINCER])
        note_seen([user.pk], now())
        if created is not None:
            type(started).objects.filter(pk=started.pk).update(created=created)
        return started

    return begin
