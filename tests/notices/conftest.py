"""Fixtures of the tests of notices: users with sessions, devices and notices."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.support.site_fixtures import *  # noqa: F403


@pytest.fixture(autouse=True)
def no_public_key_of_another_test() -> None:
    """Each test has a database, and so a VAPID key, of its own."""
    from notices.push import vapid

    vapid.forget_public_key()


@pytest.fixture
def device_of(db) -> Callable:
    """Make a device of a user with a session: `device_of(ada, "one")`."""
    from accounts.models import Session
    from notices.models import PushDevice
    from notices.push.devices import digest_of
    from tests.support.servers.push_server import HOST, browser_keys

    def make(user, name: str = "one", host: str = HOST, language: str = "en") -> PushDevice:
        key = f"{user.pk:032}{name:0>32}"
        until = timezone.now() + timedelta(days=9)
        Session.objects.update_or_create(
            session_key=key, defaults={"session_data": "", "expire_date": until, "user": user.pk}
        )
        p256dh, auth, _ = browser_keys()
        endpoint = f"https://{host}/{user.pk}/{name}"
        return PushDevice.objects.create(
            user=user, session=key, endpoint=endpoint, endpoint_digest=digest_of(endpoint),
            p256dh=p256dh, auth=auth, name=name, language=language,
        )  # fmt: skip

    return make
