"""Addresses by which a page adds, removes and tests push devices. All answer JSON."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.limits.networks import of_request
from accounts.limits.rate_limits import DEVICES, TooOften, spend
from accounts.refusal_responses import refusal_json
from accounts.refusals import Refused
from notices.push import devices
from notices.push.browser_names import clean_name, name_of_browser
from notices.push.devices import DeviceReason

View = Callable[..., int]  # returns the key of the device


def _answers_users(view: View) -> Callable[..., JsonResponse]:
    """Decorate a view so that it answers users alone, within the limit of requests."""

    @require_POST
    @never_cache
    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> JsonResponse:
        try:
            if not request.user.is_authenticated:
                raise Refused(DeviceReason.STRANGER)
            spend(DEVICES, request.user.pk, of_request(request))
            return JsonResponse({"id": view(request, *args, **kwargs)})
        except Refused as refused:
            return refusal_json(refused)
        except TooOften as limited:
            answer = refusal_json(Refused(DeviceReason.TOO_OFTEN))
            answer["Retry-After"] = str(limited.wait)
            return answer

    return answered


@_answers_users
def add_device(request: HttpRequest) -> int:
    """Add the browser: `subscription`, as JSON, and `name`, made of the User-Agent if blank."""
    name = clean_name(request.POST.get("name", ""))
    name = name or name_of_browser(request.headers.get("User-Agent", ""))
    device = devices.add(
        request.user,  # type: ignore[arg-type]
        request.session.digest or "",  # type: ignore[attr-defined]
        request.POST.get("subscription", ""),
        name,
        get_language() or "en",
    )
    return device.pk


@_answers_users
def remove_device(request: HttpRequest, pk: int) -> int:
    """Remove a device of the user."""
    devices.remove(request.user.pk, pk)  # type: ignore[arg-type]
    return pk


@_answers_users
def test_device(request: HttpRequest, pk: int) -> int:
    """Send a test to a device of the user, within seconds."""
    devices.ask_test(request.user.pk, pk)  # type: ignore[arg-type]
    return pk
