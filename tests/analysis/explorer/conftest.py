"""Fixtures of the tests of the opening explorer."""

from tests.support.site_fixtures import *  # noqa: F403
