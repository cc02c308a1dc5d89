"""Serve collected static files, also those collected after start-up."""

import os
import re
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware

# Names that change with the contents: by Django's hashes, by esbuild's, or by the folder of the
# sources where these are served one by one.
HASHED: Final = re.compile(
    r"\.(?:[0-9a-f]{12}|[0-9A-Z]{8})\.\w+$|/sources-[0-9a-f]{12}/[\w./-]+\.(?:css|js)$"
)


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]  # it has no types
    """WhiteNoise, extended by files that are collected after it has started.

    During a rolling restart, pages of the new processes request new files from the old ones too.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        super().__init__(get_response)
        if not self.autorefresh:
            root = os.path.join(os.path.abspath(settings.STATIC_ROOT), "")
            self.directories.append((root, self.static_prefix))

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the file, or the response of the next middleware."""
        path = request.path_info
        is_new = path.startswith(self.static_prefix) and path not in self.files
        if is_new and HASHED.search(path) and (found := self.find_file(path)):
            self.files[path] = found
        answer: HttpResponseBase = super().__call__(request)
        return answer

    def immutable_file_test(self, path: str, url: str) -> bool:
        """Return whether a file's name has a hash of its contents, so that browsers may keep it."""
        return HASHED.search(url) is not None
