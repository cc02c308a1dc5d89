"""Fixtures of the tests of puzzles."""

from tests.support.site_fixtures import *  # noqa: F403
