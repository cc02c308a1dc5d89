"""What every answer tells the browser about itself: where it may load from, and who may keep it.

The policy is one dict, as Django's own middleware of later releases takes it. Our pages have no
script or style within them, so nothing has to be excepted.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.http.response import HttpResponseBase

Policy = Mapping[str, tuple[str, ...]]
Answer = Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]

PAGES: Final[Policy] = {
    "default-src": ("'none'",),
    "script-src": ("'self'",),
    "style-src": ("'self'",),
    "img-src": ("'self'",),
    "font-src": ("'self'",),
    "connect-src": ("'self'",),  # and the sockets of this very host, see `spelled`
    "manifest-src": ("'self'",),
    "form-action": ("'self'",),
    "base-uri": ("'none'",),
    "object-src": ("'none'",),
    "frame-ancestors": ("'none'",),
    "require-trusted-types-for": ("'script'",),
    "trusted-types": ("'none'",),
}
FILES: Final[Policy] = {name: PAGES[name] for name in ("default-src", "frame-ancestors")}
# The scripts of Django's admin write HTML as text (jQuery, SelectBox), which trusted types forbid.
NOT_IN_ADMIN: Final = ("require-trusted-types-for", "trusted-types")
ADMIN: Final[Policy] = {name: PAGES[name] for name in PAGES if name not in NOT_IN_ADMIN}
# A file that is opened by itself loads nothing at all.
POLICIES: Final = (
    (f"/{settings.STATIC_URL.strip('/')}/", FILES),
    *([(settings.ADMIN_PATH, ADMIN)] if settings.ADMIN_PATH else []),
    ("/", PAGES),
)

# What no page of ours ever asks for. Writing to the clipboard and waking notices are not among it.
UNUSED: Final = (
    "accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer",
    "microphone", "midi", "payment", "usb",
)  # fmt: skip
PERMISSIONS: Final = ", ".join(f"{name}=()" for name in UNUSED)


def spelled(policy: Policy, host: str) -> str:
    """A policy as the header has it. Older browsers don't count sockets among `'self'`, so the
    host's are named; `host` is empty where it is not known."""
    sockets = (f"ws://{host}", f"wss://{host}") if host else ()
    allowed = policy.get("connect-src", ())
    named = {**policy, "connect-src": (*allowed, *sockets)} if allowed else policy
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in named.items())


class Headers:
    """The outermost middleware: its headers are on errors and on static files as well.

    What an answer says of itself stays as it is.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._is_async = iscoroutinefunction(answer)
        if self._is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Answers with the headers."""
        if self._is_async:
            return self._later(request)
        return with_headers(request, self._answer(request))  # type: ignore[arg-type]

    async def _later(self, request: HttpRequest) -> HttpResponseBase:
        return with_headers(request, await self._answer(request))  # type: ignore[misc]


def with_headers(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """The response with what it does not say yet.

    A page that says nothing of caches may have a name on it, so nobody keeps it.
    """
    path = request.path_info
    # A path may begin otherwise than with "/": `OPTIONS *`, `CONNECT host:443`.
    policy = next((policy for start, policy in POLICIES if path.startswith(start)), PAGES)
    if not (settings.DEBUG and response.status_code >= 400):  # Django's debug pages have a style
        response.headers.setdefault("Content-Security-Policy", spelled(policy, _host(request)))
    if policy is not FILES:
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
    for name, value in {
        "Cross-Origin-Resource-Policy": "same-origin",
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Cache-Control": "private, no-store",
    }.items():
        response.headers.setdefault(name, value)
    return response


def _host(request: HttpRequest) -> str:
    """The host that was asked, if it is one of ours; the answer to others loads nothing."""
    try:
        return request.get_host()
    except DisallowedHost:
        return ""
