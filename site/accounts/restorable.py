"""Let browsers keep pages in memory, so that Back shows them at once."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.utils.crypto import salted_hmac

View = Callable[..., HttpResponse]
MARK_CHARS = 16  # hexadecimal characters


def restorable(view: View) -> View:
    """Decorate the view of a page without secrets: a browser may keep it, and asks before reuse.

    `no-store`, which all other pages have, would forbid the back/forward cache. Scripts reload a
    page that comes back from it into another session (`static/js/pages/page-session.js`).
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return response

    return wrapped


def page_session(request: HttpRequest) -> dict[str, Callable[[], str]]:
    """Return the context `page_session`: a mark of the session and of the token of forms.

    Two pages with the same mark show the same person, and their forms are accepted. It is a keyed
    hash: nothing can be learned from it. Empty for a request that was refused before its session
    was read.
    """

    def mark() -> str:
        if not hasattr(request, "session"):
            return ""
        if "CSRF_COOKIE" not in request.META:
            get_token(request)  # makes the secret
        value = f"{request.session.session_key or ''} {request.META['CSRF_COOKIE']}"
        return salted_hmac(f"{__name__}.mark", value).hexdigest()[:MARK_CHARS]

    return {"page_session": mark}
