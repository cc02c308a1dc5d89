"""Requests that change studies: new ones, saves, imports, copies, deletion."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from accounts.refusal_responses import refusal_json
from accounts.refusals import Refused
from analysis.studies import study_service
from analysis.studies.models import Study
from analysis.studies.study_export import parse_study_file
from analysis.studies.study_requests import (
    NEW,
    SAVE,
    account_of,
    conflict_response,
    parse_body,
    read_body,
)
from analysis.studies.study_service import Change, Conflict
from analysis.studies.views import visible_study
from play.game_texts import name_of
from play.models import Game
from play.views import load_visible_game

View = Callable[..., HttpResponse]


def answers_json(view: View) -> View:
    """Decorate a view for scripts: refusals and conflicts become answers."""

    @require_POST
    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Refused as refused:
            return refusal_json(refused)
        except Conflict as conflict:
            return conflict_response(conflict)

    return answered


@answers_json
def create(request: HttpRequest) -> HttpResponse:
    """Keep the tree of an analysis board as a study; see `study_requests.NewStudy`."""
    owner = account_of(request)
    asked = parse_body(request, NEW)
    game = _source_game(request, asked.game, asked.rules)
    return _created(study_service.create(owner, asked.rules, asked.title, asked.nodes, game))


@answers_json
def import_file(request: HttpRequest) -> HttpResponse:
    """Keep an exported study, which is the body of the request, as a new private one."""
    owner = account_of(request)
    found = parse_study_file(read_body(request))
    return _created(study_service.create(owner, found.rules, found.title, found.nodes))


@answers_json
def save(request: HttpRequest, study_slug: str) -> HttpResponse:
    """Change a study of the user; see `study_requests.SaveStudy`. Others' studies are not found."""
    owner = account_of(request)
    asked = parse_body(request, SAVE)
    change = Change(asked.title, asked.visibility, asked.nodes)
    try:
        study = study_service.save(owner, study_slug, asked.rev, change)
    except Study.DoesNotExist:
        raise Http404 from None
    return JsonResponse({"rev": study.rev, "at": study.updated, "title": study.title})


@require_POST
def start(request: HttpRequest) -> HttpResponse:
    """Make an empty study of a game: `rules`."""
    key = request.POST.get("rules", "")
    try:
        owner = account_of(request)
        study_service.study_rules(key)
        return redirect(study_service.create(owner, key, name_of(key), []))
    except Refused as refused:
        return _refused_page(request, refused)


@require_POST
def copy(request: HttpRequest, study_slug: str) -> HttpResponse:
    """Copy a study that the user may see into a private study of the user."""
    source = visible_study(request, study_slug)
    try:
        return redirect(study_service.copy(account_of(request), source))
    except Refused as refused:
        return _refused_page(request, refused)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def delete(request: HttpRequest, study_slug: str) -> HttpResponse:
    """Ask whether to delete a study of the user; POST deletes it."""
    user = request.user
    study = Study.objects.of(user.pk).filter(slug=study_slug).first() if user.pk else None
    if study is None or not isinstance(user, User):
        raise Http404
    if request.method != "POST":
        return render(request, "analysis/studies/delete.html", {"study": study})
    try:
        study_service.delete(user, study_slug)
    except Study.DoesNotExist:  # deleted in another tab meanwhile
        raise Http404 from None
    messages.success(request, _("“{title}” was deleted.").format(title=study.title))
    return redirect("studies")


def _created(study: Study) -> JsonResponse:
    return JsonResponse({"url": study.get_absolute_url(), "rev": study.rev}, status=201)


def _refused_page(request: HttpRequest, refused: Refused) -> HttpResponse:
    """Return to the list of one's studies with a message."""
    messages.error(request, refused.say)
    return redirect("studies")


def _source_game(request: HttpRequest, slug: str | None, key: str) -> Game | None:
    """Return the ended game that a new study is about.

    Raise Http404 for one that still runs, that this visitor may not see, or of other rules.
    """
    if slug is None:
        return None
    live = load_visible_game(request, slug)
    if live.ending is None or live.rules.key != key:
        raise Http404
    return Game.objects.get(pk=live.id)
