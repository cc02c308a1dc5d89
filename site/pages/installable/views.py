"""Views of the web manifest, the service worker and the page that it shows offline."""

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import conditional_page, require_safe

from pages.installable.icons import ICONS, PAPER

WORKER_SOURCE: Final = "js/sw/service-worker.js"
OFFLINE_TEMPLATE: Final = "pages/offline.html"
DIGEST_CHARS: Final = 12


@require_safe
@gzip_page
@conditional_page
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the web manifest, in the language of the request."""
    response = JsonResponse(manifest_fields(), content_type="application/manifest+json")
    response["Cache-Control"] = "private, no-cache"
    return response


def manifest_fields() -> dict[str, Any]:
    """Return the manifest's members (https://www.w3.org/TR/appmanifest/)."""
    shortcuts = (
        (_("Play online"), "play-online", ""),
        (_("Play the computer"), "computer", ""),
        (_("Your games"), "home", "#mine"),
    )
    return {
        "id": "/",
        "name": "Quiver",
        "short_name": "Quiver",
        "description": _("Strategy games online. Free, no sign-up."),
        "lang": get_language() or "en",
        "dir": "ltr",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "theme_color": PAPER,
        "background_color": PAPER,
        "categories": ["games", "strategy"],
        "icons": [
            {
                "src": static(f"img/app/{icon.name}"),
                "sizes": f"{icon.size_px}x{icon.size_px}",
                "type": "image/png",
                "purpose": icon.purpose,
            }
            for icon in ICONS
        ],
        "shortcuts": [
            {"name": name, "url": f"{reverse(route)}{rest}"} for name, route, rest in shortcuts
        ],
    }


@require_safe
@gzip_page
@conditional_page
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker's script, preceded by its settings.

    Its name never changes, because browsers would take another name for another worker; they ask
    for it again at each navigation, and replace the worker when a byte of it differs.
    """
    text = f"const SETTINGS = {json.dumps(worker_settings())};\n{_worker_source()}"
    response = HttpResponse(text, content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response


def worker_settings() -> dict[str, Any]:
    """Return the settings of the service worker.

    `version` changes with the offline page, so that browsers install the worker again then.
    """
    sheet = static("css/pages/pages/offline.css")
    page = render_to_string(OFFLINE_TEMPLATE)
    digest = sha256(f"{sheet}\n{page}".encode()).hexdigest()
    return {
        "version": digest[:DIGEST_CHARS],
        "offlinePage": reverse("offline"),
        "offlineSheet": sheet,
        "icon": static("img/app/icon-192.png"),
        "badge": static("img/app/badge-96.png"),
        "devices": "/notifications/push/",
        "token": reverse("form-token"),
        "fallback": _("There is news in your games."),
    }


@require_safe
@gzip_page
def offline(request: HttpRequest) -> HttpResponse:
    """Show the page that the worker keeps for navigations without a network; it names nobody."""
    return render(request, OFFLINE_TEMPLATE)


@require_safe
def form_token(request: HttpRequest) -> JsonResponse:
    """Return the token of forms, for the worker, which has no page that could hold one."""
    return JsonResponse({"token": get_token(request)})


@cache
def _worker_source() -> str:
    path = finders.find(WORKER_SOURCE)
    if not isinstance(path, str):
        raise FileNotFoundError(WORKER_SOURCE)
    return Path(path).read_text(encoding="utf-8")
