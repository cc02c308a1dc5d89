"""Security headers of all HTTP responses: content security policy, caching, permissions.

Pages have no inline script or style, so no policy needs nonces or hashes.

The policies are dicts of the shape that Django 6's own middleware takes; 5.2 has none. django-csp
4.0 was tried: it has one policy for all paths, so ours for the admin, for files and for the host's
sockets need a subclass. That subclass would replace `format_policy` alone (six lines), takes 60 µs
an answer where this takes 7, and orders the directives by the process's hash seed.
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
    "connect-src": ("'self'",),  # and the sockets of this host, see `format_policy`
    "manifest-src": ("'self'",),
    "worker-src": ("'self'",),
    "form-action": ("'self'",),
    "base-uri": ("'none'",),
    "object-src": ("'none'",),
    "frame-ancestors": ("'none'",),
    "require-trusted-types-for": ("'script'",),
    "trusted-types": ("quiver",),  # static/js/lib/trusted-types.js; made once on each page
}
# Pages that other sites may show in a frame, by Django's mark of the answer: they know no session.
EMBEDDED: Final[Policy] = {**PAGES, "form-action": ("'none'",), "frame-ancestors": ("*",)}
# A worker has the policy of its own script's answer, not that of the page: only this one may
# compile WebAssembly. Besides it fetches its modules' files.
ENGINE_WORKER_PATH: Final = "/engine-worker.js"
ENGINE_WORKER: Final[Policy] = {
    "default-src": ("'none'",),
    "script-src": ("'self'", "'wasm-unsafe-eval'"),
    "connect-src": ("'self'",),
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

# Features that no page uses. Writing to the clipboard is not among them.
UNUSED: Final = (
    "accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer",
    "microphone", "midi", "payment", "usb",
)  # fmt: skip
PERMISSIONS: Final = ", ".join(f"{name}=()" for name in UNUSED)


def format_policy(policy: Policy, host: str) -> str:
    """Return a policy as the header's value.

    Older browsers do not count websockets as `'self'`, so those of the host are named; `host` is
    empty where it is not known.
    """
    sockets = (f"ws://{host}", f"wss://{host}") if host else ()
    allowed = policy.get("connect-src", ())
    named = {**policy, "connect-src": (*allowed, *sockets)} if allowed else policy
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in named.items())


class Headers:
    """Middleware that adds the headers; it is outermost, so that errors and files get them too.

    Headers that a response has already are kept.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._is_async = iscoroutinefunction(answer)
        if self._is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        """Return the answer with the headers."""
        if self._is_async:
            return self._call_async(request)
        return with_headers(request, self._answer(request))  # type: ignore[arg-type]

    async def _call_async(self, request: HttpRequest) -> HttpResponseBase:
        return with_headers(request, await self._answer(request))  # type: ignore[misc]


def with_headers(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Return the response with the headers that it lacks.

    A page without a Cache-Control header may have a name on it, so no cache may keep it.
    """
    path = request.path_info
    # A path may begin otherwise than with "/": `OPTIONS *`, `CONNECT host:443`.
    policy = next((policy for start, policy in POLICIES if path.startswith(start)), PAGES)
    if path == ENGINE_WORKER_PATH:
        policy = ENGINE_WORKER
    if may_be_framed := getattr(response, "xframe_options_exempt", False):
        policy = EMBEDDED
    if not (settings.DEBUG and response.status_code >= 400):  # Django's debug pages have a style
        host = "" if policy in (ENGINE_WORKER, EMBEDDED) else _host(request)  # without sockets
        response.headers.setdefault("Content-Security-Policy", format_policy(policy, host))
    if policy is not FILES:
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
    if not may_be_framed:
        response.headers.setdefault("X-Frame-Options", "DENY")
    for name, value in {
        "Cross-Origin-Resource-Policy": "same-origin",
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }.items():
        response.headers.setdefault(name, value)
    return response


def _host(request: HttpRequest) -> str:
    """Return the host of the request; empty if it is not one of the site's."""
    try:
        return request.get_host()
    except DisallowedHost:
        return ""
