"""Pages of studies: own ones, public ones of a game or a person, one study, its files."""

from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.people.blocks import hidden_from
from accounts.public_profile.person_pages import page_of_person
from accounts.refusals import Refused
from analysis.board.views import board_context
from analysis.studies import study_export
from analysis.studies.models import MAX_TITLE_CHARS, Study
from analysis.studies.study_lists import (
    BOARDS,
    page_of,
    public_of_game,
    public_of_person,
    study_row,
    to_datetime,
)
from analysis.studies.study_service import MAX_STUDIES, study_rules
from analysis.studies.study_tree import read_tree
from games.core import ROLES, Role
from play.game_texts import name_of, side_names
from play.models import Seat


def visible_study(request: HttpRequest, slug: str) -> Study:
    """Return the study of an address. Raise Http404 if this visitor may see none there."""
    rows = Study.objects.visible_to(request.user.pk).select_related("owner", "game")
    study = rows.filter(slug=slug).first()
    if study is None:
        raise Http404
    return study


@require_safe
@never_cache
def own_studies(request: HttpRequest) -> HttpResponse:
    """Show the user's studies, last changed first; visitors and guests get an explanation."""
    is_account = getattr(request.user, "is_account", False)
    found = Study.objects.of(request.user.pk if is_account else None).without_trees()
    rows = [study_row(study) for study in found.order_by("-updated", "-pk")]
    context = {
        "rows": rows,
        "is_account": is_account,
        "most": MAX_STUDIES,
        "is_full": len(rows) >= MAX_STUDIES,
        "games": [(key, name_of(key)) for key in BOARDS],
    }
    return render(request, "analysis/studies/own.html", context)


@require_safe
@never_cache
def public_studies(request: HttpRequest, key: str) -> HttpResponse:
    """Show the public studies of a rule set, those changed last first; `?before=` pages back.

    Those of people whom the reader blocks, or who block the reader, are left out.
    """
    if key not in BOARDS:
        raise Http404
    found = public_of_game(key).exclude(owner__in=hidden_from(request.user))
    context = {
        **page_of(found, request.GET.get("before", "")),
        "key": key,
        "name": name_of(key),
        "games": [(each, name_of(each)) for each in BOARDS],
    }
    return render(request, "analysis/studies/public.html", context)


@require_safe
@never_cache
@page_of_person
def studies_of_person(request: HttpRequest, person: User) -> HttpResponse:
    """Show the public studies of an account; `?before=` pages back."""
    found = page_of(public_of_person(person), request.GET.get("before", ""))
    return render(request, "analysis/studies/of_person.html", {**found, "person": person})


@require_safe
@never_cache
@gzip_page
def study(request: HttpRequest, study_slug: str) -> HttpResponse:
    """Show a study on the analysis board; its owner edits it there."""
    found = visible_study(request, study_slug)
    is_own = found.owner_id == request.user.pk
    context: dict[str, Any] = {
        "study": found,
        "is_own": is_own,
        "may_edit": is_own and not found.is_hidden,
        "updated": to_datetime(found.updated),
        "title_units": 2 * MAX_TITLE_CHARS,  # browsers count an emoji as two
        "visibilities": Study.Visibility.choices,
        "may_copy": getattr(request.user, "is_account", False) and not is_own,
    }
    try:
        rules = study_rules(found.rules)
    except Refused:
        if not is_own:
            raise Http404 from None
        return render(request, "analysis/studies/withdrawn.html", context)
    game, names = source_of(found, request.user.pk)
    nodes = msgspec.to_builtins(read_tree(found.tree))
    context |= {**board_context(rules, names, nodes), "source_game": game}
    is_public = found.visibility == Study.Visibility.PUBLIC and not found.is_hidden
    if context["may_edit"] or is_public:
        context["embed_html"] = study_export.embed_html(found)
    context["analysis"]["study"] = {
        "slug": found.slug,
        "rev": found.rev,
        "title": found.title,
        "visibility": found.visibility,
        "is_own": is_own,
        "is_hidden": found.is_hidden,
    }
    return render(request, "analysis/studies/study.html", context)


@require_safe
@never_cache
@gzip_page
def study_json_file(request: HttpRequest, study_slug: str) -> HttpResponse:
    """Return a study as JSON, which its owner may import again."""
    found = visible_study(request, study_slug)
    body = msgspec.json.encode(study_export.study_file(found))
    return _as_file(HttpResponse(body, content_type="application/json"), found, "json")


@require_safe
@never_cache
@gzip_page
def study_text_file(request: HttpRequest, study_slug: str) -> HttpResponse:
    """Return a study as plain text."""
    found = visible_study(request, study_slug)
    try:
        text = study_export.study_text(found, study_rules(found.rules))
    except Refused:
        raise Http404 from None
    return _as_file(HttpResponse(text, content_type="text/plain; charset=utf-8"), found, "txt")


def _as_file(response: HttpResponse, study: Study, ending: str) -> HttpResponse:
    name = f"quiver-study-{study.slug}.{ending}"
    response["Content-Disposition"] = content_disposition_header(False, name) or "inline"
    return response


def source_of(study: Study, reader: int | None) -> tuple[Any, dict[Role, str]]:
    """Return the game that a study is about and the names of the sides.

    An unlisted game is revealed only to its players and to the study's owner, who got its link.
    """
    names = side_names(study.rules)
    game = study.game
    if game is None or game.ended is None:
        return None, names
    seats = list(Seat.objects.filter(game=game).select_related("user"))
    knows = reader is not None and reader in {study.owner_id, *(seat.user_id for seat in seats)}
    if not game.is_public and not knows:
        return None, names
    people = {seat.role: seat.user.get_username() for seat in seats}
    return game, {role: people.get(role, names[role]) for role in ROLES}
