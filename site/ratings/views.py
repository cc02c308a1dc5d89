"""The public file of ratings over HTTP."""

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import condition, require_safe

from ratings.models import Generation
from ratings.public_file import find_generation, page_of

CONTENT_TYPE = "application/jsonl"
MAX_DIGITS = 15


def _number(request: HttpRequest, name: str) -> int | None:
    """Return a number of the query; None if it is not there. Raise Http404 if it is none."""
    text = request.GET.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        raise Http404
    return int(text)


def _parse_query(request: HttpRequest) -> tuple[Generation, int, int]:
    """Return the generation, the seq after which a page begins, and that at which the file ends.

    Raise Http404. The first page of a file always goes up to the end of its generation.
    """
    generation = find_generation(_number(request, "generation"))
    if generation is None:
        raise Http404("there is no such generation of ratings")
    after, last = _number(request, "after") or 0, _number(request, "last")
    if last is None:
        return generation, after, generation.last_seq
    if not 0 < after < last <= generation.last_seq:
        raise Http404("no file of ratings has such a page")
    return generation, after, last


def _etag(request: HttpRequest) -> str:
    generation, after, last = _parse_query(request)
    return f'"{generation.pk}-{last}-{after}"'


@require_safe
@gzip_page
@condition(etag_func=_etag)
def ratings_file(request: HttpRequest) -> HttpResponse:
    """Answer with the lines of a generation after a seq, at most 1,000 of them.

    A header `Link` with rel="next" leads to the following lines of the same generation. All
    answers one after the other are the file, up to the entry that was the last one at the first.
    """
    generation, after, last = _parse_query(request)
    page = page_of(generation, after, last_seq=last)
    response = HttpResponse(page.text, content_type=CONTENT_TYPE)
    patch_cache_control(response, public=True, no_cache=True)  # asked again, by the ETag
    if page.next_after is not None:
        query = urlencode(
            {"generation": generation.pk, "after": page.next_after, "last": page.last_seq}
        )
        response["Link"] = f'<{request.path}?{query}>; rel="next"'
    return response
