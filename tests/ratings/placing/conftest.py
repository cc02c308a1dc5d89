"""Fixtures of the tests of placements: site fixtures, and anchors that do not change."""

import pytest

from tests.ratings.placement_games import anchors_with
from tests.support.site_fixtures import *  # noqa: F403


@pytest.fixture(autouse=True)
def steady_anchors(monkeypatch):
    """Anchors that the tests know, whatever the files say."""
    monkeypatch.setattr("ratings.scale.anchors_of", anchors_with(2026))
