"""Distinguish the requests of the site's scripts from page requests of browsers; refuse them."""

from django.http import HttpRequest, JsonResponse

from accounts.refusals import Refused


def wants_json(request: HttpRequest) -> bool:
    """Whether a request asks for JSON alone, as the scripts of our pages do.

    Browsers that open an address accept HTML among other things, so they get a page.
    """
    return request.headers.get("Accept", "") == "application/json"


def refusal_response(refused: Refused, **more: object) -> JsonResponse:
    """Return the answer to a script whose request was refused; the scripts show `say`."""
    about = {"reason": refused.reason, "say": refused.say, **refused.details}
    return JsonResponse({**more, "refused": about}, status=refused.reason.status)
