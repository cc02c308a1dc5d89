"""The script of the engine's worker, at an address that trusted types admit."""

import json
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.views.decorators.http import conditional_page, require_safe

WORKER: Final = "js/engine/worker.js"
MODULES: Final = ("amazons", "pincer")


@require_safe
@conditional_page
def engine_worker(request: HttpRequest) -> HttpResponse:
    """Return a script that imports the worker's and names the files of WebAssembly.

    Its own policy lets it compile them: `server.requests.security_headers.ENGINE_WORKER`.
    """
    files = {name: static(f"engine/{name}.wasm") for name in MODULES}
    text = f"import {json.dumps(static(WORKER))};\nglobalThis.ENGINE_FILES = {json.dumps(files)};\n"
    response = HttpResponse(text, content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response
