"""Second factors for tests: secrets, codes, and staff who log in with them."""

import base64
import hashlib
import hmac
import time
from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Permission
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from tests.support.sign_up_forms import PASSWORD, account

SECRET = base64.b32encode(b"twenty bytes of test").decode()
PERIOD = 30  # s


def code_of(secret: str = SECRET, at: float | None = None) -> str:
    """The code that an app shows at a time (RFC 6238: HMAC-SHA1, 30 s, six digits)."""
    counter = int(time.time() if at is None else at) // PERIOD
    digest = hmac.digest(base64.b32decode(secret), counter.to_bytes(8, "big"), hashlib.sha1)
    offset = digest[-1] & 0xF
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**6:06}"


def has_app(user: User) -> User:
    """Gives a user an authenticator app with SECRET."""
    secret = get_adapter().encrypt(SECRET)
    Authenticator.objects.create(user=user, type="totp", data={"secret": secret})
    return user


def browser_with_rights(name: str, *codenames: str, **about: Any) -> Client:
    """A browser of a new member of staff who has these permissions and no others."""
    user = account(name, is_staff=True, **about)
    user.user_permissions.add(*Permission.objects.filter(codename__in=codenames))
    return staff_browser(user)


def staff_browser(user: User, client: Client | None = None) -> Client:
    """A browser in which a member of staff is logged in with both factors."""
    browser = client or Client()
    if not Authenticator.objects.filter(user=user).exists():
        has_app(user)
    if not user.check_password(PASSWORD):
        user.set_password(PASSWORD)
        user.save()
    cache.clear()  # the same app's code may have been used a moment ago by another browser
    first = browser.post("/log-in/", {"login": user.username, "password": PASSWORD})
    assert first.headers["Location"] == "/log-in/code/", first.headers
    second = browser.post("/log-in/code/", {"code": code_of()})
    assert second.status_code == 302, second.content.decode()
    return browser
