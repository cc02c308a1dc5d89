"""Error views."""

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from config.request_context import current_id


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500 with a reference that people can quote: the request id, which the log has too.

    Renders without the request, as Django's own view does: a context processor may be what failed.
    """
    return HttpResponse(render_to_string("500.html", {"reference": current_id()}), status=500)
