"""Answer a refused request in a view: JSON for a script, the page of the form for a reader."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from accounts.refusals import Refused


def refusal_json(refused: Refused, **more: object) -> JsonResponse:
    """Return the answer to a script, which shows the sentence `say`."""
    about = {"reason": refused.reason, "say": refused.say, **refused.details}
    return JsonResponse({**more, "refused": about}, status=refused.reason.status)


def render_form(
    request: HttpRequest, template: str, context: Mapping[str, Any], refused: Refused | None
) -> HttpResponse:
    """Return the page of a form; after a refusal it begins with the sentence, `complaint`."""
    complaint, status = (refused.say, refused.reason.status) if refused else ("", 200)
    return render(request, template, {**context, "complaint": complaint}, status=status)
