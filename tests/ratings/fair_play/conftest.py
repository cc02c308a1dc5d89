"""Fixtures of the tests of fair play."""

from tests.support.site_fixtures import *  # noqa: F403
