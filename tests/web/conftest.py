"""What the tests of the site need besides: pages that are drawn without collected files."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def _plain_static_files(settings) -> None:
    """Pages are drawn without collected files; the hashed names have a test in a real server."""
    settings.STATIC_ROOT = settings.STATICFILES_DIRS[0]
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def _nobody_has_tried_before() -> None:
    """The counts of the rate limits begin anew."""
    cache.clear()
