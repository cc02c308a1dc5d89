"""Addresses by which a page adds, removes and tests push devices. All answer JSON."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.limits.networks import of_request
from accounts.limits.rate_limits import DEVICES, TooOften, spend
from notices.push import devices
from notices.push.browser_names import clean_name, name_of_browser

View = Callable[..., JsonResponse]


def _for_users(view: View) -> View:
    """Decorate a view so that it answers users alone, within the limit of requests."""

    @require_POST
    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> JsonResponse:
        if not request.user.is_authenticated:
            return _error(_("Play a game or sign in first."), 403)
        try:
            spend(DEVICES, request.user.pk, of_request(request))
        except TooOften as refused:
            answer = _error(_("Too many requests. Try again in a few minutes."), 429)
            answer["Retry-After"] = str(refused.wait)
            return answer
        return view(request, *args, **kwargs)

    return guarded


def _error(sentence: str, status: int) -> JsonResponse:
    return JsonResponse({"error": sentence}, status=status)


@_for_users
def add_device(request: HttpRequest) -> JsonResponse:
    """Add the browser: `subscription`, as JSON, and `name`, made of the User-Agent if blank."""
    name = clean_name(request.POST.get("name", ""))
    name = name or name_of_browser(request.headers.get("User-Agent", ""))
    session = request.session.digest or ""  # type: ignore[attr-defined]
    try:
        device = devices.add(
            request.user,  # type: ignore[arg-type]
            session,
            request.POST.get("subscription", ""),
            name,
            get_language() or "en",
        )
    except devices.Refused as refused:
        return _error(str(refused), 400)
    return JsonResponse({"id": device.pk})


@_for_users
def remove_device(request: HttpRequest, pk: int) -> JsonResponse:
    """Remove a device of the user."""
    return _answer(devices.remove(request.user.pk, pk), pk)  # type: ignore[arg-type]


@_for_users
def test_device(request: HttpRequest, pk: int) -> JsonResponse:
    """Send a test to a device of the user, within seconds."""
    return _answer(devices.ask_test(request.user.pk, pk), pk)  # type: ignore[arg-type]


def _answer(is_found: bool, pk: int) -> JsonResponse:
    if not is_found:
        return _error(_("That device has been removed already."), 404)
    return JsonResponse({"id": pk})
