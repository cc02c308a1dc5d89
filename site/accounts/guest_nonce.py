"""The nonce by which a guest is found again whose first answer was lost.

A stranger's browser gets it in a cookie of its own with the page that holds the form, so it has the
nonce before it sends the form. It serves for one guest: it goes as soon as the browser has shown
that it has a session, and with log-out. The token of the forms (`csrftoken`) would not do: it is
written into pages and headers, and stays the same for a year.
"""

import re
import secrets
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

NONCE_BYTES = 16  # 128 bits
SPELLING = re.compile(r"[0-9a-f]{32}")  # of so many bytes
GetResponse = Callable[[HttpRequest], HttpResponseBase]


def nonce_of(request: HttpRequest) -> str | None:
    """Return the nonce that a request carries; None without one, and for what is none of ours."""
    nonce = request.COOKIES.get(settings.GUEST_NONCE_COOKIE_NAME, "")
    return nonce if SPELLING.fullmatch(nonce) else None


def delete_nonce(response: HttpResponseBase) -> None:
    """Have the browser forget its nonce."""
    response.delete_cookie(settings.GUEST_NONCE_COOKIE_NAME, samesite="Lax")


class GuestNonceMiddleware:
    """Gives strangers a nonce with the page of a form, and takes it back from who has a session.

    It reads cookies only, never the database. Its place is before the middleware of sessions and of
    the forms' token: their cookies are on the response when it looks.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, with the cookie if there has to be one."""
        response = self.get_response(request)
        _renew(request, response)
        return response


def _renew(request: HttpRequest, response: HttpResponseBase) -> None:
    """Sets or deletes the cookie. A response with the forms' token is a page with a form."""
    name = settings.GUEST_NONCE_COOKIE_NAME
    if name in response.cookies or response.status_code >= 500:  # the request is sent again
        return
    if _keeps_session(request, response):
        if request.COOKIES.get(name):
            delete_nonce(response)
    elif settings.CSRF_COOKIE_NAME in response.cookies and nonce_of(request) is None:
        response.set_cookie(
            name,
            secrets.token_hex(NONCE_BYTES),
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )


def _keeps_session(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether the browser sent a session and has one afterwards. A session that begins with this
    response proves nothing yet: the response may be lost."""
    name = settings.SESSION_COOKIE_NAME
    ended = name in response.cookies and not response.cookies[name].value
    return bool(request.COOKIES.get(name)) and not ended
