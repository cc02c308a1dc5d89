"""The absolute form of a request target: `GET http://host/path` (RFC 9112, section 3.2.2)."""

import re
from typing import Any
from urllib.parse import unquote

ABSOLUTE = re.compile(rb"https?://([^/?#]*)(.*)", re.IGNORECASE | re.DOTALL)


def use_origin_form(scope: dict[str, Any]) -> None:
    """Reduce an absolute request target to its path, and have the Host header name its host.

    A server has to accept this form and to ignore the Host header that came with it. Daphne and
    uvicorn's h11 hand the target on as the path; httptools has cut it already. Every other target
    that is no path (`*`, `host:443`) stays as it is, and no route fits it.
    """
    if scope["path"].startswith("/"):
        return
    found = ABSOLUTE.fullmatch(scope.get("raw_path") or scope["path"].encode())
    if found is None:
        return
    host, path = found[1], found[2] or b"/"
    scope["raw_path"] = path
    scope["path"] = unquote(path.decode("latin1"))
    others = [(name, value) for name, value in scope["headers"] if name != b"host"]
    scope["headers"] = [*others, (b"host", host)]
