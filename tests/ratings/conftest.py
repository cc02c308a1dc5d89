"""Fixtures of the tests of ratings."""

from tests.support.site_fixtures import *  # noqa: F403
