"""Authentication middleware that renews a session in place when the site's secret was replaced.

Django gives a session that a fallback secret verifies a new key. Then sockets that were opened with
the old key would outlive a log-out, push devices would lose their session, and a second tab, whose
request carries the old key still, would be logged out: for a guest, that is the end of the account.
A session key is random and not derived from the secret, so it can stay.
"""

from typing import cast

from django.contrib import auth
from django.contrib.auth import middleware
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.login.sessions import SessionStore


class AuthenticationMiddleware(middleware.AuthenticationMiddleware):
    """Sets `request.user` as Django does; the session keeps its key."""

    def process_request(self, request: HttpRequest) -> None:
        """Set a user that is read at its first use."""
        super().process_request(request)
        request.user = SimpleLazyObject(lambda: get_user(request))  # type: ignore[assignment]


def get_user(request: HttpRequest) -> AbstractBaseUser | AnonymousUser:
    """Return the user of a request's session; renew the session's hash under the present secret."""
    with cast(SessionStore, request.session).keeping_key():
        return auth.get_user(request)
