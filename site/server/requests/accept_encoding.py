"""Middleware that parses Accept-Encoding once, for all that compress answers.

WhiteNoise, Django's `gzip_page` and `page_cache` search the header for the name of a coding, so
each of them took `gzip;q=0` for a wish. They still search, in what is left of the header here.
"""

import re
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase

CODINGS: Final = ("br", "gzip")  # those that the site answers with
ALIASES: Final = {"x-gzip": "gzip"}  # RFC 9110, section 8.4.1.3
# A coding with its weight (RFC 9110, sections 12.4.2 and 12.5.3).
ELEMENT: Final = re.compile(
    r"([!#$%&'*+.^_`|~0-9a-z-]+)(?:[ \t]*;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?"
)
HEADER: Final = "HTTP_ACCEPT_ENCODING"


def accepted_codings(header: str) -> str:
    """Return those of `CODINGS` that a client accepts, as a header without weights.

    `*` stands for those that the header does not name. A malformed element names nothing. An answer
    without a coding needs no leave: it is also sent to a client that refuses it, instead of a 406.
    """
    weights = dict[str, float]()
    for element in header.lower().split(","):
        if found := ELEMENT.fullmatch(element.strip(" \t")):
            weights[ALIASES.get(found[1], found[1])] = float(found[2] or 1)
    others = weights.get("*", 0.0)
    return ", ".join(coding for coding in CODINGS if weights.get(coding, others))


def accept_encoding(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Return the middleware; it runs before the first one that compresses answers."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if header := request.META.get(HEADER):
            request.META[HEADER] = accepted_codings(header)
        return get_response(request)

    return answer
