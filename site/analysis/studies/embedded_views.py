"""Views of a public study embedded in a frame of any site, and of the positions of its lines.

Browsers send none of the site's cookies with a frame of another site (`SameSite=Lax`), but they do
if the address is opened directly. So these views replace the user by an anonymous one: no session
is read, and the page says nothing about its reader. It has no form, no socket and no chat.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

import msgspec
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from accounts.limits.networks import of_request
from accounts.limits.rate_limits import VIEWS, TooOften, spend
from accounts.site_links import absolute_url
from analysis.board.position_tree import node_json, play_tree
from analysis.board.views import board_context
from analysis.studies.models import Study
from analysis.studies.study_lists import BOARDS
from analysis.studies.study_service import study_rules
from analysis.studies.study_tree import StudyNode, line_through, read_tree
from analysis.studies.views import source_of

View = Callable[..., HttpResponse]


def without_session(view: View) -> View:
    """Decorate a view that answers everyone alike: no session, limited by network alone."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        request.user = AnonymousUser()
        try:
            spend(VIEWS, None, of_request(request))
        except TooOften as refused:
            say = _("Too many requests. Try again in a few minutes.")
            response = HttpResponse(say, status=429, content_type="text/plain; charset=utf-8")
            response["Retry-After"] = str(refused.wait)
            return response
        return view(request, *args, **kwargs)

    return answered


@require_safe
@xframe_options_exempt
@never_cache
@gzip_page
@without_session
def embedded_study(request: HttpRequest, study_slug: str) -> HttpResponse:
    """Show a public study to look at, in a frame of any site."""
    study = _public_study(study_slug)
    _game, names = source_of(study, None)
    nodes = msgspec.to_builtins(read_tree(study.tree))
    context = board_context(study_rules(study.rules), names, nodes)
    analysis = context.pop("analysis")
    data = {name: analysis[name] for name in ("key", "names", "start", "snapshot", "nodes")}
    url = reverse("study-embed-line", args=[study.slug])
    return render(
        request,
        "analysis/studies/embed.html",
        {
            **context,
            "study": study,
            "study_url": absolute_url(study.get_absolute_url()),
            "study_data": {**data, "rev": study.rev, "url": url},
        },
    )


@require_safe
@never_cache
@gzip_page
@without_session
def embedded_line(request: HttpRequest, study_slug: str) -> JsonResponse:
    """Answer with the positions on the line of a turn: `{"nodes": [[place, node], …]}`.

    The query has `at`, the place of that turn in the study, and `rev`, that of the page. 400 for
    others; 409 when the study is at another rev, where places may mean other turns.
    """
    study = _public_study(study_slug)
    try:
        at, rev = int(request.GET.get("at", "")), int(request.GET.get("rev", ""))
    except ValueError:
        return JsonResponse({"error": "at and rev are numbers"}, status=400)
    if rev != study.rev:
        return JsonResponse({"error": "the study has changed"}, status=409)
    nodes = read_tree(study.tree)
    if not 0 <= at < len(nodes):
        return JsonResponse({"error": "there is no such turn"}, status=400)
    rules, places = study_rules(study.rules), line_through(nodes, at)
    line = [StudyNode(depth - 1, nodes[place].actions) for depth, place in enumerate(places)]
    played = [node_json(rules, node) for node in play_tree(rules, line)]
    return JsonResponse({"nodes": list(zip(places, played, strict=True))})


def _public_study(slug: str) -> Study:
    """Return a public study of rules that are played here. Raise Http404 for any other."""
    rows = Study.objects.public().filter(rules__in=BOARDS).select_related("owner", "game")
    study = rows.filter(slug=slug).first()
    if study is None:
        raise Http404
    return study
