"""Distinguish the requests of the site's scripts from page requests of browsers."""

from django.http import HttpRequest


def wants_json(request: HttpRequest) -> bool:
    """Whether a request asks for JSON alone, as the scripts of our pages do.

    Browsers that open an address accept HTML among other things, so they get a page.
    """
    return request.headers.get("Accept", "") == "application/json"
