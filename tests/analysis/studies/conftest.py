"""Fixtures of the tests of studies."""

from tests.support.site_fixtures import *  # noqa: F403
