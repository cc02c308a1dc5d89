"""The public file of ratings, one game's ratings, and a reader's own, over HTTP."""

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseGone, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import condition, require_safe

from games.rating.standing import UNIT
from play.domain.clocks import DAY_MS, now
from play.models import Game
from ratings.history.changes import Side, rating_of_game
from ratings.models import Generation, RatingEntry
from ratings.reason_texts import sentence_of
from ratings.rules.pruning import KEPT_MS, is_pruned
from ratings.rules.public_file import find_generation, page_of
from ratings.shown_ratings import read_ratings

CONTENT_TYPE = "application/jsonl"
MAX_DIGITS = 15
NO_LONGER_KEPT = (
    "This generation of ratings is no longer kept: earlier ones are deleted within "
    f"{KEPT_MS // DAY_MS} days. The current one is at /ratings.jsonl.\n"
)


def _number(request: HttpRequest, name: str) -> int | None:
    """Return a number of the query string; None without it. Raise Http404 if it is malformed."""
    text = request.GET.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        raise Http404
    return int(text)


def _parse_query(request: HttpRequest) -> tuple[Generation, int, int]:
    """Return the generation, the seq after which a page begins, and the last seq of the file.

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
def ratings_file(request: HttpRequest) -> HttpResponse:
    """Answer with the lines of a generation after a seq, at most 1,000 of them.

    A header `Link` with rel="next" leads to the following lines of the same generation. All
    answers one after the other are the file, up to the entry that was the last one at the first.
    410 for a generation that is no longer kept.
    """
    number = _number(request, "generation")
    answer = None if number is not None and is_pruned(number) else _file_page(request)
    # It may have been deleted while its rows were read.
    if answer is None or (number is not None and is_pruned(number)):
        return HttpResponseGone(NO_LONGER_KEPT, content_type="text/plain; charset=utf-8")
    return answer


@condition(etag_func=_etag)
def _file_page(request: HttpRequest) -> HttpResponse:
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


@require_safe
@never_cache
def game_rating(request: HttpRequest, slug: str) -> JsonResponse:
    """Answer how a rated game that is over changed both ratings, in whole points.

    `sides` (by role) is null if the game did not count, and `sentence` says why; both are null
    until the game has been rated, a second or two after its end. 404 for a casual game, and for one
    that is being played, which may be hidden from this visitor.
    """
    game = get_object_or_404(Game.objects.rated_and_over(), slug=slug)
    found = rating_of_game(game.pk)
    changes = {
        role: {**_points(side), "url": _history_url(found.entry, role)}
        for role, side in (found.sides or {}).items()
    }
    sentence = sentence_of(found.not_rated) if found.not_rated else None
    return JsonResponse({"sides": changes or None, "sentence": sentence})


def _points(side: Side) -> dict[str, int]:
    before, after = round(side.before.rating / UNIT), round(side.after.rating / UNIT)
    return {"before": before, "after": after, "change": after - before}


def _history_url(entry: RatingEntry | None, role: str) -> str | None:
    """Return the page of a player's rating at this game; None for a deleted user."""
    person = entry and (entry.white if role == "white" else entry.black)
    if not (entry and person and person.user.is_active):
        return None
    arguments = [person.user.username, entry.rules, entry.speed]
    return f"{reverse('rating-history', args=arguments)}#seq-{entry.seq}"


@require_safe
@never_cache
def own_ratings(request: HttpRequest) -> HttpResponse:
    """Answer with the reader's ratings by pool, in points: {"pincer/live": 1712}."""
    user = request.user.pk
    ratings = read_ratings([user], now())
    pools = [pool for standings in ratings.standings.values() for pool in standings]
    shown = {pool: ratings.shown(user, pool) for pool in pools}
    return JsonResponse({str(pool): each.points for pool, each in shown.items() if each})
