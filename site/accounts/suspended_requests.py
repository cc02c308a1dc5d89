"""Middleware that keeps cookies out of requests that wait for a password.

Where allauth asks for the password again, it stores the form that was sent in the session, with all
headers, and sends it again afterwards. The headers hold the session key, and the form the secret of
its token, so both would stand in the database in a readable form. Forms with passwords and very
large forms are not kept at all: their page is shown again.
"""

from collections.abc import Callable

from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest, HttpResponseBase, QueryDict

TOKEN = "csrfmiddlewaretoken"  # already checked; not checked again for the stored form
PRIVATE = ("HTTP_COOKIE", "HTTP_X_CSRFTOKEN")  # `request.COOKIES` has been read before
MAX_FORM_CHARS = 16 * 1024  # of a form that is kept; every request of a session reads it again
CSRF_SECRET, IS_NEW = "CSRF_COOKIE", "CSRF_COOKIE_NEEDS_UPDATE"  # of Django's CSRF middleware


class SuspendedRequestMiddleware:
    """Removes cookies and CSRF tokens from a request that allauth stores.

    Listed after `AccountMiddleware`: exception hooks run in reverse order.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answers the request."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> None:
        """Removes them from a request that is about to be stored."""
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
    """Whether a form may stand in the session: a small one without a password."""
    has_password = any("password" in name for name in form)
    return not has_password and len(form.urlencode()) <= MAX_FORM_CHARS
