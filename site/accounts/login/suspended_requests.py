"""Middleware that keeps cookies and tokens out of requests that wait for a password.

Where allauth asks for the password again, it stores the posted form in the session, with all
headers, and repeats the request afterwards. The headers hold the session key, and the form the CSRF
secret, so the database would have both in plain text. Forms with passwords and very large forms are
not stored: their page is shown again.
"""

from collections.abc import Callable

from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest, HttpResponseBase, QueryDict

TOKEN = "csrfmiddlewaretoken"  # checked already, and not again for the stored form
PRIVATE = ("HTTP_COOKIE", "HTTP_X_CSRFTOKEN")  # `request.COOKIES` has been read before
MAX_FORM_CHARS = 16 * 1024  # of a stored form; every request of the session reads it
CSRF_SECRET, IS_NEW = "CSRF_COOKIE", "CSRF_COOKIE_NEEDS_UPDATE"  # of Django's CSRF middleware


class SuspendedRequestMiddleware:
    """Removes cookies and CSRF tokens from a request that allauth stores.

    Listed after `AccountMiddleware`: exception hooks run in reverse order.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> None:
        """Remove cookies and tokens from a request that is about to be stored."""
        if not isinstance(exception, ReauthenticationRequired):
            return
        if not may_keep(request.POST):
            request.method = "GET"  # allauth keeps a POST only
            return
        hidden = PRIVATE if request.META.get(IS_NEW) else (*PRIVATE, CSRF_SECRET)
        request.META = {name: value for name, value in request.META.items() if name not in hidden}
        form = request.POST.copy()
        form.pop(TOKEN, None)
        request.POST = form  # type: ignore[assignment]


def may_keep(form: QueryDict) -> bool:
    """Whether a form may be stored in the session: it is small and has no password."""
    has_password = any("password" in name for name in form)
    return not has_password and len(form.urlencode()) <= MAX_FORM_CHARS
