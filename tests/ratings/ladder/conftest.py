"""Fixtures of the tests of the ladder."""

from tests.support.site_fixtures import *  # noqa: F403
