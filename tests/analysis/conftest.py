"""Fixtures of the tests of studying."""

from tests.support.site_fixtures import *  # noqa: F403
