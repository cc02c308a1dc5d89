"""Middleware that keeps cookies out of requests that wait for a password.

Where allauth asks for the password again, it stores the form that was sent in the session, with all
headers, and sends it again afterwards. The headers hold the session key, and the form the secret of
its token, so both would stand in the database in a readable form.
"""

from collections.abc import Callable

from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest, HttpResponseBase

TOKEN = "csrfmiddlewaretoken"  # checked before; not checked when the form is sent again
PRIVATE = ("HTTP_COOKIE", "HTTP_X_CSRFTOKEN")  # `request.COOKIES` has been read before
SECRET, IS_NEW = "CSRF_COOKIE", "CSRF_COOKIE_NEEDS_UPDATE"  # of Django's CSRF middleware


class SuspendedRequests:
    """Removes cookies and tokens; comes after allauth's middleware, whose hook runs next."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answers the request."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> None:
        """Removes them from a request that is about to be stored."""
        if not isinstance(exception, ReauthenticationRequired):
            return
        hidden = PRIVATE if request.META.get(IS_NEW) else (*PRIVATE, SECRET)
        request.META = {name: value for name, value in request.META.items() if name not in hidden}
        form = request.POST.copy()
        form.pop(TOKEN, None)
        request.POST = form  # type: ignore[assignment]
