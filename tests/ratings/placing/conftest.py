"""Fixtures of the tests of placements: site fixtures, and anchors that do not change."""

import pytest

from tests.ratings.placement_games import anchors_with
from tests.support.site_fixtures import *  # noqa: F403


@pytest.fixture(autouse=True)
def steady_anchors(monkeypatch):
    """Fixed anchors in the place of those in the files."""
    monkeypatch.setattr("ratings.rules.scale.anchors_of", anchors_with(2026))
