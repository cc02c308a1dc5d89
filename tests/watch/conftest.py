"""Fixtures of the tests of the site."""

from tests.support.site_fixtures import *  # noqa: F403
